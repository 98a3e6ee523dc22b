-- The sweeper looks for attempts that were left running every few seconds: few among very many.
CREATE INDEX attempts_running ON attempts (started_at) WHERE status = 'running';

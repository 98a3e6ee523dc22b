-- name: database_size
-- The size of the database in bytes.
SELECT pg_database_size(current_database()) AS bytes;

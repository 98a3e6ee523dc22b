-- What an answer is worth, how sure the proposal is, and how often it was asked.
ALTER TABLE reviews ADD COLUMN worth DOUBLE PRECISION NOT NULL DEFAULT 1;
ALTER TABLE reviews ADD COLUMN confidence DOUBLE PRECISION NOT NULL DEFAULT 0;
ALTER TABLE reviews ADD COLUMN times_asked BIGINT NOT NULL DEFAULT 1;
CREATE INDEX reviews_by_worth ON reviews (worth, id) WHERE closed_at IS NULL;

-- name: save_contract
-- Keep a contract as it was, so that old records can be proven by their own rules.
INSERT INTO contracts (digest, category, body)
VALUES (:digest, :category, :body)
ON CONFLICT (digest) DO NOTHING;

-- name: get_contract
-- A contract by its digest.
SELECT body FROM contracts WHERE digest = :digest;

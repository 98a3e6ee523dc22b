-- name: get_model_answer
-- The cached answer of a model to this question.
SELECT model, answer, prompt_tokens, answer_tokens FROM model_answers WHERE question = :question;

-- name: save_model_answer
-- Cache an answer; the first one stays.
INSERT INTO model_answers (question, model, answer, prompt_tokens, answer_tokens, answered_at)
VALUES (:question, :model, :answer, :prompt_tokens, :answer_tokens, :at)
ON CONFLICT (question) DO NOTHING;

-- name: add_model_call
-- Enter a call in the ledger.
INSERT INTO model_calls (at, day, attempt_id, product_id, page_id, model, question, ended,
    prompt_tokens, answer_tokens, cost_micros)
VALUES (:at, :day, :attempt_id, :product_id, :page_id, :model, :question, :ended,
    :prompt_tokens, :answer_tokens, :cost_micros);

-- name: model_calls_of_day
-- Number and cost of the calls answered on a day.
SELECT COUNT(*) AS calls, CAST(COALESCE(SUM(cost_micros), 0) AS BIGINT) AS cost_micros
FROM model_calls WHERE day = :day AND prompt_tokens > 0;

-- name: model_calls_of_attempt
-- Calls, tokens and cost of an attempt, model by model.
SELECT model, COUNT(*) AS calls, CAST(SUM(prompt_tokens) AS BIGINT) AS prompt_tokens,
    CAST(SUM(answer_tokens) AS BIGINT) AS answer_tokens,
    CAST(SUM(cost_micros) AS BIGINT) AS cost_micros
FROM model_calls WHERE attempt_id = :attempt_id AND prompt_tokens > 0 GROUP BY model ORDER BY model;

-- name: set_attempt_spent
-- Update the spending of an attempt, also after its end.
UPDATE attempts SET spent = :spent WHERE id = :id;

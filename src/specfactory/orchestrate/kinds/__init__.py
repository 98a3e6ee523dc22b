"""The kinds of job, one module each: what a worker does with a job of that kind."""

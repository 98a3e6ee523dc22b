"""Commands about records: run, show, explain, audit, export, review, golden."""

"""Commands that set up and try out: init, doctor, contract, demo."""

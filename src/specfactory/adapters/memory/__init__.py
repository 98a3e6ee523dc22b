"""One process: state, wake-up calls, live events, the machine's clock."""

"""Templates at work: kept ready, counted, adopted, retired, decided about by a person."""

"""Which field a label or a phrase names; conditions across fields."""

"""Commands about pages: extract, evaluate, stored pages, archives, timings."""

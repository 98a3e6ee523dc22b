"""Values that carry no label – prices, stock, brands, codes – and what speaks for each."""

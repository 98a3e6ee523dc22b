"""What the parts of a page are and whose they are: boxes, headings, regions, names."""

"""What a site and a page allow."""

"""Bytes → characters → text view and outline."""

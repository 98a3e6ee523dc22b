"""Headline, author, date, language and topics of an article."""

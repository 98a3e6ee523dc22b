"""Takes what a person types and gives what they asked for, or one line that says why not."""

This is no program at all.

"""What searches share: limits, stoppers, analyses and kernel states."""

"""Rules, search and players; knows nothing of protocols and prints nothing."""

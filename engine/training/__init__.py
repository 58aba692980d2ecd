"""Learning: self-play, replay, the learner, and the loop that joins them."""

"""Records that strangers send: rules for them, the merge that takes or refuses them, and sending."""

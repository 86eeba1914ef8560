"""The papers' experiments on virtual time: what distribution saves and costs, and what one's own deployment would."""

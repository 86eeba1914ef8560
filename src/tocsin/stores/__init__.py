"""What must outlast a crash, in files: a journal of what came, and the ledger of a state."""

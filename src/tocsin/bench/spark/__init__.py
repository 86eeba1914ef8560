"""`tocsin bench spark`: detection on Spark beside what else Spark could do with the same rows."""

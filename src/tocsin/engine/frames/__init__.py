"""Columns in and out: batches made of frames, and what was found as rows, columns and lines."""

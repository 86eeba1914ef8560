"""Rules as users keep them: files and options, made into a program that has been checked."""

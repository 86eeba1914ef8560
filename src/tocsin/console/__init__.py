"""The console: a person and a monitor. Lines in, reports and firings out; the terminal is a detail of it.

partner     whom it talks to: a monitor here, or ...
remote      ... that of a service, over a `connection`
words       what can be typed, with its help, and how it is completed
session     what comes of a line
feeds       events that come meanwhile: a file, a directory, a pipe
prompt      lines from a terminal, with history and completion
plain       lines from anywhere else
"""

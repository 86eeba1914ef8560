"""What is done about a detection besides reporting it, by configuration: run a program, call a webhook.

configuration   the file that says what is done about which detections
templates       `{x.attr}` in an argument, and what it stands for
programs        a program, with a time limit
webhooks        an HTTP POST, signed and tried again
executor        all of it beside the monitor, a few at once
"""

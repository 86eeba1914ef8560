"""Rules over a history: what they would have detected, and a report about it that can be sent to people.

histories    which files are the history, and what stands in them
workflow     THE WAY THROUGH: rules and a history in, findings out
embedded     the history in this process        on_spark   the same on Spark, with `history_frames`, `spark_progress`
tallies      detections counted                 costs      what each rule costs, measured on a sample
findings     what is known at the end: plain data, the same from both engines
sections     findings as a document             html, markdown   the document written down
report_files    ... into files
"""

"""`tocsin run --engine local`: a pipeline in this process, without Spark.

work           the rules at work on steps of events, through versions; the only file that knows the engine
checkpoint     what outlasts a crash: every step before it is taken, and the whole state once in a while
outflow        what a step found, to the pipeline's sinks
pipeline_run   the loop: receive, write the step down, acknowledge, evaluate, send
"""

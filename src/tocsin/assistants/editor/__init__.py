"""What an editor is shown of rules. Each part takes plain values and gives plain values, and knows no protocol.

rule_texts       which expressions and guards stand where in a file of rules
outlines         what a file defines and names      samples      types and attributes in a sample of events
vocabulary       what is known of types of events, from all of these
terms            operators, functions and words of the seven notations, each said in words
diagnostics      every fault at its place           hovers       what stands under the cursor, in words
completions      what can be written here           definitions  where a name is defined
standard_form    the whole file in the standard form
"""

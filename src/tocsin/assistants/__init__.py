"""Help for those who write rules: tools for assistants (`tocsin mcp`) and a language server for editors (`tocsin lsp`).

limits               what one question may cost
answering_process    the process that answers, from outside      answers   and from inside: question by question
fault_records        faults as plain values
tools                what each tool of an assistant gives: plain values in, plain values out
service_requests     rules saved at the event processing service
tool_arguments, mcp_server   the Model Context Protocol around all that
editor               what an editor is shown: diagnostics, hovers, completions, definitions, the standard form
language_server      the Language Server Protocol around that
"""

"""What the tools of an assistant give. Each takes plain values and gives plain values, and knows no protocol.

given    rules and events as they are given: as text, or as files in folders that the operator has opened
rules    check, explain, translate      runs    why, backtest      cases    test
"""

"""Pictures of events and of what was detected in them.

timeline   events and detections along one axis of time, as SVG
"""

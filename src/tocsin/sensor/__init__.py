"""Sensors: programs that report events to the event processing service (000 sections 3, 5 and 10.1; 002 section 3).

    sensor         Sensor: send, flush, close             async_sensor   the same for asyncio
    instruments    what a sensor watches by itself        settings       how a sensor is set up
      calls  observed  transactions  log_handler  moments  absence

    outlet         what waits, and who sends it           sender         batches, retries, dead letters
      buffer  disk_buffer  segments                         service  http_service  dead_letters
    service_clock  the service's time (Cristian's method) stamps         when an event was, in that time
    background     threads                                timers         what is due at a time
    forks          what a forked process begins with      counts         what became of the events

A sensor needs nothing but Python: this package imports no library, and of Tocsin only how events and times are written.
"""

from __future__ import annotations

from tocsin.sensor.async_sensor import AsyncSensor
from tocsin.sensor.buffer import BufferFull
from tocsin.sensor.dead_letters import Refusal
from tocsin.sensor.disk_buffer import BufferInUse
from tocsin.sensor.outlet import SensorClosed
from tocsin.sensor.sender import Trouble
from tocsin.sensor.sensor import Sensor

__all__ = ["AsyncSensor", "BufferFull", "BufferInUse", "Refusal", "Sensor", "SensorClosed", "Trouble"]

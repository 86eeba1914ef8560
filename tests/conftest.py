"""What all tests share: how Hypothesis runs.

No test may fail because the machine is busy, so neither deadlines nor the speed of making examples count; where
CI is set the examples are the same in every run.
"""

import gc
import os

from hypothesis import HealthCheck, settings

settings.register_profile("tocsin", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("tocsin-ci", settings.get_profile("tocsin"), derandomize=True, database=None)
settings.load_profile("tocsin-ci" if os.environ.get("CI") else "tocsin")


def pytest_collection_finish() -> None:
    """Eleven thousand tests stay until the end: collections need not go through them."""
    gc.collect()
    gc.freeze()

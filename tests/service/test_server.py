"""The service in the event loop of a test: who waits for whom."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

from tocsin.service.server import Service
from tocsin.service.settings import Settings
from tocsin.service.settings import Store as StoreSettings
from tocsin.service.store import Store


def test_nobody_waits_for_what_takes_long_to_read(tmp_path: Path) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def back_up(store: Store) -> int:
        begun.set()
        assert may_end.wait(60)
        return store.latest().position

    async def ask() -> tuple[int, int]:
        service = Service(Settings(store=StoreSettings(str(tmp_path / "tocsin.db"))))
        await service.start()
        try:
            backup = asyncio.ensure_future(service.read_apart(back_up))
            await asyncio.to_thread(begun.wait, 60)
            await service.accept(b'{"type": "a"}')
            read = await service.read(lambda store: store.latest().position)
            assert not backup.done()
            may_end.set()
            return read, await backup
        finally:
            may_end.set()
            await service.stop()

    read, backed_up = asyncio.run(asyncio.wait_for(ask(), 120))
    assert read == 1
    assert backed_up == 1

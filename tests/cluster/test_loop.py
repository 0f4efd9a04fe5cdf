"""The thread on which a connection to a cluster lives."""

import asyncio
import gc
import logging

import pytest

from desktopsched.cluster.loop import Loop
from tests.cluster.local_cluster import need_dask


def test_an_answer_that_nobody_waits_for_is_noted_and_alarms_nobody(caplog: pytest.LogCaptureFixture) -> None:
    need_dask()
    caplog.set_level(logging.INFO)
    loop = Loop()

    async def leave_an_answer() -> None:
        asyncio.get_running_loop().create_future().set_exception(OSError("the connection is lost"))

    asyncio.run_coroutine_threadsafe(leave_an_answer(), loop.loop.asyncio_loop).result(10)
    gc.collect()
    loop.close()
    noted = [record for record in caplog.records if "left behind" in record.getMessage()]
    assert [record.levelno for record in noted] == [logging.INFO]
    assert noted[0].exc_info is not None
    assert "the connection is lost" in str(noted[0].exc_info[1])

"""W7: graphs of ten thousand tasks, from their description to the end of the last run."""

import asyncio
import graphlib
import queue
import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from benchmarks.engine.product import Calling, Product
from benchmarks.engine.scheduler import WORKERS
from benchmarks.engine.starts import Figures
from desktopsched.engine.events import Event, RunFinished
from desktopsched.model import Edge, Task

Parents = Sequence[Sequence[int]]  # by number of a node: those before it, all of them smaller numbers
Call = Callable[[int], None]
Runner = Callable[[Parents, Call], None]

_SIZE = 10_000


def shape(kind: str) -> Parents:
    """A chain; a hundred layers of a hundred, each waiting for five of the layer before; one, all, one."""
    if kind == "chain":
        return [(), *((number,) for number in range(_SIZE - 1))]
    if kind == "fan":
        return [(), *((0,) for _ in range(_SIZE)), tuple(range(1, _SIZE + 1))]
    chance = random.Random(7)
    layers: list[list[tuple[int, ...]]] = [[()] * 100]
    for layer in range(1, 100):
        before = range((layer - 1) * 100, layer * 100)
        layers.append([tuple(sorted(chance.sample(before, 5))) for _ in range(100)])
    return [parents for layer in layers for parents in layer]


def run(runner: Runner, *, kind: str) -> Figures:
    """Run a graph once, after a small one; whether each node came once, and after its parents."""
    parents = shape(kind)
    runner([(), (0,), (0,), (1, 2)], lambda _: None)
    order: list[int] = []
    begun = time.perf_counter()
    runner(parents, order.append)
    taken = time.perf_counter() - begun
    place = {node: index for index, node in enumerate(order)}
    wrong = sum(place.get(one, _SIZE * 2) >= place[node] for node in place for one in parents[node])
    return {
        "per_second": len(parents) / taken,
        "missing": len(parents) - len(place) + len(order) - len(place),
        "wrong": wrong,
    }


def product(parents: Parents, call: Call) -> None:
    """Tasks that wait for each other; those without parents are run by hand."""
    done, left = threading.Event(), [len(parents)]

    class Counting(Product):
        def _record(self, event: Event) -> None:
            super()._record(event)
            if isinstance(event, RunFinished):
                left[0] -= 1
                if not left[0]:
                    done.set()

    scheduler = Counting()
    scheduler.start()
    names = [f"t{number}" for number in range(len(parents))]
    tasks = [
        Task(
            id=names[number],
            name=names[number],
            action=Calling(call=call, args=(number,)),
            waits_for=tuple([Edge(names[one]) for one in before]),
        )
        for number, before in enumerate(parents)
    ]
    scheduler.dispatcher.schedule(*tasks)
    for task in tasks:
        if not task.waits_for:
            scheduler.dispatcher.run_now(task.id)
    done.wait(120)
    scheduler.stop()


def graphlib_pool(parents: Parents, call: Call) -> None:
    """The standard library's recipe: `TopologicalSorter` and a pool; ends come back through a queue."""
    order = graphlib.TopologicalSorter(dict(enumerate(parents)))
    order.prepare()
    ended: queue.SimpleQueue[int] = queue.SimpleQueue()

    def work(node: int) -> None:
        call(node)
        ended.put(node)

    with ThreadPoolExecutor(WORKERS) as pool:
        while order.is_active():
            for node in order.get_ready():
                pool.submit(work, node)
            order.done(ended.get())


def asyncio_pool(parents: Parents, call: Call) -> None:
    """A coroutine for each node that awaits those before it and then the pool."""

    async def main() -> None:
        loop, tasks = asyncio.get_running_loop(), list[asyncio.Task[None]]()
        with ThreadPoolExecutor(WORKERS) as pool:

            async def node(number: int) -> None:
                for one in parents[number]:
                    await tasks[one]
                await loop.run_in_executor(pool, call, number)

            tasks.extend(loop.create_task(node(number)) for number in range(len(parents)))
            await asyncio.gather(*tasks)

    asyncio.run(main())


class Counters:
    """The limit: a counter for each node, and eight threads that release what comes next themselves."""

    def __init__(self, parents: Parents, call: Call) -> None:
        self._call = call
        self._left = len(parents)
        self._waiting = [len(before) for before in parents]
        self._children: list[list[int]] = [[] for _ in parents]
        for number, before in enumerate(parents):
            for one in before:
                self._children[one].append(number)
        self._ready: queue.SimpleQueue[int | None] = queue.SimpleQueue()
        self._lock = threading.Lock()

    def run(self) -> None:
        threads = [threading.Thread(target=self._work) for _ in range(WORKERS)]
        for thread in threads:
            thread.start()
        for number in [number for number, waiting in enumerate(self._waiting) if not waiting]:
            self._ready.put(number)
        for thread in threads:
            thread.join()

    def _work(self) -> None:
        while (node := self._ready.get()) is not None:
            self._call(node)
            with self._lock:
                self._left -= 1
                for child in self._children[node]:
                    self._waiting[child] -= 1
                    if not self._waiting[child]:
                        self._ready.put(child)
                if not self._left:
                    self._ready.put(None)
        self._ready.put(None)  # for the next thread


def counters(parents: Parents, call: Call) -> None:
    """See `Counters`."""
    Counters(parents, call).run()


RUNNERS: dict[str, Runner] = {
    "product": product,
    "graphlib": graphlib_pool,
    "asyncio": asyncio_pool,
    "counters": counters,
}

"""The bulletin: which banners are up, and what their buttons do. UI thread.

It knows what was said and dismissed; what is said in each case are the values of `notices`.
"""

from collections import Counter
from collections.abc import Callable
from zoneinfo import ZoneInfo

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from desktopsched import phrases
from desktopsched.ui import notices, plain
from desktopsched.ui.banner import Banners, Notice
from desktopsched.ui.deed import Deed
from desktopsched.ui.edits import Edit
from desktopsched.ui.look import Look
from desktopsched.ui.phase import Phase
from desktopsched.ui.session import Session
from desktopsched.ui.summary import Summary

REGRET = 10_000
"""Milliseconds for which the way back from a removal is offered."""


class Bulletin(QObject):
    """Shows in `banners` what the person should know or decide."""

    resume_wanted = Signal()
    """Let tasks start again."""

    missed_wanted = Signal()
    """Show the missed runs, to decide what happens to each."""

    def __init__(self, session: Session, look: Look, zone: Callable[[], ZoneInfo], window: QWidget) -> None:
        super().__init__(window)
        self._session, self._zone, self._window = session, zone, window
        self.banners = Banners(look)
        self.pause_ends: Callable[[], str] = str  # the time at which a pause ends by itself; empty: never
        self.offers: Callable[[Summary], list[Notice]] = lambda _summary: []  # what comes last, if anything
        self._phase, self._summary = Phase.OPENING, Summary()
        self.leaves_running = False
        """What runs goes on without the program."""
        self._failure = ""  # what could not be done, until it is dismissed, or done after all
        self._failed: Deed | None = None  # what kind of thing that was
        self._removed: Edit | None = None  # the way back is offered
        self._seen = Counter[str]()  # notices of the program that were dismissed
        self.regret = QTimer(self, singleShot=True, interval=REGRET)
        self.regret.timeout.connect(self._forget_removal)
        session.edits.happened.connect(self._offer_way_back)
        session.edits.changed.connect(self._look_at_removal)

    def tell(self, phase: Phase, summary: Summary) -> None:
        """This is so now."""
        self._phase, self._summary = phase, summary
        self._show()

    def tell_again(self) -> None:
        """Something else is offered now."""
        self._show()

    def fail(self, words: str, deed: Deed | None = None) -> None:
        """Something that was asked for could not be done; said until it is dismissed, or such a thing is done."""
        self._failure, self._failed = words, deed
        self._show()

    def succeed(self, deed: Deed) -> None:
        """Something was done that was asked for: a failure of that kind is news no more."""
        if self._failure and deed is self._failed:
            self._dismiss_failure()

    # --- what is said --------------------------------------------------------------------------------------

    def _show(self) -> None:
        self.banners.show_notices(self._notices())

    def _notices(self) -> list[Notice]:
        if self._phase in {Phase.CLOSING, Phase.CLOSED}:
            return [notices.closing(0 if self.leaves_running else self._summary.running)]
        found = []
        if self._removed is not None:  # first: it is there for some seconds only
            gone = sum(change.after is None for change in self._removed.changes)
            found.append(notices.removed(self._removed.words, gone, self._session.edits.undo))
        if trouble := self._session.trouble:
            found.append(notices.trouble(trouble))
        if (alive := self._session.doubted) is not None:
            when = phrases.iso(alive, self._zone()).partition("T")[0]
            found.append(notices.doubted(when, self._session.commands.trust_clock))
        found += self._of_shared_list()
        if self._failure:
            found.append(notices.failed(self._failure, self._dismiss_failure))
        if unseen := self._unseen():
            found.append(notices.problems(unseen, self.show_problems, self._dismiss_problems))
        if self._session.paused:
            found.append(notices.paused(self._summary, self.pause_ends(), self.resume_wanted.emit))
        if self._summary.missed or self._summary.interrupted:
            commands = self._session.commands
            found.append(notices.missed(self._summary, self.missed_wanted.emit, commands.decide))
        return [*found, *self.offers(self._summary)]

    def _of_shared_list(self) -> list[Notice]:
        session, found = self._session, []
        if (silent := session.out_of_reach) is not None:
            since, why = silent
            found.append(notices.out_of_reach(phrases.clock(since, since, self._zone()), why))
        if session.handed_over:
            found.append(notices.handed_over(lambda: session.commands.give_way(others=False)))
        if words := session.clock_words:
            found.append(notices.clocks_differ(words))
        if session.joins_another:
            found.append(notices.another_list())
        return found

    def _unseen(self) -> list[str]:
        if self._phase is not Phase.OPEN:
            return []
        notices = list(self._session.program.notices)
        self._seen &= Counter(notices)  # what holds no more and comes again is new
        seen = self._seen.copy()
        return [words for words in notices if not _take(seen, words)]

    # --- what is done about it -----------------------------------------------------------------------------

    def show_problems(self) -> None:
        """All that is to be said about the files, one below the other."""
        box = plain.box(
            self._window,
            QMessageBox.Icon.Warning,
            "This is to be looked at.",
            "Tasks without mistakes run. Those with one are shown, and do nothing until they are mended in the file.",
            "\n\n".join(self._unseen()),
        )
        box.unfold()
        box.open()

    def _dismiss_problems(self) -> None:
        self._seen = Counter(self._session.program.notices)
        self._show()

    def _dismiss_failure(self) -> None:
        self._failure = ""
        self._show()

    def _offer_way_back(self, edit: Edit) -> None:
        """A removal can be taken back for a while without looking for it."""
        if any(change.after is None for change in edit.changes):
            self._removed = edit
            self.regret.start()
            self._show()

    def _look_at_removal(self) -> None:
        """It was taken back, or something else came after it."""
        if self._removed is not None and self._removed.words != self._session.edits.undo_words:
            self._forget_removal()

    def _forget_removal(self) -> None:
        self._removed = None
        self.regret.stop()
        self._show()


def _take(seen: Counter[str], words: str) -> bool:
    """Whether they are among those; then once less."""
    if not seen[words]:
        return False
    seen[words] -= 1
    return True

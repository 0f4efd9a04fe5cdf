"""The section "Shared list" of the preferences: what belongs together in it, and the test of the connection. UI thread.

What speaks to servers is loaded when an address is written, not before.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, Protocol

from msgspec import structs
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QSizePolicy
from shiboken6 import isValid

from desktopsched.model import State
from desktopsched.storage.preferences import Preferences, list_id_problem
from desktopsched.ui import plain
from desktopsched.ui.button_bar import push_button
from desktopsched.ui.form import paint
from desktopsched.ui.form.field_box import FieldBox
from desktopsched.ui.form.section import Section, words
from desktopsched.ui.look import Look
from desktopsched.ui.password_box import PasswordBox

if TYPE_CHECKING:
    from desktopsched.trying import Finding

_HELP = (
    "Address and list name are the same on all computers that share it; each has a name of its own. A change counts"
    " when Desktopsched is started again."
)
_TESTING = "Asks the server. This may take ten seconds."


class Worker(Protocol):
    """Where the server is asked: not here."""

    def do(
        self,
        work: Callable[[], "Finding"],
        done: Callable[["Finding"], object],
        failed: Callable[[Exception], object],
    ) -> None:
        """See `Background`."""


class AddressBoxes(NamedTuple):
    """Where an address is written."""

    address: FieldBox
    password: PasswordBox


class SharedSection(QObject):
    """Its fields belong to the window; this is what they mean together."""

    said = Signal()
    """There is something to read below the button."""

    def __init__(
        self,
        look: Look,
        section: Section,
        boxes: AddressBoxes,
        worker: Worker | None,
        before: Preferences,
    ) -> None:
        super().__init__(section)
        self._look, self._worker, self._before = look, worker, before
        self._address, self._password = address, password = boxes
        self._asked = 0  # a test is of interest until the address is another one
        self._waiting_for = -1  # the test whose answer is to come
        address.edit.setPlaceholderText("postgresql://user@server/database")
        self.test = push_button(look, "Test connection")
        self.sign = plain.label("")
        self.result = plain.label("", look.font(12), "second")
        self.result.setWordWrap(True)
        self.result.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.result.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        help_ = words(look, _HELP, "help")
        help_.setFont(look.font(12))
        help_.setWordWrap(True)
        section.column.addWidget(help_)
        section.add(self.test, self.sign)
        section.column.addWidget(self.result)
        self.result.setContentsMargins(paint.HALO, 0, paint.HALO, 0)
        self.result.hide()
        self.test.clicked.connect(self.try_it)
        address.edited.connect(self._changed)
        address.edit.editingFinished.connect(self.take_password_out)
        password.edited.connect(self._forget)
        self._changed()

    # --- the fields together -------------------------------------------------------------------------------

    def problem(self) -> str:
        """What is wrong with the address; empty: nothing, or there is none."""
        text = self._written()
        if not text:
            return ""
        from desktopsched import joining

        return joining.address_problem(text)

    @staticmethod
    def name_problem(text: str) -> str:
        """What is wrong with the name of the list."""
        return list_id_problem(text)

    def take_password_out(self) -> None:
        """Of an address that was pasted with one: it goes into its own field, and is dots from then on."""
        text = self._written()
        if "@" not in text:
            return
        from desktopsched import joining

        parts = joining.split(text)
        if parts.password:
            self._address.set_raw(parts.address)
            self._password.edit.setText(parts.password)
            self._changed()

    def settle(self, chosen: Preferences) -> tuple[Preferences, dict[str, str]]:
        """Preferences with the address that is written, and what belongs into the keychain for them."""
        text = self._written()
        if not text:
            return structs.replace(chosen, shared_list="", shared_list_secret=""), {}
        from desktopsched import joining

        before = structs.replace(
            chosen,
            shared_list=self._before.shared_list,
            shared_list_secret=self._before.shared_list_secret,
        )
        return joining.with_password(before, text, self._password.typed())

    def _written(self) -> str:
        return self._address.edit.text().strip()

    def _changed(self) -> None:
        text = self._written()
        self.test.setEnabled(bool(text) and not self.problem() and self._worker is not None)
        kept = bool(self._before.shared_list_secret) and text == self._before.shared_list
        self._password.show_kept(kept=kept)
        self._forget()

    def _forget(self) -> None:
        """What a test said holds for what was written then."""
        self._asked += 1
        self.result.hide()
        self.sign.hide()

    # --- the test ------------------------------------------------------------------------------------------

    def try_it(self) -> None:
        """Ask the server, elsewhere; what it says comes below.

        The button stays enabled meanwhile: a disabled one would pass the focus on to another field.
        """
        if self._worker is None or self._waiting_for == self._asked or not self.test.isEnabled():
            return
        self.take_password_out()
        chosen, secrets = self.settle(self._before)
        self._forget()
        number = self._asked
        self._show(_TESTING, "")
        self._waiting_for = number
        self._worker.do(
            lambda: _try(chosen, secrets),
            lambda finding: self._say(number, finding),
            lambda error: self._fail(number, error),
        )

    def _say(self, number: int, finding: "Finding") -> None:
        if not self._hears(number):
            return
        from desktopsched.sharing.safety import Promise

        states = {
            Promise.STRICT: State.SUCCEEDED,
            Promise.BEST_EFFORT: State.READY,
            Promise.NONE: State.FAILED,
        }
        state = states[finding.promise] if finding.answers else State.FAILED
        if state is State.SUCCEEDED and not finding.clocks_agree:
            state = State.READY
        self._show("\n".join((finding.headline, *finding.sentences)), f"state-{state.value}", state)

    def _fail(self, number: int, error: Exception) -> None:
        if self._hears(number):
            self._show(str(error), "state-failed", State.FAILED)

    def _hears(self, number: int) -> bool:
        """Whether an answer is of interest: the window may be closed, and another address be written."""
        if not isValid(self):
            return False
        self._waiting_for = -1 if number == self._waiting_for else self._waiting_for
        return number == self._asked

    def _show(self, text: str, icon: str, state: State | None = None) -> None:
        self.result.setText(text)
        self.result.setVisible(bool(text))
        self.sign.setVisible(bool(icon))
        self.said.emit()
        if state is not None:
            ink = self._look.tokens.states[state].ink
            self.sign.setPixmap(paint.picture(self._look, icon, ink, 16, self.test))


def _try(chosen: Preferences, secrets: dict[str, str]) -> "Finding":
    """On the worker's thread, which may wait for the keychain, too."""
    from desktopsched import joining
    from desktopsched.trying import try_list

    return try_list(joining.whole(chosen.shared_list, joining.password_of(chosen, secrets)))

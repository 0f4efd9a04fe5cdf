"""What: the action, its folder, its time limit, its environment, and a test of it. UI thread."""

import os
from collections.abc import Callable

from PySide6.QtWidgets import QFileDialog, QPushButton, QSizePolicy, QWidget

from desktopsched.ui import plain
from desktopsched.ui.background import Background
from desktopsched.ui.form.amount import Amount
from desktopsched.ui.form.command_line import join_words, shell_signs, split_words
from desktopsched.ui.form.environment import Environment
from desktopsched.ui.form.field_box import FieldBox
from desktopsched.ui.form.fields import Field
from desktopsched.ui.form.located import Located
from desktopsched.ui.form.measures import DURATION, read_codes, say_codes
from desktopsched.ui.form.output import Output
from desktopsched.ui.form.section import Row, Section, words
from desktopsched.ui.form.segments import Segment, Segments
from desktopsched.ui.form.suggest import Suggest
from desktopsched.ui.form.switch import Switch
from desktopsched.ui.form.text_box import TextBox
from desktopsched.ui.form.trial import TrialButton
from desktopsched.ui.look import Look

COMMAND, SCRIPT, REMINDER, OPEN = "command", "script", "reminder", "open"
_KINDS = (
    Segment(COMMAND, "Command", "terminal"),
    Segment(SCRIPT, "Script", "code"),
    Segment(REMINDER, "Reminder", "bell"),
    Segment(OPEN, "Open file or URL", "external-link"),
)
_PLACES = (Segment("", "This computer"), Segment("dask", "The Dask cluster"))
_NO_CLUSTER = "It would fail: the preferences have no address of a cluster yet."
_INTERPRETERS = ("bash", "sh", "python3", "python3 -u", "node", "perl", "ruby", "pwsh")


class What:
    """The second section. Success codes and the shell stand in More, but belong to it."""

    def __init__(self, look: Look, background: Background | None = None, *, cluster: bool = False) -> None:
        """`cluster`: the preferences have the address of one."""
        self._look, self._cluster = look, cluster
        self._asks_where = cluster  # once it was to be chosen, it stays so
        self.section = Section(look, "What")
        self.located = Located(look, background, self._show_file)
        self.kind = Segments(look, "What to do", _KINDS)
        self._make_kinds(look)
        self._make_process(look)
        self._lay_out(look)
        self.fields = [*self._own_fields(), *self._process_fields()]
        self.kind.edited.connect(self.follow)
        self.shell.edited.connect(self.follow)
        self.command.edited.connect(self.follow)
        self.where.edited.connect(self.follow)
        self.section.dressed.connect(self._dress)
        self._dress()
        self.follow()

    # --- the controls --------------------------------------------------------------------------------------

    def _make_kinds(self, look: Look) -> None:
        self.command = FieldBox(look, "Command", mono=12.5)
        self.command.edit.setPlaceholderText("rsync -a photos/ /backup/")
        self.interpreter = Suggest(look, "Interpreter", _INTERPRETERS, width=150, empty="Run by")
        self.message = TextBox(look, "Message", tall=58)
        self.target = FieldBox(look, "File, folder or URL", icon="external-link")
        self.browse = self.target.add_button("folder", "Choose a file")
        self.browse.clicked.connect(self._choose_target)
        self.text = TextBox(look, "Script", tall=120, script=True)
        self.sound = Switch(look, "Sound", default=False)
        self.test = TrialButton(look)
        self.hint = QPushButton()
        self.hint.setObjectName("hint_link")
        self.hint.setFont(look.font(12))
        self.hint.setAutoDefault(False)
        self.hint.setAccessibleName("Run the command by the shell")
        self.hint.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        # Inside the field: what comes and goes while somebody types must not move what is below.
        for note in (self.located.of_command, self.hint):
            self.command.row.addWidget(note)
        self.hint.clicked.connect(lambda: self.shell.setChecked(True))

    def _make_process(self, look: Look) -> None:
        self.folder = FieldBox(look, "Folder to run in", icon="folder")
        self.folder.edit.setPlaceholderText("Home folder")
        self.folder_button = self.folder.add_button("more", "Choose a folder")
        self.folder_button.clicked.connect(self._choose_folder)
        self.timeout = Amount(look, "Stop it after", DURATION, width=92, empty="No limit")
        self.environment = Environment(look)
        self.where = Segments(look, "Runs on", _PLACES)
        self.no_cluster = words(look, _NO_CLUSTER, "help")
        self.no_cluster.setFont(look.font(12))
        self.codes = FieldBox(look, "Exit codes that mean success", width=160)
        self.codes.edit.setPlaceholderText("0")
        self.shell = Switch(look, "Run the command by the shell", default=False)
        self.output = Output(look)

    def _lay_out(self, look: Look) -> None:
        add = self.section.add
        self._kind_row = add(self.kind)
        self._row = add(self.command, self.interpreter, self.message, self.target, self.sound, self.test)
        self._row.flow.addWidget(self.located.of_script)
        self._text_row = add(self.text)
        after = words(look, "Stop it after")
        self._process_row = add(self.folder, after, self.timeout, self.environment.button)
        self._environment_row = add(self.environment)
        self._where_row = add(words(look, "Runs on"), self.where, self.no_cluster)
        self.section.column.addWidget(self.output)

    def more_rows(self, add: Callable[[str, QWidget], Row], section: Section) -> list[Field]:
        """What of it stands in More: the shell, and which exit codes mean success."""
        shell_row, codes_row = add("", self.shell), add("Success means", self.codes)
        self._more = (shell_row, codes_row)
        self.follow()
        return [
            Field(
                "action.success_codes",
                "The list of exit codes",
                self.codes,
                codes_row,
                section,
                when=self.is_process,
                decode=read_codes,
                encode=say_codes,
            )
        ]

    # --- the fields ----------------------------------------------------------------------------------------

    def _own_fields(self) -> list[Field]:
        section, row = self.section, self._row
        nothing = "Write the command to run, such as rsync -a photos/ /backup/."
        return [
            Field("action.type", "What to do", self.kind, self._kind_row, section),
            Field(
                "action.argv", "The command", self.command, row, section, required=nothing,
                when=lambda: self.value == COMMAND and not self.shell.isChecked(),
                decode=split_words, encode=join_words,
            ),
            Field(
                "action.shell", "The command", self.command, row, section, required=nothing,
                when=lambda: self.value == COMMAND and self.shell.isChecked(),
            ),
            Field(
                "action.interpreter", "The interpreter", self.interpreter, row, section,
                when=lambda: self.value == SCRIPT, required="Write what runs the script, such as bash.",
            ),
            Field(
                "action.text", "The script", self.text, self._text_row, section,
                when=lambda: self.value == SCRIPT, required="Write the script.",
            ),
            Field(
                "action.message", "The message", self.message, row, section,
                when=lambda: self.value == REMINDER, required="Write what to say.",
            ),
            Field("action.sound", "Sound", self.sound, row, section, when=lambda: self.value == REMINDER),
            Field(
                "action.target", "What to open", self.target, row, section,
                when=lambda: self.value == OPEN, required="Write a file, a folder or a URL to open.",
            ),
        ]  # fmt: skip

    def _process_fields(self) -> list[Field]:
        section, row, when = self.section, self._process_row, self.is_process
        return [
            Field("action.cwd", "The folder", self.folder, row, section, when=when),
            Field("action.timeout", "The time limit", self.timeout, row, section, when=when),
            Field("action.env", "Environment", self.environment, self._environment_row, section, when=when),
            Field("action.where", "Where it runs", self.where, self._where_row, section, when=when),
        ]

    @property
    def value(self) -> str:
        """Which kind of action."""
        return self.kind.value

    def is_process(self) -> bool:
        """Whether it starts a program, which has a folder, an environment, exit codes."""
        return self.value in {COMMAND, SCRIPT}

    # --- how it follows ------------------------------------------------------------------------------------

    def follow(self) -> None:
        """Show what belongs to the kind of action."""
        kind = self.value
        self.command.setVisible(kind == COMMAND)
        self.interpreter.setVisible(kind == SCRIPT)
        self.message.setVisible(kind == REMINDER)
        self.sound.setVisible(kind == REMINDER)
        self.target.setVisible(kind == OPEN)
        self._text_row.setVisible(kind == SCRIPT)
        self._process_row.setVisible(self.is_process())
        self._environment_row.setVisible(self.is_process())
        self._asks_where = self._asks_where or bool(self.where.value)
        self._where_row.setVisible(self.is_process() and self._asks_where)
        self.no_cluster.setVisible(bool(self.where.value) and not self._cluster)
        for row in getattr(self, "_more", ())[:1]:
            row.setVisible(kind == COMMAND)
        for row in getattr(self, "_more", ())[1:]:
            row.setVisible(self.is_process())
        self._follow_hint()

    def _follow_hint(self) -> None:
        sign = (
            "" if self.value != COMMAND or self.shell.isChecked() else shell_signs(self.command.edit.text())
        )
        self.hint.setVisible(bool(sign))
        if sign:
            self.hint.setText(plain.button_text(f"Use a shell for “{sign}”"))
            told = f"“{sign}” means something to a shell only. Press here to run the command by one."
            self.hint.setToolTip(plain.tip(told))
            self.hint.setAccessibleDescription(told)

    def _show_file(self, words: str) -> None:
        """What the command, or the interpreter, stands for."""
        for edit in (self.command.edit, self.interpreter.edit):
            edit.setToolTip(plain.tip(words))

    def _dress(self) -> None:
        self.test.dress()

    # --- choosing ------------------------------------------------------------------------------------------

    def _choose_folder(self) -> None:
        start = os.path.expanduser(self.folder.edit.text() or "~")  # noqa: PTH111 - any text, also no path
        self._take(self.folder, QFileDialog.getExistingDirectory(self.folder, "Folder to run in", start))

    def _choose_target(self) -> None:
        self._take(self.target, QFileDialog.getOpenFileName(self.target, "File to open")[0])

    @staticmethod
    def _take(box: FieldBox, path: str) -> None:
        if path:
            box.set_raw(path)
            box.edited.emit()

"""What start-up is compared with: an ordinary window without a program behind it, painted once."""

import os
import sys


def main() -> None:
    """Show menus, a tool bar, a table, two docks; say that it is painted, and end."""
    from PySide6 import QtCore, QtGui, QtWidgets

    application = QtWidgets.QApplication(sys.argv[:1])

    class Window(QtWidgets.QMainWindow):
        painted = False

        def paintEvent(self, event: QtGui.QPaintEvent) -> None:
            super().paintEvent(event)
            if not self.painted:
                self.painted = True
                QtCore.QTimer.singleShot(0, _say)

    window = Window()
    window.resize(1_200, 800)
    for words in ("File", "Edit", "View", "Run", "Help"):
        menu = window.menuBar().addMenu(words)
        for number in range(8):
            menu.addAction(f"{words} {number}")
    bar = window.addToolBar("main")
    for number in range(10):
        bar.addAction(f"A{number}")
    table = QtWidgets.QTableView()
    table.setModel(QtGui.QStandardItemModel(50, 8))
    window.setCentralWidget(table)
    for words, part, area in (
        ("log", QtWidgets.QPlainTextEdit(), QtCore.Qt.DockWidgetArea.BottomDockWidgetArea),
        ("tree", QtWidgets.QTreeView(), QtCore.Qt.DockWidgetArea.LeftDockWidgetArea),
    ):
        dock = QtWidgets.QDockWidget(words)
        dock.setWidget(part)
        window.addDockWidget(area, dock)
    window.statusBar().showMessage("ready")
    window.show()
    application.exec()


def _say() -> None:
    os.write(1, b"painted\n")
    os._exit(0)


if __name__ == "__main__":
    main()

"""Deeds: the kinds of things that a person asks for. Once one was done, no earlier one of its kind is regretted."""

from enum import Enum, auto


class Deed(Enum):
    """What was asked for, as coarse as it is of use to tell apart."""

    EDIT = auto()  # anything that changes the list
    IMPORT = auto()
    RUN = auto()
    STOP = auto()
    PAUSE = auto()  # or resume
    WHY = auto()
    GIVE_WAY = auto()
    TRUST_CLOCK = auto()
    ANSWER = auto()  # what becomes of missed runs
    READ_LOG = auto()
    SAVE_LOG = auto()
    PREFER = auto()

"""What servers' libraries say when there is no answer, and what people are told of it."""

import pytest

from desktopsched.sharing.address import Address
from desktopsched.sharing.silence import silence

ADDRESS = Address.read("postgresql://desk:s3cret@db:5433/sched")
NO_PASSWORD = "The server at db:5433 wants a password, and got none. It belongs into the preferences."
PLACE = "postgresql://desk:***@db:5433/sched"


@pytest.mark.parametrize(
    ("said", "meaning"),
    [
        ("connection refused", "No server answers at db:5433."),
        ("no reply within 4 s", "No server answers at db:5433."),
        ("no connection at present", "No server answers at db:5433."),
        ("failed to resolve host 'db'", "No computer is called db:5433."),
        ("FATAL: password authentication failed for user", "The server at db:5433 refuses the password, or the user."),
        ("(1045, \"Access denied for user 'x'@'y' (using password: YES)\")",
         "The server at db:5433 refuses the password, or the user."),
        ("(1045, \"Access denied for user 'x'@'y' (using password: NO)\")", NO_PASSWORD),
        ("connection failed: fe_sendauth: no password supplied", NO_PASSWORD),
        ("HELLO must be called with the client already authenticated", NO_PASSWORD),
        ("Authentication required.", NO_PASSWORD),
        ('connection failed: FATAL: no pg_hba.conf entry for host "10.0.0.9", user "desk"',
         "The server at db:5433 does not let this user in from this computer."),
        ("(1130, \"Host '10.0.0.9' is not allowed to connect to this MariaDB server\")",
         "The server at db:5433 does not let this user in from this computer."),
        ('connection failed: FATAL: database "sched" does not exist',
         f"The server has no such database or user as in {PLACE}."),
        ("DB index is out of range", f"The server has no such database or user as in {PLACE}."),
        ("permission denied for schema public", f"This user may not keep claims in {PLACE}."),
        ("(1044, \"Access denied for user 'x'@'%' to database 'y'\")", f"This user may not keep claims in {PLACE}."),
        ("(1142, \"INSERT command denied to user 'x'\")", f"This user may not keep claims in {PLACE}."),
        ("this user has no permissions to run the 'info' command", f"This user may not keep claims in {PLACE}."),
        ("cannot execute CREATE TABLE in a read-only transaction", f"What is at {PLACE} can only be read."),
        ("connection failed: server does not support SSL, but SSL was required",
         "The server at db:5433 and this computer do not agree on an encrypted connection."),
        ("connection failed: FATAL: sorry, too many clients already",
         "The server at db:5433 has no connection left for this computer."),
        ("command not allowed when used memory > 'maxmemory'.",
         "The server at db:5433 has no room left: its disk or its memory is full."),
        ("could not extend file: No space left on device",
         "The server at db:5433 has no room left: its disk or its memory is full."),
        ("[Errno 2] No such file or directory",
         f"A file that the address names behind its question mark is not there: {PLACE}."),
        ("connection failed: No such file or directory Is the server running locally",
         "No server answers at db:5433."),
        ("something new", f"What is at {PLACE} does not answer as a shared list should."),
    ],
)  # fmt: skip
def test_it_is_said_what_it_means_and_then_what_the_library_says(said: str, meaning: str) -> None:
    assert silence(ADDRESS, said).reason == f"{meaning} It says: {said}"


def test_nobody_reads_the_password_nor_a_place_that_is_blotted_out_because_the_password_is_part_of_it() -> (
    None
):
    address = Address.read("postgresql://sched:sched@db/sched")
    said = silence(address, 'permission denied\n  for "sched"').reason
    assert (
        said
        == 'This user may not keep claims in postgresql://sched:***@db/sched. It says: permission denied for "***"'
    )


def test_a_file_is_named_where_there_is_no_server() -> None:
    said = silence(Address.read("sqlite:////home/ann/claims.db"), "database is locked").reason
    assert said.startswith("What is at /home/ann/claims.db is busy, and did not answer in time. It says:")

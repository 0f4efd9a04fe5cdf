"""Readers and writers of what a process is started with: arguments, environment, and the exit codes that are success.

The limits are the system's, or far below them, so that a task is refused when it is written and not at night.
"""

from collections.abc import Mapping

from desktopsched.model.action import Secret
from desktopsched.model.errors import InvalidTaskError
from desktopsched.model.fields import listed, mapped, string, text, whole
from desktopsched.model.problem import Problem, ProblemsError, collect, key_place, shown
from desktopsched.model.shape import Field, Shape

ARGV_BYTES = 131_072
ENV_BYTES = 65_536  # far below what the system takes for arguments and environment together
EXIT_CODE_MOST = 4_294_967_295  # Windows has exit codes of 32 bits; elsewhere they end at 255

SECRET = Shape(Secret, (Field("secret", text(200, least=1), required="the name that the keychain has"),))


def read_argv(raw: object) -> tuple[str, ...]:
    """A program and its arguments."""
    argv: tuple[str, ...] = listed(string)(raw)
    if not argv or not argv[0].strip():
        raise InvalidTaskError("must begin with a program, such as ['rsync', '-a', 'from/', 'to/'].")
    if (size := sum(len(argument.encode()) + 1 for argument in argv)) > ARGV_BYTES:
        raise InvalidTaskError(
            f"is {size:,} bytes long. The system takes at most {ARGV_BYTES:,}: use a file."
        )
    return argv


def read_env(raw: object) -> dict[str, str | Secret]:
    """Names and values: texts, or `{"secret": NAME}` for a value that the system keychain keeps."""
    problems: list[Problem] = []
    env = {}
    for name, value in mapped(raw).items():
        place = key_place(name)
        collect(read_env_name, name, place, problems)
        env[name] = collect(read_env_value, value, place, problems)
    if problems:
        raise ProblemsError(problems)
    if (size := sum(map(_env_size, env.items()))) > ENV_BYTES:
        raise InvalidTaskError(f"is {size:,} bytes long. At most {ENV_BYTES:,} are taken: use a file.")
    return env


def read_env_name(raw: object) -> str:
    """A name of the environment."""
    name = string(raw)
    if not name or "=" in name or not name.isprintable():
        raise InvalidTaskError(
            "is not a name for the environment: it must not be empty or have '=' or line ends."
        )
    return name


def read_env_value(raw: object) -> str | Secret:
    """A text, or the name of a secret."""
    if isinstance(raw, dict):
        secret: Secret = SECRET.read(raw)
        return secret
    if not isinstance(raw, str):
        raise InvalidTaskError(f'must be text in quotes or an object {{"secret": "NAME"}}, not {shown(raw)}.')
    return string(raw)


def write_env(env: Mapping[str, str | Secret]) -> dict[str, object]:
    """As the file has it: a secret by its name alone."""
    return {name: SECRET.write(value) if isinstance(value, Secret) else value for name, value in env.items()}


def _env_size(item: tuple[str, str | Secret]) -> int:
    name, value = item
    return len(name.encode()) + len((value.secret if isinstance(value, Secret) else value).encode()) + 2


def read_success_codes(raw: object) -> tuple[int, ...]:
    """The exit codes that count as success."""
    codes: tuple[int, ...] = listed(whole(0, EXIT_CODE_MOST))(raw)
    if not codes:
        raise InvalidTaskError("must not be empty: no run could succeed. Leave it out for [0].")
    if len(codes) > 256:
        raise InvalidTaskError("has more than 256 codes. Write fewer.")
    return codes

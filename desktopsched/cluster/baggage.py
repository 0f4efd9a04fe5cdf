"""The baggage: what of this program a worker is sent, so that it needs nothing but Dask. Sources, for any system."""

import functools
import hashlib
import io
import zipfile
from importlib.resources import files

# Leaving out `model/__init__.py`, which loads everything: there the errors stand alone.
_FILES = (
    "__init__.py",
    "model/errors.py",
    *[
        f"supervisor/{name}.py"
        for name in (
            "__init__", "attempt", "ending", "family", "frames", "ladder", "link", "live", "masking", "output", "pump",
            "result", "signalling", "system",
        )
    ],
    *[
        f"actions/{name}.py"
        for name in ("__init__", "argv", "failure", "launch", "marker", "member", "tree", "watch", "watch_threads")
    ],
    *[f"cluster/{name}.py" for name in ("__init__", "errand", "job", "post")],
)  # fmt: skip

PACKAGE = "desktopsched"


@functools.cache
def baggage() -> tuple[str, bytes]:
    """Its name, which changes with what is in it, and a zip of it."""
    packed = io.BytesIO()
    ours = files(PACKAGE)
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in _FILES:
            info = zipfile.ZipInfo(f"{PACKAGE}/{name}")  # the same bytes each time: no dates
            archive.writestr(info, ours.joinpath(name).read_bytes(), zipfile.ZIP_DEFLATED)
    data = packed.getvalue()
    return f"{PACKAGE}-{hashlib.sha256(data).hexdigest()[:16]}", data

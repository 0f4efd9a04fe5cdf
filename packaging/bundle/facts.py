"""What a bundle says of itself to the system that it is made for. Used by `desktopsched.spec` alone."""

import tomllib
from pathlib import Path

APP_ID = "org.desktopsched.desktopsched"
"""The program among all programs: the identifier of the macOS bundle; AppStream and Flatpak have it too."""

ENDING = "desktopsched"
"""Of task lists, on systems that know the last ending of a name alone; elsewhere it may be .desktopsched.json."""

_RESOURCE = """\
VSVersionInfo(
  ffi=FixedFileInfo(filevers={numbers}, prodvers={numbers}, mask=0x3F, flags=0x0, OS=0x40004, fileType=0x1,
                    subtype=0x0, date=(0, 0)),
  kids=[
    StringFileInfo([StringTable('040904B0', [
      StringStruct('CompanyName', 'The Desktopsched authors'),
      StringStruct('FileDescription', 'Desktopsched'),
      StringStruct('FileVersion', '{version}'),
      StringStruct('InternalName', 'desktopsched'),
      StringStruct('LegalCopyright', 'MIT licence'),
      StringStruct('OriginalFilename', 'desktopsched.exe'),
      StringStruct('ProductName', 'Desktopsched'),
      StringStruct('ProductVersion', '{version}')])]),
    VarFileInfo([VarStruct('Translation', [1033, 1200])])
  ]
)
"""


def version(root: Path) -> str:
    """The one in pyproject.toml."""
    with (root / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def version_resource(root: Path, folder: Path) -> str:
    """Write what Windows shows under Properties, Details; where it is."""
    said = version(root)
    numbers = tuple([*map(int, said.split(".")), 0, 0, 0, 0][:4])
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "version-resource.txt"
    file.write_text(_RESOURCE.format(numbers=numbers, version=said), encoding="utf-8")
    return str(file)


def info_plist(said: str) -> dict[str, object]:
    """What macOS must know: that it is drawn in full resolution, and which files it opens."""
    kind = f"{APP_ID}.tasks"
    return {
        "CFBundleDisplayName": "Desktopsched",
        "CFBundleShortVersionString": said,
        "CFBundleVersion": said,
        "LSApplicationCategoryType": "public.app-category.utilities",
        "LSMinimumSystemVersion": "12.0",
        "NSHighResolutionCapable": True,
        "NSSupportsAutomaticTermination": False,  # tasks are due while no window is open
        "NSSupportsSuddenTermination": False,
        "CFBundleDocumentTypes": [
            _document("Desktopsched task list", "Owner", kind),
            # *.desktopsched.json is JSON to this system; for that, others come first.
            _document("JSON file", "Alternate", "public.json"),
        ],
        "UTExportedTypeDeclarations": [
            {
                "UTTypeIdentifier": kind,
                "UTTypeDescription": "Desktopsched task list",
                "UTTypeConformsTo": ["public.json"],
                "UTTypeTagSpecification": {"public.filename-extension": [ENDING]},
            }
        ],
    }


def _document(name: str, rank: str, kind: str) -> dict[str, object]:
    return {
        "CFBundleTypeName": name,
        "CFBundleTypeRole": "Viewer",
        "LSHandlerRank": rank,
        "LSItemContentTypes": [kind],
    }

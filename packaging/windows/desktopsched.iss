; The installer for Windows, by Inno Setup 6: `packaging\windows\build.ps1` makes the bundle and then this.
; Nobody needs to be an administrator: it installs for the person who runs it, and asks who wants it for all.

#ifndef Version
  #error Say which version: iscc /DVersion=0.1.0 packaging\windows\desktopsched.iss
#endif

[Setup]
AppId={{C380D164-BE18-42BD-837E-1AE35D5465B7}
AppName=Desktopsched
AppVersion={#Version}
AppPublisher=The Desktopsched authors
AppVerName=Desktopsched {#Version}
VersionInfoVersion={#Version}
DefaultDirName={autopf}\Desktopsched
DisableProgramGroupPage=yes
PrivilegesRequired=lowest
PrivilegesRequiredOverridesAllowed=dialog
ArchitecturesAllowed=x64compatible
ArchitecturesInstallIn64BitMode=x64compatible
MinVersion=10.0.17763
SourceDir=..\..
OutputDir=dist
OutputBaseFilename=desktopsched-{#Version}-setup
LicenseFile=LICENSE
SetupIconFile=build\icons\desktopsched.ico
UninstallDisplayIcon={app}\desktopsched-window.exe
Compression=lzma2
SolidCompression=yes
WizardStyle=modern
ChangesAssociations=yes
; A program that runs is asked to end, and is not killed: its runs end, or are recorded as interrupted.
CloseApplications=yes
RestartApplications=no

[InstallDelete]
; What an older version had and this one has not must not be found by it.
Type: filesandordirs; Name: "{app}\_internal"

[Files]
Source: "dist\desktopsched\*"; DestDir: "{app}"; Flags: recursesubdirs ignoreversion

[Icons]
Name: "{autoprograms}\Desktopsched"; Filename: "{app}\desktopsched-window.exe"; AppUserModelID: "org.desktopsched.desktopsched"

[Registry]
; Windows knows the last ending of a name alone: *.desktopsched is ours, and *.desktopsched.json is offered under
; "Open with", since .json belongs to others.
Root: HKA; Subkey: "Software\Classes\.desktopsched"; ValueType: string; ValueData: "Desktopsched.Tasks"; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\.json\OpenWithProgids"; ValueType: string; ValueName: "Desktopsched.Tasks"; ValueData: ""; Flags: uninsdeletevalue
Root: HKA; Subkey: "Software\Classes\Desktopsched.Tasks"; ValueType: string; ValueData: "Desktopsched task list"; Flags: uninsdeletekey
Root: HKA; Subkey: "Software\Classes\Desktopsched.Tasks\DefaultIcon"; ValueType: string; ValueData: "{app}\desktopsched-window.exe,0"
Root: HKA; Subkey: "Software\Classes\Desktopsched.Tasks\shell\open\command"; ValueType: string; ValueData: """{app}\desktopsched-window.exe"" ""%1"""
; Written by the program where the person wants it; without the program it means nothing.
Root: HKCU; Subkey: "Software\Microsoft\Windows\CurrentVersion\Run"; ValueType: none; ValueName: "desktopsched"; Flags: dontcreatekey uninsdeletevalue

[Run]
Filename: "{app}\desktopsched-window.exe"; Description: "Open Desktopsched"; Flags: nowait postinstall skipifsilent

# Makes dist\desktopsched-VERSION-setup.exe: in PowerShell, in the folder of the project, with Python and Inno Setup 6.
$ErrorActionPreference = 'Stop'
Set-Location (Join-Path $PSScriptRoot '..\..')

function Invoke-Step { & $args[0] $args[1..($args.Length - 1)]; if ($LASTEXITCODE) { throw "$args ended with $LASTEXITCODE" } }

if (-not (Test-Path .venv-bundle)) { Invoke-Step py -3 -m venv .venv-bundle }
$python = '.venv-bundle\Scripts\python.exe'
Invoke-Step $python -m pip install --quiet --requirement packaging\bundle\requirements.txt '.[postgres,mysql,sqlite,redis,zookeeper]'
Invoke-Step $python packaging\pictures.py build\icons
Invoke-Step $python -m PyInstaller --noconfirm --log-level WARN --distpath dist --workpath build packaging\bundle\desktopsched.spec

$version = & $python -c 'from desktopsched import __version__; print(__version__)'
$iscc = (Get-Command iscc -ErrorAction SilentlyContinue).Source
if (-not $iscc) { $iscc = Join-Path ${env:ProgramFiles(x86)} 'Inno Setup 6\ISCC.exe' }
Invoke-Step $iscc "/DVersion=$version" packaging\windows\desktopsched.iss

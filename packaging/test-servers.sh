#!/bin/sh
# test-servers.sh: the servers that the tests of shared lists start for themselves, on Debian and its relatives: as root
# it installs what is missing, else it names the command (exit 3). No service of the system is started: the tests run
# each server as a child of their own, in a folder of its own, on the loopback. Without a server its tests are skipped,
# unless DESKTOPSCHED_SERVERS=required.
set -eu

has() {
    PATH=$PATH:/usr/sbin command -v "$1" >/dev/null
}

wanted=''
has initdb || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || wanted="$wanted postgresql"
has redis-server || wanted="$wanted redis-server"
has mariadbd || has mysqld || wanted="$wanted mariadb-server-core mariadb-client-core"
has java || wanted="$wanted default-jre-headless"
[ -e /usr/share/java/zookeeper.jar ] || wanted="$wanted libzookeeper-java" # the package zookeeper would bring a desktop's Java
[ -n "$wanted" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "Missing, by their names in Debian:$wanted. Install what your distribution has for them." >&2
    exit 3
fi
if [ "$(id -u)" != 0 ]; then
    echo 'Install them, and try again:' >&2
    echo "  sudo apt-get install --no-install-recommends$wanted" >&2
    exit 3
fi
echo "Installing servers for the tests:$wanted"
# Debian starts what it installs, unless this file says no; one that is there stays as it is.
policy=/usr/sbin/policy-rc.d
if [ ! -e $policy ]; then
    trap 'rm -f $policy' EXIT
    printf '#!/bin/sh\nexit 101\n' >$policy
    chmod 755 $policy
fi
apt-get update -qq
# shellcheck disable=SC2086  # a list of names is meant to be split
DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=120 $wanted >/dev/null

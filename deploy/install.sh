#!/bin/sh
# Installs this tree on a Debian: program, settings, units. As root:
#     deploy/install.sh                 into /opt/fieldapi, /etc/fieldapi, /var/lib/fieldapi, and
#                                       the operator's command, /usr/local/bin/fieldapi
#     deploy/install.sh --root DIR      the same below DIR, for a look at it: no user, no systemctl
# Safe to run again: it brings the program along and leaves settings and data as they are.
set -eu
usage() { sed -n "2,/^set/s/^# \{0,1\}//p" "$0"; }

root=
case "$#:${1:-}" in
    0:) ;;
    *:--help | *:-h)
        usage
        exit 0
        ;;
    2:--root) root=$(mkdir -p "$2" && cd "$2" && pwd) ;;
    *)
        usage >&2
        exit 2
        ;;
esac
here=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-python3}

step() { printf '\n== %s\n' "$*"; }

step "Python 3.11 or newer"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'
"$python" --version

step "user and folders"
if [ -z "$root" ]; then
    id fieldapi >/dev/null 2>&1 || useradd --system --home-dir /var/lib/fieldapi fieldapi
    install -d -m 0700 -o fieldapi -g fieldapi /var/lib/fieldapi /var/lib/fieldapi/logs
else
    echo "not run: useradd (below $root only)"
    install -d -m 0700 "$root/var/lib/fieldapi" "$root/var/lib/fieldapi/logs"
fi
install -d -m 0755 "$root/opt" "$root/etc/fieldapi" "$root/etc/systemd/system" "$root/usr/local/bin"

step "packages, each checked by its hash"
"$python" -m venv "$root/opt/fieldapi"
# Twice quiet: its errors only, not what it thinks of this machine's settings.
pip() { "$root/opt/fieldapi/bin/pip" --quiet --quiet --disable-pip-version-check "$@"; }
pip install --require-hashes --requirement "$here/requirements.lock"

step "the program"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
pip wheel --no-deps --wheel-dir "$build" "$here"
pip install --no-deps --force-reinstall "$build"/*.whl
"$root/opt/fieldapi/bin/fieldapi" --version

step "settings"
settings="$root/etc/fieldapi/fieldapi.env"
if [ ! -e "$settings" ]; then
    umask 077
    cat >"$settings" <<SETTINGS
# What the units and the command fieldapi read: NAME=value, no quotes. docs/operations.md, Settings.
FIELDAPI_DATA=$root/var/lib/fieldapi
FIELDAPI_PUBLIC_URL=http://127.0.0.1:8000
FIELDAPI_TRUSTED_PROXIES=0
FIELDAPI_LOG_FOLDER=$root/var/lib/fieldapi/logs
#FIELDAPI_DATABASE_URL=postgresql://fieldapi_app:…@127.0.0.1/fieldapi
#FIELDAPI_STORAGE_URL=s3://photos?endpoint=https://s3.example.gov.in
#AWS_ACCESS_KEY_ID=…
#AWS_SECRET_ACCESS_KEY=…
SETTINGS
    umask 022
fi
echo "$settings"

step "the operator's command"
sed "s,^root=.*,root=$root," "$here/deploy/fieldapi.sh" >"$build/fieldapi.sh"
install -m 0755 "$build/fieldapi.sh" "$root/usr/local/bin/fieldapi"
echo "$root/usr/local/bin/fieldapi"

step "units"
install -m 0644 "$here"/deploy/systemd/*.service "$root/etc/systemd/system/"
if [ -z "$root" ]; then
    systemctl daemon-reload
    echo "set $settings, then: systemctl enable --now fieldapi.service fieldapi-worker.service"
elif command -v systemd-analyze >/dev/null; then
    for unit in fieldapi fieldapi-worker; do
        sed "s,=/opt,=$root/opt,; s,=/etc,=$root/etc," "$here/deploy/systemd/$unit.service" \
            >"$build/$unit.service"
    done
    systemd-analyze verify --man=no "$build"/fieldapi.service "$build"/fieldapi-worker.service
    echo "not run: systemctl"
else
    echo "not run: systemd-analyze verify, systemctl"
fi

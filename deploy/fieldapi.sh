#!/bin/sh
# The operator's command: the installed program with the settings that the units read, as their user.
# What stands in the environment already goes first: FIELDAPI_OWNER_DATABASE_URL=… fieldapi migrate
set -eu
root=
while IFS= read -r line; do
    case $line in
        '' | '#'*) ;;
        *=*) printenv "${line%%=*}" >/dev/null || export "${line?}" ;;
    esac
done <"$root/etc/fieldapi/fieldapi.env"
if [ -z "$root" ] && [ "$(id -u)" = 0 ]; then
    exec runuser --user fieldapi -- /opt/fieldapi/bin/fieldapi "$@"
fi
exec "$root/opt/fieldapi/bin/fieldapi" "$@"

#!/bin/sh
# Run once by the PostgreSQL image on an empty data folder: two roles, one database.
# The owner makes and changes tables; the app's role gets its rights from `fieldapi migrate` and can
# never rewrite the ledger or the ops.
set -eu
psql --set=ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname postgres \
    --set=owner_password="$FIELDAPI_OWNER_PASSWORD" --set=app_password="$FIELDAPI_APP_PASSWORD" <<'SQL'
CREATE ROLE fieldapi_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE fieldapi_app LOGIN PASSWORD :'app_password';
CREATE DATABASE fieldapi OWNER fieldapi_owner;
REVOKE ALL ON DATABASE fieldapi FROM PUBLIC;
GRANT CONNECT ON DATABASE fieldapi TO fieldapi_app;
SQL

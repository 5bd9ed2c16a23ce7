#!/bin/sh
# Run once, by the empty server. The owner migrates and owns every table; the services act as the two roles that
# row-level security goes by, and can do nothing else. Neither is a superuser or passes by row-level security.
set -eu
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname "${POSTGRES_DB:-postgres}" \
  --set=owner_password="$POSTGRES_OWNER_PASSWORD" --set=service_password="$POSTGRES_SERVICE_PASSWORD" <<'SQL'
create role postmaster_app nologin;
create role postmaster_system nologin;
create role postmaster_owner login password :'owner_password';
create role postmaster_service login password :'service_password';
grant postmaster_app, postmaster_system to postmaster_owner, postmaster_service;
create database postmaster owner postmaster_owner;
revoke all on database postmaster from public;
grant connect on database postmaster to postmaster_service;
SQL

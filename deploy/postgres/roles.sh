#!/bin/sh
# Run by the image of PostgreSQL when its volume is made: the extension, and two roles that are no
# superusers. One owns the tables; the other serves, and sees the rows of one tenant at a time.
set -eu
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
    --set owner_password="$HINDSIGHT_OWNER_PASSWORD" --set password="$HINDSIGHT_PASSWORD" <<'SQL'
CREATE EXTENSION IF NOT EXISTS vector;
CREATE ROLE hindsight_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE hindsight LOGIN PASSWORD :'password';
GRANT CREATE ON SCHEMA public TO hindsight_owner;
SQL

-- One row: whether the project is kept here, how far the log goes, and who leads. Whoever writes locks it first.
CREATE TABLE head (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  state text NOT NULL DEFAULT 'empty' CHECK (state IN ('empty', 'in-use', 'retired')),
  seq bigint NOT NULL DEFAULT 0,
  last_id text,
  epoch bigint NOT NULL DEFAULT 0,
  leader text,
  lease_until timestamptz
) WITH (fillfactor = 10);
INSERT INTO head DEFAULT VALUES;

-- `line`: the very bytes of a log in a file, without the line feed. The other columns repeat what is in it.
CREATE TABLE events (
  seq bigint PRIMARY KEY,
  at timestamptz NOT NULL,
  line text NOT NULL,
  request_id text,
  request_input text
);
CREATE UNIQUE INDEX events_request ON events (request_id) WHERE request_id IS NOT NULL;

-- What another tool wrote down before, in its order.
CREATE TABLE foreign_lines (
  position bigint PRIMARY KEY,
  line text NOT NULL
);

-- The graph after an entry, packed: a reader begins at the latest.
CREATE TABLE snapshots (
  seq bigint PRIMARY KEY,
  packed bytea NOT NULL
);

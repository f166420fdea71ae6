CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  team_id TEXT NOT NULL REFERENCES teams (id),
  kind TEXT NOT NULL,
  payload_json TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;

CREATE INDEX events_of_a_team ON events (team_id, seq);

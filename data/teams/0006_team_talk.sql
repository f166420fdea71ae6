CREATE TABLE strata (
  team_id TEXT NOT NULL REFERENCES teams (id),
  version INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('planning', 'minted', 'skipped', 'failed')),
  plan_json TEXT,
  sha256 TEXT,
  claim_fence INTEGER,
  tries INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (team_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE mail (
  message_id TEXT PRIMARY KEY REFERENCES messages (id),
  team_id TEXT NOT NULL REFERENCES teams (id),
  position TEXT CHECK (position IN ('leader', 'member', 'observer')),
  task_id TEXT,
  origin TEXT NOT NULL,
  depth INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX messages_of_a_thread ON messages (thread_id) WHERE thread_id IS NOT NULL;

CREATE TABLE recipients (
  message_id TEXT NOT NULL REFERENCES messages (id),
  member TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('to', 'cc')),
  read_at INTEGER,
  PRIMARY KEY (message_id, member)
) STRICT, WITHOUT ROWID;

CREATE INDEX recipients_by_member ON recipients (member, message_id);

CREATE TABLE wake_ups (
  task_id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  member TEXT NOT NULL,
  origin TEXT NOT NULL,
  depth INTEGER NOT NULL,
  cause TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX wake_ups_of_an_origin ON wake_ups (origin);
CREATE INDEX wake_ups_by_a_task ON wake_ups (cause) WHERE cause IS NOT NULL;
CREATE INDEX wake_ups_of_a_member ON wake_ups (team_id, member);

CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  topic TEXT NOT NULL,
  trigger TEXT NOT NULL CHECK (trigger IN ('explicit', 'auto')),
  max_rounds INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('active', 'concluded', 'deadlocked', 'cancelled')),
  outcome_json TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX sessions_of_a_team ON sessions (team_id, created_at);

CREATE TABLE participants (
  session_id TEXT NOT NULL REFERENCES sessions (id),
  place INTEGER NOT NULL,
  member TEXT NOT NULL,
  PRIMARY KEY (session_id, place)
) STRICT, WITHOUT ROWID;

CREATE TABLE turns (
  session_id TEXT NOT NULL REFERENCES sessions (id),
  n INTEGER NOT NULL,
  member TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (session_id, n)
) STRICT, WITHOUT ROWID;

CREATE TABLE teams_in_use (
  person TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id)
) STRICT, WITHOUT ROWID;

CREATE TABLE artifacts (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  task_id TEXT,
  attempt INTEGER,
  name TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  sha256 TEXT NOT NULL,
  content BLOB NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('staged', 'current', 'orphan')),
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX artifacts_of_a_team ON artifacts (team_id, created_at);
CREATE INDEX artifacts_of_a_task ON artifacts (task_id, attempt) WHERE task_id IS NOT NULL;

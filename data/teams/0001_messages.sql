CREATE TABLE conversations (
  id TEXT PRIMARY KEY,
  team_id TEXT,
  parent_id TEXT REFERENCES conversations (id),
  initiator TEXT NOT NULL,
  recipient TEXT NOT NULL,
  task_id TEXT,
  state TEXT NOT NULL CHECK (state IN ('pending', 'active', 'paused', 'closed', 'withdrawn')),
  round INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE messages (
  id TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  seq INTEGER NOT NULL,
  sender TEXT NOT NULL,
  sender_name TEXT NOT NULL,
  speaks_for TEXT NOT NULL,
  type TEXT NOT NULL,
  priority TEXT NOT NULL,
  subject TEXT,
  body TEXT NOT NULL,
  reply_to TEXT,
  thread_id TEXT,
  expires_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (conversation_id, seq)
) STRICT;

CREATE TABLE cursors (
  recipient TEXT NOT NULL,
  conversation_id TEXT NOT NULL REFERENCES conversations (id),
  last_seq INTEGER NOT NULL,
  PRIMARY KEY (recipient, conversation_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX cursors_of_a_conversation ON cursors (conversation_id);

CREATE TABLE outbox (
  id TEXT PRIMARY KEY,
  op TEXT NOT NULL,
  args_json TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('todo', 'done', 'refused')),
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX outbox_todo ON outbox (created_at) WHERE state = 'todo';

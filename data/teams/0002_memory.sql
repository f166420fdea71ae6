CREATE TABLE memories (
  number INTEGER PRIMARY KEY,
  source TEXT UNIQUE,
  agent TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('core_context', 'learning', 'pattern', 'update')),
  importance TEXT NOT NULL CHECK (importance IN ('high', 'medium', 'low')),
  content TEXT NOT NULL,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX memories_of_an_agent ON memories (agent, type);

CREATE TABLE inbox_entries (
  number INTEGER PRIMARY KEY,
  agent TEXT NOT NULL,
  slug TEXT NOT NULL,
  stored_slug TEXT NOT NULL UNIQUE,
  type TEXT NOT NULL CHECK (type IN ('architectural', 'scope', 'process', 'pattern', 'learning', 'update')),
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  rationale TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'merged', 'rejected')),
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  settled_by TEXT,
  settled_at INTEGER,
  reason TEXT,
  UNIQUE (agent, slug)
) STRICT;

CREATE INDEX inbox_entries_pending ON inbox_entries (number) WHERE status = 'pending';

CREATE TABLE decisions (
  number INTEGER PRIMARY KEY,
  source TEXT UNIQUE,
  type TEXT NOT NULL CHECK (type IN ('architectural', 'scope', 'process')),
  title TEXT NOT NULL,
  content TEXT NOT NULL,
  rationale TEXT NOT NULL,
  agent TEXT,
  status TEXT NOT NULL CHECK (status IN ('active', 'superseded', 'archived')),
  superseded_by INTEGER REFERENCES decisions (number),
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;

CREATE INDEX decisions_active ON decisions (number) WHERE status = 'active';

CREATE TABLE work_sessions (
  number INTEGER PRIMARY KEY,
  source TEXT UNIQUE,
  focus TEXT NOT NULL,
  context TEXT NOT NULL,
  started_by TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;

CREATE UNIQUE INDEX work_sessions_open ON work_sessions ((1)) WHERE ended_at IS NULL;

CREATE TABLE ledger_files (
  place TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  PRIMARY KEY (place, sha256)
) STRICT, WITHOUT ROWID;

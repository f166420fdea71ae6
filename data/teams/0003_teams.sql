CREATE TABLE teams (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  name_auto INTEGER NOT NULL DEFAULT 0 CHECK (name_auto IN (0, 1)),
  description TEXT NOT NULL DEFAULT '',
  status TEXT NOT NULL CHECK (status IN ('active', 'disbanded', 'archived')),
  mesh INTEGER NOT NULL DEFAULT 0 CHECK (mesh IN (0, 1)),
  cast_slug TEXT UNIQUE,
  created_at INTEGER NOT NULL,
  ended_at INTEGER
) STRICT;

CREATE UNIQUE INDEX teams_by_name ON teams (lower(name)) WHERE status = 'active';

CREATE TABLE members (
  id TEXT PRIMARY KEY,
  team_id TEXT NOT NULL REFERENCES teams (id),
  name TEXT NOT NULL,
  slug TEXT NOT NULL,
  position TEXT NOT NULL CHECK (position IN ('leader', 'member', 'observer')),
  status TEXT NOT NULL CHECK (status IN ('active', 'paused', 'removed')),
  agent TEXT,
  person TEXT,
  joined_at INTEGER NOT NULL,
  left_at INTEGER
) STRICT;

CREATE UNIQUE INDEX members_by_slug ON members (team_id, slug) WHERE status <> 'removed';
CREATE UNIQUE INDEX members_leader ON members (team_id) WHERE position = 'leader' AND status = 'active';

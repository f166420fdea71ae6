-- The tables of teams and mail, as data/teams leaves them in a file. Text is ordered by its bytes, as there. `rowid` is the order in which
-- rows came, which a table in a file has of its own accord.
CREATE DOMAIN plain AS text COLLATE "C";

CREATE TABLE conversations (
  rowid bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  id plain PRIMARY KEY,
  team_id plain,
  parent_id plain REFERENCES conversations (id),
  initiator plain NOT NULL,
  recipient plain NOT NULL,
  task_id plain,
  state plain NOT NULL CHECK (state IN ('pending', 'active', 'paused', 'closed', 'withdrawn')),
  round bigint NOT NULL DEFAULT 0,
  created_at bigint NOT NULL,
  kind plain NOT NULL DEFAULT 'talk' CHECK (kind IN ('talk', 'work', 'question', 'note')),
  opened_by plain,
  depth bigint NOT NULL DEFAULT 0,
  turn bigint NOT NULL DEFAULT 0
);
CREATE INDEX conversations_of_a_task ON conversations (task_id) WHERE task_id IS NOT NULL;
CREATE INDEX conversations_from_a_task ON conversations (opened_by, round) WHERE opened_by IS NOT NULL;
CREATE INDEX conversations_open ON conversations (state) WHERE kind <> 'talk' AND state IN ('pending', 'active', 'paused');

CREATE TABLE messages (
  rowid bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  id plain PRIMARY KEY,
  conversation_id plain NOT NULL REFERENCES conversations (id),
  seq bigint NOT NULL,
  sender plain NOT NULL,
  sender_name plain NOT NULL,
  speaks_for plain NOT NULL,
  type plain NOT NULL,
  priority plain NOT NULL,
  subject plain,
  body plain NOT NULL,
  reply_to plain,
  thread_id plain,
  expires_at bigint,
  created_at bigint NOT NULL,
  UNIQUE (conversation_id, seq)
);
CREATE INDEX messages_of_a_thread ON messages (thread_id) WHERE thread_id IS NOT NULL;

CREATE TABLE cursors (
  recipient plain NOT NULL,
  conversation_id plain NOT NULL REFERENCES conversations (id),
  last_seq bigint NOT NULL,
  PRIMARY KEY (recipient, conversation_id)
);
CREATE INDEX cursors_of_a_conversation ON cursors (conversation_id);

CREATE TABLE recipients (
  message_id plain NOT NULL REFERENCES messages (id),
  member plain NOT NULL,
  role plain NOT NULL CHECK (role IN ('to', 'cc')),
  read_at bigint,
  task_id plain,
  shown_to bigint,
  PRIMARY KEY (message_id, member)
);
CREATE INDEX recipients_by_member ON recipients (member, message_id);
CREATE INDEX recipients_unread ON recipients (member) WHERE read_at IS NULL;
CREATE INDEX recipients_unread_of_a_task ON recipients (task_id) WHERE read_at IS NULL AND task_id IS NOT NULL;

CREATE TABLE outbox (
  rowid bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  id plain PRIMARY KEY,
  op plain NOT NULL,
  args_json plain NOT NULL,
  state plain NOT NULL CHECK (state IN ('todo', 'done', 'refused')),
  created_at bigint NOT NULL
);
CREATE INDEX outbox_todo ON outbox (rowid) WHERE state = 'todo';

CREATE TABLE requests (
  id plain PRIMARY KEY,
  input plain NOT NULL,
  result_json plain,
  at bigint NOT NULL
);
CREATE INDEX requests_by_age ON requests (at);

CREATE TABLE teams (
  id plain PRIMARY KEY,
  name plain NOT NULL,
  name_auto bigint NOT NULL DEFAULT 0 CHECK (name_auto IN (0, 1)),
  description plain NOT NULL DEFAULT '',
  status plain NOT NULL CHECK (status IN ('active', 'disbanded', 'archived')),
  mesh bigint NOT NULL DEFAULT 0 CHECK (mesh IN (0, 1)),
  cast_slug plain UNIQUE,
  created_at bigint NOT NULL,
  ended_at bigint
);
CREATE UNIQUE INDEX teams_by_name ON teams (lower(name)) WHERE status = 'active';

CREATE TABLE members (
  id plain PRIMARY KEY,
  team_id plain NOT NULL REFERENCES teams (id),
  name plain NOT NULL,
  slug plain NOT NULL,
  position plain NOT NULL CHECK (position IN ('leader', 'member', 'observer')),
  status plain NOT NULL CHECK (status IN ('active', 'paused', 'removed')),
  agent plain,
  person plain,
  joined_at bigint NOT NULL,
  left_at bigint
);
CREATE UNIQUE INDEX members_by_slug ON members (team_id, slug) WHERE status <> 'removed';
CREATE UNIQUE INDEX members_leader ON members (team_id) WHERE position = 'leader' AND status = 'active';

CREATE TABLE team_events (
  seq bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  team_id plain NOT NULL REFERENCES teams (id),
  kind plain NOT NULL,
  payload_json plain NOT NULL,
  at bigint NOT NULL
);
CREATE INDEX events_of_a_team ON team_events (team_id, seq);

CREATE TABLE strata (
  team_id plain NOT NULL REFERENCES teams (id),
  version bigint NOT NULL,
  state plain NOT NULL CHECK (state IN ('planning', 'minted', 'skipped', 'failed')),
  plan_json plain,
  sha256 plain,
  claim_fence bigint,
  tries bigint NOT NULL,
  created_at bigint NOT NULL,
  PRIMARY KEY (team_id, version)
);

CREATE TABLE mail (
  message_id plain PRIMARY KEY REFERENCES messages (id),
  team_id plain NOT NULL REFERENCES teams (id),
  position plain CHECK (position IN ('leader', 'member', 'observer')),
  task_id plain,
  origin plain NOT NULL,
  depth bigint NOT NULL
);

CREATE TABLE wake_ups (
  rowid bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  task_id plain PRIMARY KEY,
  team_id plain NOT NULL REFERENCES teams (id),
  member plain NOT NULL,
  origin plain NOT NULL,
  depth bigint NOT NULL,
  cause plain,
  created_at bigint NOT NULL
);
CREATE INDEX wake_ups_of_an_origin ON wake_ups (origin);
CREATE INDEX wake_ups_by_a_task ON wake_ups (cause) WHERE cause IS NOT NULL;
CREATE INDEX wake_ups_of_a_member ON wake_ups (team_id, member, rowid);

CREATE TABLE sessions (
  rowid bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  id plain PRIMARY KEY,
  team_id plain NOT NULL REFERENCES teams (id),
  topic plain NOT NULL,
  trigger plain NOT NULL CHECK (trigger IN ('explicit', 'auto')),
  max_rounds bigint NOT NULL,
  status plain NOT NULL CHECK (status IN ('active', 'concluded', 'deadlocked', 'cancelled')),
  outcome_json plain,
  created_at bigint NOT NULL
);
CREATE INDEX sessions_of_a_team ON sessions (team_id, created_at);

CREATE TABLE participants (
  session_id plain NOT NULL REFERENCES sessions (id),
  place bigint NOT NULL,
  member plain NOT NULL,
  PRIMARY KEY (session_id, place)
);

CREATE TABLE turns (
  session_id plain NOT NULL REFERENCES sessions (id),
  n bigint NOT NULL,
  member plain NOT NULL,
  body plain NOT NULL,
  PRIMARY KEY (session_id, n)
);

CREATE TABLE teams_in_use (
  person plain PRIMARY KEY,
  team_id plain NOT NULL REFERENCES teams (id)
);

CREATE TABLE artifacts (
  rowid bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  id plain PRIMARY KEY,
  team_id plain NOT NULL REFERENCES teams (id),
  task_id plain,
  attempt bigint,
  name plain NOT NULL,
  content_type plain NOT NULL,
  size bigint NOT NULL,
  sha256 plain NOT NULL,
  content bytea NOT NULL,
  state plain NOT NULL CHECK (state IN ('staged', 'current', 'orphan')),
  created_by plain NOT NULL,
  created_at bigint NOT NULL
);
CREATE INDEX artifacts_of_a_team ON artifacts (team_id, created_at);
CREATE INDEX artifacts_of_a_task ON artifacts (task_id, attempt) WHERE task_id IS NOT NULL;

CREATE TABLE graph_cursor (
  one bigint PRIMARY KEY CHECK (one = 1),
  seq bigint NOT NULL
);

CREATE TABLE inbox_entries (
  number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  agent plain NOT NULL,
  slug plain NOT NULL,
  stored_slug plain NOT NULL UNIQUE,
  type plain NOT NULL CHECK (type IN ('architectural', 'scope', 'process', 'pattern', 'learning', 'update')),
  title plain NOT NULL,
  content plain NOT NULL,
  rationale plain NOT NULL,
  status plain NOT NULL CHECK (status IN ('pending', 'merged', 'rejected')),
  created_by plain NOT NULL,
  created_at bigint NOT NULL,
  settled_by plain,
  settled_at bigint,
  reason plain,
  UNIQUE (agent, slug)
);
CREATE INDEX inbox_entries_pending ON inbox_entries (number) WHERE status = 'pending';

CREATE TABLE ledger_files (
  place plain NOT NULL,
  sha256 plain NOT NULL,
  PRIMARY KEY (place, sha256)
);

CREATE TABLE waiting_lines (
  number bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  line plain NOT NULL UNIQUE
);

-- The memory is in `.squad/memory.events.jsonl` from now on. Rows that may not have got there become lines that wait for it, in its
-- form: a line that it has already counts once. Rows made from a charter follow the charter.
CREATE TABLE waiting_lines (
  number INTEGER PRIMARY KEY,
  line TEXT NOT NULL UNIQUE
) STRICT;

UPDATE memories SET id = lower(hex(randomblob(8))), rev = 1 WHERE id IS NULL;
UPDATE decisions SET id = lower(hex(randomblob(8))), rev = 1 WHERE id IS NULL;
UPDATE work_sessions SET id = lower(hex(randomblob(8))), rev = 1 WHERE id IS NULL;

INSERT INTO waiting_lines (line)
SELECT json_patch('{}', json_object(
  'kind', 'decision', 'id', id, 'rev', rev, 'number', number, 'type', type, 'title', title, 'content', content,
  'rationale', rationale, 'status', status,
  'createdBy', created_by, 'createdAt', strftime('%Y-%m-%dT%H:%M:%S', created_at / 1000, 'unixepoch') || printf('.%03dZ', created_at % 1000),
  'source', iif(source LIKE 'cast:%', source, NULL), 'agent', agent,
  'supersededBy', (SELECT next.id FROM decisions AS next WHERE next.number = decisions.superseded_by)
))
FROM decisions WHERE shared = 0 ORDER BY number;

INSERT INTO waiting_lines (line)
SELECT json_patch('{}', json_object(
  'kind', 'memory', 'id', id, 'rev', rev, 'number', number, 'agent', agent, 'type', type, 'importance', importance,
  'content', content,
  'createdBy', created_by, 'createdAt', strftime('%Y-%m-%dT%H:%M:%S', created_at / 1000, 'unixepoch') || printf('.%03dZ', created_at % 1000),
  'source', iif(source LIKE 'cast:%', source, NULL)
))
FROM memories WHERE shared = 0 AND (source IS NULL OR source NOT LIKE 'charter:%') ORDER BY number;

INSERT INTO waiting_lines (line)
SELECT json_patch('{}', json_object(
  'kind', 'session', 'id', id, 'rev', rev, 'number', number, 'focus', focus, 'context', context,
  'createdBy', started_by, 'createdAt', strftime('%Y-%m-%dT%H:%M:%S', started_at / 1000, 'unixepoch') || printf('.%03dZ', started_at % 1000),
  'source', iif(source LIKE 'cast:%', source, NULL),
  'endedAt', strftime('%Y-%m-%dT%H:%M:%S', ended_at / 1000, 'unixepoch') || printf('.%03dZ', ended_at % 1000)
))
FROM work_sessions WHERE shared = 0 ORDER BY number;

DROP TABLE memories;
DROP TABLE decisions;
DROP TABLE work_sessions;
DROP TABLE ledger_stamp;

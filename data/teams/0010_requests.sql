CREATE TABLE requests (
  id TEXT PRIMARY KEY,
  input TEXT NOT NULL,
  result_json TEXT,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX requests_by_age ON requests (at);

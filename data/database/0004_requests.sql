-- What processes on other machines ask of whoever leads, until they have read the answer. Not logged: after a crash of the server whoever
-- still waits asks again, under the same id of their request.
CREATE UNLOGGED TABLE asked (
  id text PRIMARY KEY,
  position bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  -- A line as at the socket of a service, and who says it.
  line text NOT NULL,
  caller text NOT NULL,
  answer text,
  asked_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX asked_open ON asked (position) WHERE answer IS NULL;

-- Services that wait for the place of the leader, as they said last.
CREATE TABLE standbys (
  who text PRIMARY KEY,
  seen_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);

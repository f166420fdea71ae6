-- Programs that carry attempts out, on whichever machine. `token` is known to the one process that has the name, which is `settled` when it
-- has said which attempts it goes on with of those that the process before it had taken. `runs` and `reports`, side
-- by side, are what its last heartbeat said: one row is written for a heartbeat, however many attempts there are. One that has `gone` is
-- removed later, so that whoever follows the changes hears of it.
CREATE TABLE workers (
  name text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 64),
  token text NOT NULL,
  login text NOT NULL,
  at text NOT NULL,
  version text NOT NULL,
  slots integer NOT NULL CHECK (slots > 0),
  labels text[] NOT NULL,
  executors text[] NOT NULL,
  -- The keys of those leaders that may run commands there.
  leaders text[] NOT NULL,
  asked text NOT NULL DEFAULT 'work' CHECK (asked IN ('work', 'drain', 'stop')),
  arrived_at timestamptz NOT NULL,
  settled boolean NOT NULL DEFAULT false,
  seen_at timestamptz NOT NULL,
  gone boolean NOT NULL DEFAULT false,
  runs text[] NOT NULL DEFAULT '{}',
  reports text[] NOT NULL DEFAULT '{}',
  changed xid8 NOT NULL DEFAULT pg_current_xact_id()
) WITH (fillfactor = 10);

-- Attempts from their preparation until they are settled, and what is known of them afterwards. `outcome` says how one ended: told by its
-- worker, lost with it, taken by nobody, withdrawn before anybody took it, or not to be begun at all.
CREATE TABLE attempts (
  run text PRIMARY KEY,
  turn bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  task text NOT NULL,
  fence bigint NOT NULL,
  state text NOT NULL CHECK (state IN ('prepared', 'offered', 'running', 'ended', 'forgotten')),
  labels text[] NOT NULL,
  executor text,
  card_json text NOT NULL,
  -- The order as its leader signed it when it was offered, to the letter.
  order_json text,
  order_key text,
  order_signature text,
  offered_at timestamptz,
  worker text,
  taken_at timestamptz,
  wish_end text,
  -- Signed as the order: `{"text","key","signature"}`.
  wish_limit_json text,
  report_json text,
  outcome text CHECK (outcome IN ('told', 'lost', 'untaken', 'withdrawn', 'refused')),
  reason text,
  end_json text,
  ended_at timestamptz,
  forgotten_at timestamptz,
  changed xid8 NOT NULL DEFAULT pg_current_xact_id()
) WITH (fillfactor = 50);
CREATE INDEX attempts_offered ON attempts (offered_at, turn) WHERE state = 'offered';
CREATE INDEX attempts_running ON attempts (worker) WHERE state = 'running';
CREATE INDEX attempts_live ON attempts (turn) WHERE state <> 'forgotten';
CREATE INDEX attempts_changed ON attempts (changed) WHERE state <> 'forgotten';
CREATE INDEX attempts_forgotten ON attempts (forgotten_at) WHERE state = 'forgotten';

-- `changed` is the transaction that wrote a row last: a leader reads what was written by those that were not over at its last look.
CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  NEW.changed := pg_current_xact_id();
  RETURN NEW;
END $$;
CREATE TRIGGER attempts_change BEFORE UPDATE ON attempts FOR EACH ROW EXECUTE FUNCTION note_change();
CREATE TRIGGER workers_change BEFORE UPDATE ON workers FOR EACH ROW EXECUTE FUNCTION note_change();

-- The bytes of a piece lie here, or beside the database: then the piece is a part of what has that hash there, from `skip` on.
CREATE TABLE run_pieces (
  run text NOT NULL REFERENCES attempts ON DELETE CASCADE,
  of text NOT NULL CHECK (of IN ('output', 'events', 'prompt')),
  position bigint NOT NULL,
  size integer NOT NULL CHECK (size BETWEEN 1 AND 65536),
  bytes bytea CHECK (octet_length(bytes) = size),
  sha256 text CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  skip integer CHECK (skip >= 0),
  blob_size integer CHECK (blob_size BETWEEN skip + size AND 65536),
  CHECK (CASE WHEN bytes IS NULL THEN sha256 IS NOT NULL AND skip IS NOT NULL AND blob_size IS NOT NULL
    ELSE sha256 IS NULL AND skip IS NULL AND blob_size IS NULL END),
  PRIMARY KEY (run, of, position)
);
CREATE INDEX run_pieces_beside ON run_pieces (run) WHERE sha256 IS NOT NULL;

-- What came too late: from an attempt that was no longer its worker's, or its task's.
CREATE TABLE refused_ends (
  id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  run text NOT NULL,
  fence bigint,
  worker text,
  text text NOT NULL
);
CREATE INDEX refused_ends_of_a_run ON refused_ends (run);

-- Machines that lead, led or stand by, by the public half of the key with which each signs. `epoch`: of the latest leadership of each.
CREATE TABLE leaders (
  key text PRIMARY KEY CHECK (length(key) = 43),
  name text NOT NULL,
  at text NOT NULL,
  epoch bigint,
  seen_at timestamptz NOT NULL
) WITH (fillfactor = 50);

-- Workers touch no table: these functions are all they may call. Each runs as whoever owns the tables, and finds nothing but them.
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Whether a process still has its name. Whoever calls is at work: its heartbeat is refreshed where it is not fresh.
CREATE FUNCTION worker_is(name_ text, token_ text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  UPDATE workers SET seen_at = clock_timestamp()
    WHERE name = name_ AND token = token_ AND NOT gone AND seen_at < clock_timestamp() - interval '5 s';
  RETURN EXISTS (SELECT FROM workers WHERE name = name_ AND token = token_ AND NOT gone);
END $$;

-- What a worker had taken before is lost, but for some.
CREATE FUNCTION worker_lost(name_ text, until_ timestamptz, but_ text[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  UPDATE attempts SET state = 'ended', outcome = 'lost', ended_at = clock_timestamp(),
      report_json = (SELECT reports[array_position(runs, run)] FROM workers WHERE name = name_)
    WHERE worker = name_ AND state = 'running' AND taken_at < until_ AND NOT run = ANY (but_)
$$;

-- Tells the leader that there is something to look at: among attempts alone, or also among workers. A notification holds a lock of the whole
-- server until its transaction is on the disk: what happens for each attempt is told apart from it, and waits for no disk.
CREATE FUNCTION worker_tells() RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT pg_notify(current_schema() || '_workers', 'attempts') FROM set_config('synchronous_commit', 'off', true)
$$;

CREATE FUNCTION worker_changes() RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT pg_notify(current_schema() || '_workers', '')
$$;

-- The clock of the database in milliseconds; null while another process works under that name: it is believed for 30 seconds after each
-- heartbeat.
-- A token is a key, which a worker keeps from one life to the next, and what is of one life: whoever has the key need not wait.
CREATE FUNCTION worker_arrive(
  name_ text, token_ text, at_ text, version_ text, slots_ integer, labels_ text[], executors_ text[], leaders_ text[]
) RETURNS float8
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  now_ constant timestamptz := clock_timestamp();
BEGIN
  INSERT INTO workers AS present (name, token, login, at, version, slots, labels, executors, leaders, arrived_at, seen_at)
    VALUES (name_, token_, session_user, at_, version_, slots_, labels_, executors_, leaders_, now_, now_)
    ON CONFLICT (name) DO UPDATE SET login = session_user, at = at_, version = version_, slots = slots_, labels = labels_,
        executors = executors_, leaders = leaders_, seen_at = now_, token = token_, gone = false,
        settled = present.settled AND present.token = token_ AND NOT present.gone,
        asked = CASE WHEN present.token = token_ AND NOT present.gone THEN present.asked ELSE 'work' END,
        arrived_at = CASE WHEN present.token = token_ AND NOT present.gone THEN present.arrived_at ELSE now_ END
      WHERE split_part(present.token, '/', 1) = split_part(token_, '/', 1) OR present.seen_at <= now_ - interval '30 s' OR present.gone;
  IF NOT FOUND THEN RETURN NULL; END IF;
  PERFORM worker_changes();
  RETURN extract(epoch FROM clock_timestamp()) * 1000;
END $$;

-- Up to `most_` attempts that the worker can carry out, of leaders it knows, and has room for, oldest first; one row without an attempt
-- for a stranger.
CREATE FUNCTION worker_take(name_ text, token_ text, most_ integer)
RETURNS TABLE (known boolean, run_ text, task_ text, fence_ bigint, order_ text, key_ text, signature_ text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  me workers;
  taken text[];
BEGIN
  IF NOT worker_is(name_, token_) THEN
    RETURN QUERY SELECT false, NULL::text, NULL::text, NULL::bigint, NULL::text, NULL::text, NULL::text;
    RETURN;
  END IF;
  SELECT * INTO me FROM workers WHERE name = name_;
  IF me.asked <> 'work' THEN RETURN; END IF;
  WITH mine AS (
    UPDATE attempts SET state = 'running', worker = name_, taken_at = clock_timestamp() WHERE run = ANY (ARRAY(
      SELECT run FROM attempts
        WHERE state = 'offered' AND order_key = ANY (me.leaders) AND labels <@ me.labels AND (executor IS NULL OR executor = ANY (me.executors))
        ORDER BY offered_at, turn
        LIMIT least(most_, greatest(0, me.slots - (SELECT count(*) FROM attempts WHERE worker = name_ AND state = 'running')))
        FOR UPDATE SKIP LOCKED))
      AND state = 'offered' RETURNING run)
  SELECT array_agg(run) INTO taken FROM mine;
  IF taken IS NULL THEN RETURN; END IF;
  RETURN QUERY SELECT true, run, task, fence, order_json, order_key, order_signature FROM attempts WHERE run = ANY (taken) ORDER BY offered_at, turn;
END $$;

-- One row a worker is written. Null for a stranger; else what is asked of it, of its runs, and which of those it told of are not its own.
CREATE FUNCTION worker_beat(name_ text, token_ text, runs_ text[], reports_ text[]) RETURNS json
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  me workers;
BEGIN
  SELECT * INTO me FROM workers WHERE name = name_ AND token = token_ AND NOT gone;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF NOT me.settled THEN
    PERFORM worker_lost(name_, me.arrived_at, runs_);
    PERFORM worker_changes();
  ELSE
    PERFORM set_config('synchronous_commit', 'off', true); -- a heartbeat that a crash of the server takes is followed by the next
  END IF;
  UPDATE workers SET seen_at = clock_timestamp(), settled = true, runs = runs_, reports = reports_
    WHERE name = name_ AND token = token_ AND NOT gone;
  IF NOT FOUND THEN RETURN NULL; END IF;
  RETURN json_build_object(
    'asked', me.asked,
    'leader', (SELECT json_build_object('key', key, 'name', name, 'at', at)
      FROM leaders JOIN head USING (epoch) WHERE lease_until > clock_timestamp()),
    'now', (extract(epoch FROM clock_timestamp()) * 1000)::float8,
    'lost', ARRAY(SELECT told FROM unnest(runs_) told
      WHERE NOT EXISTS (SELECT FROM attempts WHERE run = told AND worker = name_ AND state = 'running')),
    'wishes', (SELECT coalesce(json_agg(json_build_object(
        'run', run, 'fence', fence, 'end', wish_end, 'limit', wish_limit_json::json)), '[]')
      FROM attempts WHERE worker = name_ AND state = 'running' AND (wish_end IS NOT NULL OR wish_limit_json IS NOT NULL)));
END $$;

-- 8 MiB are kept of a run. False where no more is. A gap is a mistake of the caller, who has put the bytes elsewhere where there is a hash.
CREATE FUNCTION worker_append(name_ text, token_ text, run_ text, fence_ bigint, of_ text, from_ bigint, size_ integer, bytes_ bytea,
  sha256_ text)
RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  most constant bigint := 8388608;
  kept bigint;
  others bigint;
  known integer;
  more integer;
BEGIN
  IF NOT worker_is(name_, token_) THEN RETURN false; END IF;
  PERFORM FROM attempts WHERE run = run_ AND fence = fence_ AND worker = name_ AND state = 'running' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN false; END IF;
  SELECT coalesce(max(ends) FILTER (WHERE kind = of_), 0), coalesce(sum(ends) FILTER (WHERE kind <> of_), 0) INTO kept, others
    FROM (VALUES ('output'), ('events'), ('prompt')) kinds (kind),
      LATERAL (SELECT position + size AS ends FROM run_pieces
        WHERE run = run_ AND of = kind ORDER BY position DESC LIMIT 1) last_piece;
  IF from_ > kept THEN RAISE 'run %: % begins at %, and % bytes are kept', run_, of_, from_, kept; END IF;
  known := least(kept - from_, size_);
  more := greatest(0, least(size_ - known, most - kept - others));
  IF more > 0 THEN
    INSERT INTO run_pieces (run, of, position, size, bytes, sha256, skip, blob_size) VALUES (run_, of_, kept, more,
      substring(bytes_ FROM known + 1 FOR more), sha256_,
      CASE WHEN sha256_ IS NOT NULL THEN known END, CASE WHEN sha256_ IS NOT NULL THEN size_ END);
  END IF;
  RETURN kept + others + more < most;
END $$;

-- False where the attempt is no longer this worker's: what it says is set aside, and changes nothing.
CREATE FUNCTION worker_end(name_ text, token_ text, run_ text, fence_ bigint, end_ text) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF worker_is(name_, token_) THEN
    UPDATE attempts SET state = 'ended', outcome = 'told', end_json = end_, ended_at = clock_timestamp()
      WHERE run = run_ AND fence = fence_ AND worker = name_ AND state = 'running';
    IF FOUND THEN RETURN true; END IF;
    -- The same once more: its first answer was lost on the way.
    IF EXISTS (SELECT FROM attempts WHERE run = run_ AND fence = fence_ AND worker = name_ AND outcome = 'told' AND end_json = end_)
      THEN RETURN true;
    END IF;
  END IF;
  INSERT INTO refused_ends (run, fence, worker, text) VALUES (run_, fence_, name_, left(end_, 65536));
  RETURN false;
END $$;

-- Ends that are told together, in their order.
CREATE FUNCTION worker_ends(name_ text, token_ text, runs_ text[], fences_ bigint[], ends_ text[]) RETURNS boolean[]
LANGUAGE sql SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT array_agg(worker_end(name_, token_, run, fence, told) ORDER BY place)
  FROM unnest(runs_, fences_, ends_) WITH ORDINALITY ends (run, fence, told, place)
$$;

CREATE FUNCTION worker_leave(name_ text, token_ text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  PERFORM FROM workers WHERE name = name_ AND token = token_ AND NOT gone FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  PERFORM worker_lost(name_, 'infinity', '{}');
  UPDATE workers SET gone = true WHERE name = name_;
  PERFORM worker_changes();
END $$;

-- Those that lead, led or stand by, whoever leads first.
CREATE FUNCTION worker_leaders() RETURNS TABLE (key_ text, name_ text, at_ text, leads_ boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT key, name, at, coalesce(leaders.epoch = head.epoch AND lease_until > clock_timestamp(), false) AS leads
    FROM leaders, head ORDER BY leads DESC, leaders.epoch DESC NULLS LAST, seen_at DESC, key LIMIT 50
$$;

-- Of those that call others from within, none is for a login.
REVOKE ALL ON FUNCTION worker_is, worker_lost, worker_tells, worker_changes, worker_arrive, worker_take, worker_beat, worker_append,
  worker_end, worker_ends, worker_leave, worker_leaders, note_change FROM PUBLIC;

SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

DROP FUNCTION worker_take;

-- Attempts that the worker has and does not know of: up to `most_` that it takes now, as far as it can carry them out, knows their leaders and
-- has room, oldest first; and what it took when the answer was lost with its connection. One row without an attempt for a stranger.
CREATE FUNCTION worker_take(name_ text, token_ text, most_ integer, known_ text[])
RETURNS TABLE (known boolean, run_ text, task_ text, fence_ bigint, order_ text, key_ text, signature_ text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  me workers;
BEGIN
  IF NOT worker_is(name_, token_) THEN
    RETURN QUERY SELECT false, NULL::text, NULL::text, NULL::bigint, NULL::text, NULL::text, NULL::text;
    RETURN;
  END IF;
  SELECT * INTO me FROM workers WHERE name = name_;
  IF me.asked <> 'work' THEN RETURN; END IF;
  UPDATE attempts SET state = 'running', worker = name_, taken_at = clock_timestamp() WHERE state = 'offered' AND run = ANY (ARRAY(
    SELECT run FROM attempts
      WHERE state = 'offered' AND order_key = ANY (me.leaders) AND labels <@ me.labels AND (executor IS NULL OR executor = ANY (me.executors))
      ORDER BY offered_at, turn
      LIMIT least(most_, greatest(0, me.slots - (SELECT count(*) FROM attempts WHERE worker = name_ AND state = 'running')))
      FOR UPDATE SKIP LOCKED));
  RETURN QUERY SELECT true, run, task, fence, order_json, order_key, order_signature FROM attempts
    WHERE worker = name_ AND state = 'running' AND NOT run = ANY (known_) ORDER BY offered_at, turn;
END $$;

REVOKE ALL ON FUNCTION worker_take FROM PUBLIC;

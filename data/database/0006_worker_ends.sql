SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Ends that are told together: of two of one attempt the first counts. False where the attempt is no longer this worker's: what it says is
-- set aside, and changes nothing. The same once more is taken again: its first answer was lost on the way.
CREATE OR REPLACE FUNCTION worker_ends(name_ text, token_ text, runs_ text[], fences_ bigint[], ends_ text[]) RETURNS boolean[]
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  known constant boolean := worker_is(name_, token_);
  answers boolean[];
BEGIN
  UPDATE attempts SET state = 'ended', outcome = 'told', end_json = told, ended_at = clock_timestamp()
    FROM (SELECT DISTINCT ON (run_, fence_) * FROM unnest(runs_, fences_, ends_) WITH ORDINALITY ends (run_, fence_, told, place)
      ORDER BY run_, fence_, place) firsts
    WHERE known AND run = run_ AND fence = fence_ AND worker = name_ AND state = 'running';
  SELECT array_agg(known AND EXISTS (SELECT FROM attempts
      WHERE run = run_ AND fence = fence_ AND worker = name_ AND outcome = 'told' AND end_json = told) ORDER BY place) INTO answers
    FROM unnest(runs_, fences_, ends_) WITH ORDINALITY ends (run_, fence_, told, place);
  INSERT INTO refused_ends (run, fence, worker, text)
    SELECT run_, fence_, name_, left(told, 65536) FROM unnest(runs_, fences_, ends_, answers) ends (run_, fence_, told, is_taken) WHERE NOT is_taken;
  RETURN answers;
END $$;

DROP FUNCTION worker_end;

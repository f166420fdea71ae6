-- What workers may call beside what attempts need: of a project whose tables they may not read.
SELECT set_config('search_path', quote_ident(current_schema()) || ', pg_temp', true);

-- Which steps made these tables: a worker of another version carries nothing out.
CREATE FUNCTION worker_migrations() RETURNS TABLE (version integer, sha256 text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
  SELECT version, sha256 FROM migrations
$$;

-- Hands what a run of this worker says to whoever leads. That it is that run, and nobody else, is found here.
CREATE FUNCTION worker_ask(name_ text, token_ text, run_ text, fence_ bigint, id_ text, line_ text) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  task_ text;
BEGIN
  IF worker_is(name_, token_) THEN
    SELECT task INTO task_ FROM attempts WHERE run = run_ AND fence = fence_ AND worker = name_ AND state = 'running';
  END IF;
  IF task_ IS NULL THEN RETURN 'lost'; END IF;
  IF NOT EXISTS (SELECT FROM head WHERE lease_until > clock_timestamp()) THEN RETURN 'absent'; END IF;
  INSERT INTO asked (id, line, caller) VALUES (id_, line_, json_build_object(
    'kind', 'run', 'name', run_, 'taskId', task_, 'fence', fence_, 'atItsDoor', true)::text);
  PERFORM pg_notify(current_schema() || '_asked', id_);
  RETURN 'sent';
END $$;

-- The answer, once: null while it may still come, and when it will not. Its id is known to whoever asked.
CREATE FUNCTION worker_answer(id_ text) RETURNS TABLE (line_ text, waits boolean)
LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  DELETE FROM asked WHERE id = id_ AND answer IS NOT NULL RETURNING answer INTO line_;
  waits := line_ IS NULL AND EXISTS (SELECT FROM asked WHERE id = id_)
    AND EXISTS (SELECT FROM head WHERE lease_until > clock_timestamp());
  IF line_ IS NULL AND NOT waits THEN
    DELETE FROM asked WHERE id = id_ RETURNING answer INTO line_;
  END IF;
  RETURN NEXT;
END $$;

REVOKE ALL ON FUNCTION worker_migrations, worker_ask, worker_answer FROM PUBLIC;

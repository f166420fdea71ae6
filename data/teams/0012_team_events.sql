-- Beside the graph's own events, in a database that holds both.
ALTER TABLE events RENAME TO team_events;

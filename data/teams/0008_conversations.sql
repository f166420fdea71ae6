ALTER TABLE conversations ADD COLUMN kind TEXT NOT NULL DEFAULT 'talk' CHECK (kind IN ('talk', 'work', 'question', 'note'));
ALTER TABLE conversations ADD COLUMN opened_by TEXT;
ALTER TABLE conversations ADD COLUMN depth INTEGER NOT NULL DEFAULT 0;
ALTER TABLE conversations ADD COLUMN turn INTEGER NOT NULL DEFAULT 0;

CREATE INDEX conversations_of_a_task ON conversations (task_id) WHERE task_id IS NOT NULL;
CREATE INDEX conversations_from_a_task ON conversations (opened_by, round) WHERE opened_by IS NOT NULL;
CREATE INDEX conversations_open ON conversations (state) WHERE kind <> 'talk' AND state IN ('pending', 'active', 'paused');

ALTER TABLE recipients ADD COLUMN task_id TEXT;
ALTER TABLE recipients ADD COLUMN shown_to INTEGER;

CREATE INDEX recipients_unread ON recipients (member) WHERE read_at IS NULL;
CREATE INDEX recipients_unread_of_a_task ON recipients (task_id) WHERE read_at IS NULL AND task_id IS NOT NULL;

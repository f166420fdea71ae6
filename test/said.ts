import type { MailView } from '#core/mail/conversation.js';
import { talk } from '#core/mail/task-talk.js';

/** Returns the decision that Ann writes a message about a task. */
export function said(id: string, task = 'a', body = 'x') {
  const message = {
    ...{ id, sender: 'human/ann', sender_name: 'ann', speaks_for: 'human/ann', body },
    priority: 'normal' as const,
    created_at: 1,
  };
  return (view: MailView) => talk(view, { task, message, kind: 'person' });
}

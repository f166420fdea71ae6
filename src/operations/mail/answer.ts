import * as z from 'zod/mini';
import { taskOf } from '#core/graph/task-of.js';
import { answeredTask, answerTask } from '#core/graph/unreported.js';
import type { WorkContext } from '#operations/contexts.js';
import { argument } from '#operations/fields.js';
import { send } from '#operations/mail/task-talk.js';
import { operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { commitMove, movedShape, moveOptions } from '#operations/shapes.js';
import { reply } from './conversations.js';
import { askedOfPerson } from './open-question.js';

/**
 * Answers the question of a task's run, in any of its forms: a conversation with a person (identified by the asking
 * task or by its own), a wait for a message, or the last output of the run. The same session continues. Errors:
 * `wrong_status` for a task without a question.
 */
export const answer = operation({
  name: 'task.answer',
  command: 'answer',
  group: 'Messages',
  kind: 'write',
  scope: 'leader',
  summary: 'Answer what the agent of a task asked: its session continues, nothing is rejected',
  examples: [
    'troupe answer write-the-parser "The new grammar."',
    'troupe answer write-the-parser "Decide yourself, and report how it ends." --json',
  ],
  input: z.strictObject({
    id: TASK_ID,
    text: argument('The answer', z.string()),
  }),
  output: movedShape,
  async run(context: WorkContext, { id, text }) {
    const view = await (await context.graph()).view();
    taskOf(view, id);
    const question = await askedOfPerson(context, id);
    if (question) await reply.run(context, { conversation_id: question.id, message: text });
    else {
      answerTask(view, id, moveOptions(context, {})); // rejected before the message is sent
      await send.run(context, { id, text });
    }
    const asker = question === undefined ? id : question.openedBy;
    return await commitMove(
      context,
      (now) => (asker === null ? answeredTask(now, id) : answerTask(now, asker, moveOptions(context, {}))),
      'answer',
    );
  },
});

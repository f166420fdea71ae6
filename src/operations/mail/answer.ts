import * as z from 'zod/mini';
import { taskOf } from '#core/graph/task-of.js';
import { answeredTask, answerTask } from '#core/graph/unreported.js';
import { isPersonId } from '#core/mail/conversation.js';
import { send } from '#operations/mail/task-talk.js';
import { operation } from '#operations/operation.js';
import { commitMove, movedShape, moveOptions } from '#operations/shapes.js';
import { reply } from './conversations.js';

/**
 * Answers what the run of a task asked, in whichever way it asked: a question to a person in a conversation, named by the task that
 * asked or by its own, a wait for a word, or its last words. The same session goes on. Errors: `wrong_status` for a task that asks
 * nothing.
 */
export const answer = operation({
  name: 'task.answer',
  input: z.strictObject({ id: z.string(), text: z.string() }),
  output: movedShape,
  async run(context, { id, text }) {
    const view = await (await context.graph()).view();
    taskOf(view, id);
    const open = await (await context.mail()).open();
    const question = open.find(
      ({ openedBy, taskId, recipient }) => (openedBy === id || taskId === id) && isPersonId(recipient),
    );
    if (question) await reply.run(context, { conversation_id: question.id, message: text });
    else {
      answerTask(view, id, moveOptions(context, {})); // refused before anything is said
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

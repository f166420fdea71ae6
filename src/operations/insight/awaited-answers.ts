import type { AwaitedAnswer } from '#core/insight/waiting-circle.js';
import { asTroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/** Who waits for whose answer. Conversations that cannot be read are no reason to tell nothing else: `warn` gets why. */
export async function awaitedAnswers(
  context: Pick<Context, 'mail'>,
  warn: (text: string) => void,
): Promise<readonly AwaitedAnswer[]> {
  try {
    const open = await (await context.mail()).open();
    return open.flatMap(({ openedBy: task, taskId: from, kind }) =>
      task === null || from === null ? [] : [{ task, from, askedBack: kind === 'question' }],
    );
  } catch (error) {
    warn(`conversations: ${asTroupeError(error).message}`);
    return [];
  }
}

import type { AwaitedAnswer } from '#core/insight/waiting-circle.js';
import { asTroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/**
 * Open questions between tasks: who waits for whose answer. If conversations cannot be read, `warn` receives the reason
 * and the result is empty, so that other results are still reported.
 */
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

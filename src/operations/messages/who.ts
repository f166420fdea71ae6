import { checkFence } from '#core/graph/moves.js';
import { taskOf } from '#core/graph/task-of.js';
import { personReader, taskReader } from '#core/messages/message.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import { moverOf } from '#operations/shapes.js';

export interface Who {
  readonly name: string;
  readonly kind: 'person' | 'run';
  /** As the channel knows them. */
  readonly sender: string;
  /** Whose cursor moves when they read; a run reads for its task, so that the next one goes on from there. */
  readonly reader: string;
}

/**
 * Who writes or reads. A run is itself, and only as long as it holds its task; a person may say under which name. Errors:
 * `not_yours`, `stale_attempt`, `bad_input` for a name that cannot be one.
 */
export async function whoCalls(context: Context, named: string | undefined): Promise<Who> {
  const { caller } = context;
  if (caller.kind === 'person') {
    const name = named ?? caller.name;
    return { name, kind: 'person', sender: personReader(name), reader: personReader(name) };
  }
  if (named !== undefined && named !== caller.name) {
    throw new TroupeError('not_yours', { what: 'A run speaks for itself, under no other name.' });
  }
  const view = await (await context.graph()).view();
  checkFence(view, taskOf(view, caller.taskId), moverOf(context));
  return { name: caller.name, kind: 'run', sender: `run/${caller.name}`, reader: taskReader(caller.taskId) };
}

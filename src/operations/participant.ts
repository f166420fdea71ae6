import { checkFence } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { personReader, taskReader } from '#core/mail/message.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from './operation.js';
import { moverOf } from './shapes.js';

/** Who speaks: a person or a run, as messages have them. */
export interface Participant {
  readonly name: string;
  readonly kind: 'person' | 'run';
  /** `human/ann`, `run/agent-7`. */
  readonly sender: string;
  /** The reader whose cursor moves; a run reads for its task, so that the next one goes on from there. */
  readonly reader: string;
  /** The task that a run holds; undefined of a person. */
  readonly task: Task | undefined;
}

/**
 * The caller as whoever speaks, in messages as in teams. A run is itself, and only as long as it holds its task; a person may give a name to
 * write under.
 * Errors: `not_yours`, `stale_attempt`, `bad_input` for a name that cannot be one.
 */
export async function participantOf(context: Context, named: string | undefined): Promise<Participant> {
  const { caller } = context;
  if (caller.kind === 'person') {
    const name = named ?? caller.name;
    return { name, kind: 'person', sender: personReader(name), reader: personReader(name), task: undefined };
  }
  if (named !== undefined && named !== caller.name) {
    throw new TroupeError('not_yours', { what: 'A run cannot write under another name.' });
  }
  const view = await (await context.graph()).view();
  const task = taskOf(view, caller.taskId);
  checkFence(view, task, moverOf(context));
  return { name: caller.name, kind: 'run', sender: `run/${caller.name}`, reader: taskReader(task.id), task };
}

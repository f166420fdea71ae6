import { checkFence } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { personReader, taskReader } from '#core/mail/message.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from './operation.js';
import { moverOf } from './shapes.js';

/** Sender and reader of messages: a person or a run. */
export interface Participant {
  readonly name: string;
  readonly kind: 'person' | 'run';
  /** For example `human/ann` or `run/agent-7`. */
  readonly sender: string;
  /** Reader whose cursor advances. A run reads for its task, so that the next run continues from there. */
  readonly reader: string;
  /** Task that the run holds; undefined for a person. */
  readonly task: Task | undefined;
}

/**
 * The caller as a participant of messages and teams. A run acts under its own name, and only while it holds its task; a
 * person may choose a name. Errors: `not_yours`, `stale_attempt`, `bad_input` for an invalid name.
 */
export async function participantOf(
  context: Pick<Context, 'caller' | 'graph'>,
  named: string | undefined,
): Promise<Participant> {
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

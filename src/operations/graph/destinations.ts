import * as z from 'zod/mini';
import { movesTo, PERSON_MOVES } from '#core/graph/moves-to.js';
import { readiness } from '#core/graph/ready.js';
import { isRunName } from '#core/graph/run-name.js';
import { SHOWN_STATES } from '#core/graph/status-look.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphContext } from '#operations/contexts.js';
import { tasksAtWork } from '#operations/insight/live.js';
import { shownTaskState } from '#operations/insight/status-shapes.js';
import { operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { moveOptions } from '#operations/shapes.js';

/** States a task can be moved into, for boards and for callers that ask before they try. */
export const destinations = operation({
  name: 'task.destinations',
  command: 'show',
  group: 'Tasks',
  kind: 'read',
  unlisted: true,
  summary: 'Show into which states a task can be moved, how, and why not into the others',
  examples: [],
  resource: [
    {
      method: 'GET',
      path: '/api/task/destinations',
      summary: 'The states into which a task can be moved.',
      fields: ['id'],
    },
  ],
  input: z.strictObject({ id: TASK_ID }),
  output: z.object({
    id: z.string(),
    state: z.enum(SHOWN_STATES),
    destinations: z.array(
      z.object({
        to: z.enum(SHOWN_STATES),
        /** Operation that leads there. */
        move: z.optional(z.enum(PERSON_MOVES)),
        /** Reason why none does. */
        reason: z.optional(z.string()),
      }),
    ),
  }),
  async run(context: GraphContext, { id }) {
    const view = await (await context.graph()).view();
    const task = taskOf(view, id);
    const state = shownTaskState(task, readiness(view, id, context.clock.now()));
    const isAtWork = isRunName(task.assigned) && (await tasksAtWork(context, [task])).has(id);
    const atWork = isAtWork ? task.assigned : undefined;
    return { id, state, destinations: [...movesTo(view, id, moveOptions(context, {}), { state, atWork })] };
  },
});

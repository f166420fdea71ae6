import * as z from 'zod/mini';
import type { EventDraft } from '#core/graph/event.js';
import { abandonTask } from '#core/graph/moves.js';
import { isTerminal } from '#core/graph/task.js';
import { CLOSED, OUTCOMES, outcomeOf } from '#core/workflows/outcome.js';
import { operation } from '#operations/operation.js';
import { moverOf } from '#operations/shapes.js';
import { workflowRunNamed } from './runs.js';

/** Ends a run: what is not finished yet is abandoned. What was reached by then is told. */
export const workflowClose = operation({
  name: 'workflow.close',
  input: z.strictObject({ run: z.string() }),
  output: z.object({ run: z.string(), outcome: z.enum(OUTCOMES), abandoned: z.array(z.string()) }),
  async run(context, { run: name }) {
    const store = await context.graph();
    const by = moverOf(context);
    const commit = await store.commit((view) => {
      const { tasks } = workflowRunNamed(view, name);
      const open = tasks.filter((task) => !isTerminal(task.status)).map((task) => task.id);
      const before = outcomeOf(view, tasks);
      const events: EventDraft[] = open.flatMap(
        (id) => abandonTask(view, id, { now: context.clock.now(), by, reason: CLOSED }).events,
      );
      const outcome = before === 'running' ? ('declined' as const) : before;
      return { events, result: { run: name, outcome, abandoned: open } };
    }, context.request);
    return commit.result;
  },
});

import { type Plan, withFields } from '#core/graph/event.js';
import { abandonTask } from '#core/graph/moves.js';
import { isTerminal } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { endEvent, type PersonMark, PlanBuilder } from '#core/playbooks/run-moves.js';
import { TroupeError } from '#kernel/errors.js';
import { CLOSED } from './outcome.js';
import { isRunOver, type PlaybookRun } from './runs.js';

/** Ends a run: its unfinished tasks are abandoned. Returns their ids. Errors: `wrong_status` if it has ended. */
export function stopRun(view: GraphView, playbookRun: PlaybookRun, by: PersonMark): Plan<string[]> {
  const { run, tasks, record } = playbookRun;
  if (isRunOver(playbookRun))
    throw new TroupeError('wrong_status', {
      what: `${run} has ended.`,
      hint: `Run \`troupe playbook status ${run}\` to see how it ended.`,
    });
  const moves = new PlanBuilder(view);
  const abandoned = tasks.filter(({ status }) => !isTerminal(status)).map(({ id }) => id);
  const options = { now: by.now, by: { name: by.actor }, reason: record === null ? CLOSED : `${run} was stopped` };
  for (const id of abandoned)
    moves.do((graph) => {
      const plan = abandonTask(graph, id, options);
      // Marks the run as closed: the reason of `abandonTask` alone is only in the log of the task.
      return record === null ? withFields(plan, id, { failure_reason: CLOSED }).events : plan.events;
    });
  if (record !== null) moves.do((graph) => [endEvent(graph, record, 'abandoned', by)]);
  return moves.plan(abandoned);
}

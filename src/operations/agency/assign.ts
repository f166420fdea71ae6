import * as z from 'zod/mini';
import type { Agency } from '#core/agency/agency.js';
import { type Assignment, assignTask } from '#core/agency/assign.js';
import { choose } from '#core/agency/choose.js';
import { loadOf } from '#core/agency/match.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { moveOptions, text } from '#operations/graph/shapes.js';
import { operation } from '#operations/operation.js';
import { changeAgency } from './open.js';

const flag = z.optional(z.boolean());

/** Who a task is for: somebody named, the best match, or nobody. Whether it is worked on stays as it is. */
export const assign = operation({
  name: 'agency.assign',
  input: z.strictObject({ id: z.string(), agent: text, auto: flag, clear: flag, actor: text }),
  output: z.object({
    id: z.string(),
    agent_id: z.nullable(z.string()),
    agent_name: z.nullable(z.string()),
    reason: text,
    exploration: z.boolean(),
    changed: z.boolean(),
    seq: z.number(),
  }),
  async run(context, input) {
    const { id, agent, auto = false, clear = false } = input;
    if (Number(agent !== undefined) + Number(auto) + Number(clear) !== 1)
      throw new TroupeError('usage', { what: 'Say an agent, --auto or --clear.' });
    const options = moveOptions(context, input);
    const { result, seq } = await changeAgency(context, (agency, view) => {
      if (!view) throw new TroupeError('not_initialized');
      const assignment = clear
        ? undefined
        : agent === undefined
          ? best(agency, view, id)
          : { agent: agency.find('agent', agent) };
      const plan = assignTask(view, id, assignment, options);
      const { changed } = plan.result;
      const state = { kind: 'record' as const, id: 'state', text: `{"assignments": ${agency.assignments + 1}}\n` };
      return {
        files: auto && changed ? [state] : [],
        events: plan.events,
        result: {
          id,
          agent_id: assignment?.agent.id ?? null,
          agent_name: assignment?.agent.name ?? null,
          ...(assignment?.reason === undefined ? {} : { reason: assignment.reason }),
          exploration: assignment?.exploration === true,
          changed,
        },
      };
    });
    return { ...result, seq };
  },
});

function best(agency: Agency, view: GraphView, id: string): Assignment {
  return choose(agency, view, taskOf(view, id), loadOf(view));
}

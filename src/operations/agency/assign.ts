import * as z from 'zod/mini';
import { type Assignment, assignTask } from '#core/agency/assign.js';
import { TroupeError } from '#kernel/errors.js';
import { operation } from '#operations/operation.js';
import { moveOptions, text } from '#operations/shapes.js';
import { advised, type Chosen, chosenFor } from './choosing.js';
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
    /** Of a choice that no person made: a model, or the rules where it gave none. */
    chosen_by: z.optional(z.enum(['model', 'rules'])),
    exploration: z.boolean(),
    changed: z.boolean(),
    seq: z.number(),
  }),
  async run(context, input) {
    const { id, agent, auto = false, clear = false } = input;
    if (Number(agent !== undefined) + Number(auto) + Number(clear) !== 1)
      throw new TroupeError('usage', { what: 'Say an agent, --auto or --clear.' });
    const options = moveOptions(context, input);
    const advice = auto ? await advised(context, id, options) : undefined;
    const { result, seq } = await changeAgency(context, (agency, view) => {
      if (!view) throw new TroupeError('not_initialized');
      const assignment: (Assignment & Partial<Chosen>) | undefined = clear
        ? undefined
        : advice
          ? chosenFor(agency, view, id, advice)
          : { agent: agency.find('agent', agent ?? '') };
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
          ...(assignment?.chosen_by === undefined ? {} : { chosen_by: assignment.chosen_by }),
          exploration: assignment?.exploration === true,
          changed,
        },
      };
    });
    return { ...result, seq };
  },
});

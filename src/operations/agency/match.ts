import * as z from 'zod/mini';
import { TRUST_LEVELS } from '#core/agency/entities.js';
import { loadOf, matchesOf } from '#core/agency/match.js';
import { taskOf } from '#core/graph/task-of.js';
import { operation } from '#operations/operation.js';
import { loadAgency } from './open.js';

/** Who could take a task, best first. */
export const match = operation({
  name: 'agency.match',
  input: z.strictObject({ id: z.string() }),
  output: z.object({
    task_id: z.string(),
    skills: z.array(z.string()),
    matches: z.array(
      z.object({
        agent_id: z.string(),
        agent_name: z.string(),
        score: z.number(),
        matched_skills: z.readonly(z.array(z.string())),
        missing_skills: z.readonly(z.array(z.string())),
        trust_level: z.enum(TRUST_LEVELS),
        available: z.boolean(),
      }),
    ),
    warnings: z.readonly(z.array(z.string())),
  }),
  async run(context, input) {
    const view = await (await context.graph()).view();
    const task = taskOf(view, input.id);
    const agency = await loadAgency(context);
    const matches = matchesOf(agency, task, loadOf(view));
    return { task_id: task.id, skills: [...(task.skills ?? [])], matches, warnings: agency.warnings };
  },
});

import * as z from 'zod/mini';
import { HUMAN } from '#core/graph/assignee.js';
import { markOf, OUTCOMES, outcomeOf } from '#core/workflows/outcome.js';
import { operation } from '#operations/operation.js';
import { workflowRunNamed, workflowRuns } from './runs.js';
import { type StandingRow, standingShape, triggerStandings } from './triggers.js';

const runShape = z.object({
  run: z.string(),
  workflow: z.string(),
  outcome: z.enum(OUTCOMES),
  done: z.number(),
  total: z.number(),
  tasks: z.array(
    z.object({
      id: z.string(),
      node: z.string(),
      title: z.string(),
      status: z.string(),
      member: z.optional(z.string()),
      /** Left out unless it is so: a person does it; it holds a command. */
      human: z.optional(z.literal(true)),
      command: z.optional(z.literal(true)),
    }),
  ),
});

/** How the runs of workflows stand, worked out of their tasks. */
export const workflowStatus = operation({
  name: 'workflow.status',
  input: z.strictObject({ run: z.optional(z.string()) }),
  output: z.object({
    runs: z.array(runShape),
    /** Workflows that begin by themselves; none where one run is named. */
    begins: z.array(z.extend(standingShape, { workflow: z.string() })),
  }),
  async run(context, { run: name }) {
    const view = await (await context.graph()).view();
    const runs = name === undefined ? workflowRuns(view) : [workflowRunNamed(view, name)];
    const standings = name === undefined ? await triggerStandings(context) : new Map<string, StandingRow>();
    return {
      begins: [...standings].map(([workflow, row]) => ({ workflow, ...row })),
      runs: runs.map(({ run, workflow, tasks }) => ({
        ...{ run, workflow, outcome: outcomeOf(view, tasks) },
        done: tasks.filter((task) => task.status === 'done').length,
        total: tasks.length,
        tasks: tasks.map((task) => ({
          ...{ id: task.id, node: markOf(task)?.node ?? task.id, title: task.title, status: task.status },
          ...(task.member === undefined ? {} : { member: task.member }),
          ...(HUMAN.of(task) === true ? { human: true as const } : {}),
          ...(task.exec === undefined ? {} : { command: true as const }),
        })),
      })),
    };
  },
});

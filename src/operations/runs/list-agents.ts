import * as z from 'zod/mini';
import { type Context, operation } from '#operations/operation.js';
import type { ListedRun } from '#ports/run-host.js';
import { agentRow } from './agent-rows.js';

const row = z.object({
  id: z.string(),
  task_id: z.string(),
  executor: z.string(),
  pid: z.nullable(z.number()),
  status: z.string(),
  /** Seconds. */
  uptime: z.number(),
  started_at: z.string(),
  last_heartbeat: z.nullable(z.string()),
});

const AT_WORK = new Set(['starting', 'working', 'stopping']);

/** The runs at work; with `all` also those that ended lately. */
export const agents = operation({
  name: 'agent.list',
  input: z.strictObject({ all: z.optional(z.boolean()) }),
  output: z.object({ agents: z.array(row) }),
  async run(context, input) {
    const now = context.clock.now();
    const rows = (await known(context)).filter((run) => input.all === true || AT_WORK.has(run.status));
    return { agents: rows.map((run) => agentRow(run, now)).sort((left, right) => order(left.id, right.id)) };
  },
});

/** The coordinator knows best; what it has settled, and what runs without one, the registry tells. */
async function known(context: Context): Promise<readonly ListedRun[]> {
  const live = context.coordinator?.().agents() ?? [];
  const ids = new Set(live.map(({ id }) => id));
  const listed = await (await context.runs()).listed();
  return [...listed.filter(({ id }) => !ids.has(id)), ...live];
}

/** agent-10 comes after agent-9. */
function order(left: string, right: string): number {
  return left.length - right.length || (left < right ? -1 : 1);
}

import * as z from 'zod/mini';
import { readiness } from '#core/graph/ready.js';
import { isTerminal } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { type BlockingChain, blockersIn, blockingOf, unmetDependencies } from '#core/insight/blocking.js';
import { briefOf } from '#core/insight/brief.js';
import { packetOf, packetShape } from '#core/insight/packet.js';
import { brief, ids, list, nullableText, status } from '#core/insight/shapes.js';
import { factShape, reasonsOf, whyFacts } from '#core/insight/why.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { GraphContext, MachineContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { coordinationIn } from './coordination.js';
import { section } from './section.js';

/** Reasons why a task is not running, most important first; never empty. */
export const why = operation({
  name: 'task.why',
  command: 'why',
  group: 'Progress',
  kind: 'read',
  summary: 'Show why a task is not running, and how to fix that',
  examples: ['troupe why run-the-tests', 'troupe why run-the-tests --json'],
  input: z.strictObject({ id: TASK_ID }),
  output: list(factShape),
  async run(context: GraphContext & MachineContext, input) {
    const view = await (await context.graph()).view();
    return whyFacts(view, taskOf(view, input.id), context.clock.now(), await coordinationIn(context, view));
  },
});

/** Predecessors a task currently waits for. */
export const blocked = section({
  output: z.object({ task: brief, blockers: list(z.extend(brief, { assigned: nullableText })) }),
  async run({ view, context, id }) {
    const task = taskOf(view, id);
    return {
      task: briefOf(task),
      blockers: unmetDependencies(view, task, context.clock.now()).map((other) => ({
        ...briefOf(other),
        assigned: other.assigned ?? null,
      })),
    };
  },
});

const chain: z.ZodMiniType<BlockingChain> = z.object({
  id: z.string(),
  status,
  get after() {
    return list(chain);
  },
});

/** All reasons why a task is blocked, from the graph and from the coordinator, with the chain of blocking tasks. */
export const whyBlocked = section({
  output: z.object({
    task: brief,
    ready: z.boolean(),
    reasons: list(z.object({ code: z.string(), ids: z.optional(ids), until: z.optional(z.string()) })),
    is_blocked: z.boolean(),
    blocking_chain: chain,
    root_blockers: list(
      z.object({ id: z.string(), title: z.string(), status, assigned: nullableText, is_ready: z.boolean() }),
    ),
    total_blockers: z.number(),
  }),
  async run({ view, context, id: taskId }) {
    const now = context.clock.now();
    const task = taskOf(view, taskId);
    const { ready, reasons } = readiness(view, task.id, now);
    const settled = isTerminal(task.status) || task.status === 'in-progress';
    const { blocking_chain, root_blockers, total_blockers } = blockingOf(view, task, now);
    return {
      task: briefOf(task),
      ready,
      reasons: reasonsOf(view, task, now, await coordinationIn(context, view)),
      is_blocked: !settled && blockersIn(reasons).length > 0,
      blocking_chain,
      root_blockers: root_blockers
        .slice(0, SURFACE_LIMITS.analysisRows)
        .map(({ id, title, status: state, assigned }) => ({
          id,
          title,
          status: state,
          assigned: assigned ?? null,
          is_ready: readiness(view, id, now).ready,
        })),
      total_blockers,
    };
  },
});

const _entry = z.object({ timestamp: z.string(), actor: z.optional(z.string()), message: z.string() });

/** The context that a run of a task receives. */
export const showContext = operation({
  name: 'task.context',
  command: 'context',
  group: 'Attempts',
  kind: 'read',
  instead: 'prompt --context',
  summary: 'Show the context of a task: its texts and the results of its dependencies',
  examples: ['troupe prompt run-the-tests --context', 'troupe prompt run-the-tests --context --dependents'],
  input: z.strictObject({
    id: TASK_ID,
    dependents: option('Include the tasks that use what it produces', z.optional(z.boolean())),
  }),
  output: packetShape,
  async run(context: GraphContext, input) {
    const view = await (await context.graph()).view();
    return packetOf(view, input.id, { dependents: input.dependents === true });
  },
});

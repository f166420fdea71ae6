import * as z from 'zod/mini';
import { checkGraph, fromReading } from '#core/insight/check.js';
import { checkMerge } from '#core/insight/check-merges.js';
import type { Complaint } from '#core/insight/complaint.js';
import { operation } from '#operations/operation.js';
import { ids, list, nullableText } from './shapes.js';

/** Looks for what can never work and for what may be meant otherwise. */
export const check = operation({
  name: 'graph.check',
  input: z.strictObject({}),
  output: z.object({
    ok: z.boolean(),
    errors: z.number(),
    warnings: z.number(),
    node_count: z.number(),
    problems: list(
      z.object({
        code: z.string(),
        severity: z.enum(['error', 'warning']),
        task_id: nullableText,
        ids,
        hint: z.string(),
      }),
    ),
    structural_cycles: list(z.object({ header: z.string(), members: ids, reducible: z.boolean() })),
  }),
  async run(context) {
    const store = await context.graph();
    const view = await store.view();
    const merges: Complaint[] = [];
    for await (const entry of store.entries(1)) merges.push(...checkMerge(view, entry));
    return checkGraph(view, [...fromReading(await store.health()), ...merges]);
  },
});

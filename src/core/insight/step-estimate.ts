import * as z from 'zod/mini';
import type { Spending } from '#core/coordinator/budget-book.js';

/** A step of a playbook that a client does. */
export interface EstimatedStep {
  readonly workflow: string;
  readonly node: string;
}

export const stepEstimateShape = z.object({
  /** Null if no earlier attempt has a known price. */
  usd: z.nullable(z.number()),
  tokens: z.number(),
  /** Number of earlier tasks that it is based on. */
  tasks: z.number(),
});
export type StepEstimate = z.infer<typeof stepEstimateShape>;

/**
 * Expected cost of steps: for each the mean of earlier tasks of the same step, else of all earlier tasks. Undefined
 * without any.
 */
export function estimateSteps(
  steps: readonly EstimatedStep[],
  spendings: readonly Pick<Spending, 'task' | 'usd' | 'tokens'>[],
  stepOf: (task: string) => EstimatedStep | undefined,
): StepEstimate | undefined {
  const past = new Map<string, { usd: number; tokens: number }>();
  for (const { task, usd, tokens } of spendings) {
    if (task === undefined) continue;
    const before = past.get(task) ?? { usd: 0, tokens: 0 };
    past.set(task, { usd: before.usd + usd, tokens: before.tokens + tokens });
  }
  if (past.size === 0 || steps.length === 0) return undefined;
  const tasks = [...past].map(([id, cost]) => ({ id, ...cost, step: stepOf(id) }));
  const used = new Set<string>();
  let [usd, tokens] = [0, 0];
  for (const { workflow, node } of steps) {
    const same = tasks.filter(({ step }) => step?.workflow === workflow && step.node === node);
    const like = same.length > 0 ? same : tasks;
    usd += meanOf(like.map((one) => one.usd));
    tokens += meanOf(like.map((one) => one.tokens));
    for (const { id } of like) used.add(id);
  }
  return { usd: usd > 0 ? usd : null, tokens: Math.round(tokens), tasks: used.size };
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

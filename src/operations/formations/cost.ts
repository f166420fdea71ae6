import { Ledger, reservationOf } from '#core/coordinator/budget.js';
import { BudgetBook, isBounded } from '#core/coordinator/budget-book.js';
import type { Task } from '#core/graph/task.js';
import type { GraphContext, MachineContext } from '#operations/contexts.js';
import { loadSettings } from '#operations/load-settings.js';
import { allowanceOf } from '#operations/settings/budget.js';

/** Estimated cost of a line-up: the reservation of one attempt for each task. */
export interface LineUpCost {
  readonly usd: number;
  readonly tokens: number;
  /** Reason why the budget does not cover it; undefined if it does, or there is no limit. */
  readonly over: string | undefined;
}

/** Fields of a task that affect its cost, planned or in the graph. */
interface Costed {
  readonly id: string;
  readonly human?: boolean | undefined;
  readonly exec_mode?: string | undefined;
}

/** Estimates the cost of a line-up. Reads the ledger only if there is a limit. */
export async function lineUpCost(
  context: GraphContext & MachineContext,
  { tasks }: { readonly tasks: readonly Costed[] },
): Promise<LineUpCost> {
  const { settings } = await loadSettings(context);
  const allowance = allowanceOf(settings.budget);
  const book = new BudgetBook();
  const bounded = isBounded(allowance);
  if (bounded) for await (const entry of (await context.graph()).entries(1)) book.add(entry);
  const budget = book.budget(allowance, context.clock.now());
  const ledger = bounded ? new Ledger(budget) : undefined;
  const sum = { usd: 0, tokens: 0 };
  let over: string | undefined;
  for (const task of tasks) {
    if (task.human === true || task.exec_mode === 'shell') continue;
    const attempt = task as unknown as Task;
    const reserve = reservationOf(attempt, budget);
    over ??= ledger?.refusal(attempt)?.text;
    ledger?.take(task.id, reserve);
    sum.usd += reserve.usd;
    sum.tokens += reserve.tokens;
  }
  return { ...sum, over };
}

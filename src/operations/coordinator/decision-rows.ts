import type { CoordinatorDecision } from '#core/coordinator/parts.js';
import type { TickResult } from './coordinator-loop.js';

/** A decision as displayed to people and programs. */
export interface DecisionRow {
  readonly do: CoordinatorDecision['do'];
  readonly task?: string;
  readonly run?: string;
  readonly executor?: string;
  readonly reason: string;
}

export function decisionRows(decisions: readonly CoordinatorDecision[]): DecisionRow[] {
  return decisions.map((decision) => ({
    do: decision.do,
    ...('task' in decision ? { task: decision.task } : {}),
    ...('run' in decision ? { run: decision.run } : {}),
    ...('executor' in decision ? { executor: decision.executor } : {}),
    reason: decision.reason,
  }));
}

/** A requested tick: its decisions, and those that followed while its errands were awaited. */
export interface TickRows {
  readonly decisions: readonly DecisionRow[];
  readonly consequences: readonly DecisionRow[];
}

export function tickRows({ decisions, consequences }: TickResult): TickRows {
  return { decisions: decisionRows(decisions), consequences: decisionRows(consequences) };
}

/** A decision as one line. */
export function decisionText(decision: CoordinatorDecision): string {
  const [row] = decisionRows([decision]);
  return `${[row?.do, row?.task, row?.run].filter((word) => word !== undefined).join(' ')}: ${decision.reason}`;
}

import type { CoordinatorDecision } from '#core/coordinator/parts.js';
import type { TickResult } from './coordinator-loop.js';

/** A decision as people and programs are shown it. */
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

/** A tick that was asked for: what it decided, and what followed while what it had begun was waited for. */
export interface TickRows {
  readonly decisions: readonly DecisionRow[];
  readonly consequences: readonly DecisionRow[];
}

export function tickRows({ decisions, consequences }: TickResult): TickRows {
  return { decisions: decisionRows(decisions), consequences: decisionRows(consequences) };
}

/** The same as one line. */
export function decisionText(decision: CoordinatorDecision): string {
  const [row] = decisionRows([decision]);
  return `${[row?.do, row?.task, row?.run].filter((word) => word !== undefined).join(' ')}: ${decision.reason}`;
}

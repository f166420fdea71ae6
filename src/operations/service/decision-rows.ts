import type { Decision } from '#core/coordinator/decision.js';

/** A decision as people and programs are told of it. */
export interface DecisionRow {
  readonly do: Decision['do'];
  readonly task?: string;
  readonly run?: string;
  readonly executor?: string;
  readonly reason: string;
}

export function decisionRows(decisions: readonly Decision[]): DecisionRow[] {
  return decisions.map((decision) => ({
    do: decision.do,
    ...('task' in decision ? { task: decision.task } : {}),
    ...('run' in decision ? { run: decision.run } : {}),
    ...('executor' in decision ? { executor: decision.executor } : {}),
    reason: decision.reason,
  }));
}

/** The same as one line. */
export function saidOf(decision: Decision): string {
  const [row] = decisionRows([decision]);
  return `${[row?.do, row?.task, row?.run].filter((word) => word !== undefined).join(' ')}: ${decision.reason}`;
}

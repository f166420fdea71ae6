import type { EventDraft, Plan } from '#core/graph/event.js';
import type { FormationRecord } from '#core/playbooks/record.js';

export const RUN = '20261123-queue-1f0c';
export const HOLDER = { name: 'agent-1', fence: 1, taskId: `${RUN}-step` };

/** A stored record of a run. */
export const recordOf = (more: Partial<FormationRecord> = {}): FormationRecord => ({
  ...{ formation: 'crew', run: RUN, goal: 'Drop the queue', state: 'running', at: '2026-03-21T10:00:00.000Z' },
  ...{ seats: [], tasks: [], options: {}, kept: {}, defaults: [], stumbles: {}, notes: [], handoffs: {} },
  ...{ judged: {}, stale: [] },
  ...more,
});

/** Events, one per line, and the result; the name of the run is replaced by RUN. */
export function told({
  events,
  result,
}: Plan<unknown> | { events: readonly EventDraft[]; result?: undefined }): string[] {
  const lines = events.map(
    ({ op, task_id, actor, detail, patch }) =>
      `    ${op} ${task_id ?? ''} by ${actor ?? ''} ${JSON.stringify({ detail, patch })}`,
  );
  return [...lines, ...(result === undefined ? [] : [`    = ${JSON.stringify(result)}`])];
}

export const page = (lines: readonly string[]): string => `${lines.join('\n').replaceAll(RUN, 'RUN')}\n`;

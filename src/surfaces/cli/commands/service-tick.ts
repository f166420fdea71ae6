import { inert } from '#kernel/text.js';
import type { Invocation } from '../invocation.js';
import { printTable } from '../table.js';
import { type ServiceStatus, serviceLine } from './service-ask.js';

interface Row {
  readonly do: string;
  readonly task?: string;
  readonly run?: string;
  readonly reason: string;
}

interface Answer extends Partial<ServiceStatus> {
  readonly decisions: readonly Row[];
  /** What followed while what the tick had begun was waited for; of a dry run nothing does. */
  readonly consequences?: readonly Row[];
}

/** One tick, wherever it can be made: what was decided, or would be. A service says how it is then, too. */
export async function execute({ host, screen, json, folder, input }: Invocation): Promise<number> {
  const answer = (await host.tick(input['dry_run'] === true, folder)) as Answer;
  if (json) {
    screen.line(JSON.stringify(answer));
    return 0;
  }
  const rows = [...answer.decisions, ...(answer.consequences ?? [])];
  if (rows.length === 0) screen.line('Nothing is to be done now. `troupe ready` shows what could start.');
  else
    printTable(screen, rows, [
      { title: 'DECISION', text: (row) => row.do },
      { title: 'TASK', text: (row) => inert(row.task ?? '') },
      { title: 'RUN', text: (row) => inert(row.run ?? '') },
      { title: 'BECAUSE', text: (row) => inert(row.reason), flexible: true },
    ]);
  const { pid, started_at, agents, coordinator } = answer;
  if (pid !== undefined && started_at !== undefined && agents && coordinator)
    screen.line(serviceLine({ pid, started_at, agents, coordinator }));
  return 0;
}

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

/** One tick, wherever it can be made. A service answers with how it is then; a dry run and a tick here with what was decided. */
export async function execute({ host, screen, json, folder, input }: Invocation): Promise<number> {
  const answer = (await host.tick(input['dry_run'] === true, folder)) as ServiceStatus | { decisions: Row[] };
  if (json) screen.line(JSON.stringify(answer));
  else if (!('decisions' in answer)) screen.line(serviceLine(answer));
  else if (answer.decisions.length === 0)
    screen.line('Nothing is to be done now. `troupe ready` shows what could start.');
  else
    printTable(screen, answer.decisions, [
      { title: 'DECISION', text: (row) => row.do },
      { title: 'TASK', text: (row) => inert(row.task ?? '') },
      { title: 'RUN', text: (row) => inert(row.run ?? '') },
      { title: 'BECAUSE', text: (row) => inert(row.reason), flexible: true },
    ]);
  return 0;
}

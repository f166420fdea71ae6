import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { type Column, printTable } from '../table.js';

interface Row {
  readonly id: string;
  readonly name: string;
  readonly task_count: number;
  readonly avg_score: number | null;
  readonly description?: string;
  readonly role_name?: string | null;
  readonly tradeoff_name?: string | null;
  readonly executor?: string;
  readonly trust_level?: string;
  readonly capabilities?: readonly string[];
}

const EMPTY = {
  role: 'No roles yet. `troupe agency init` brings some to begin with.',
  tradeoff: 'No trade-offs yet. `troupe agency init` brings some to begin with.',
  agent: 'No agents yet. Make one with `troupe agent create NAME --role ROLE --tradeoff TRADEOFF`.',
} as const;

export const render: Renderer<'role.list' | 'tradeoff.list' | 'identity.list'> = (
  { kind, entities, warnings },
  screen,
) => {
  const what: Column<Row>[] =
    kind === 'agent'
      ? [
          { title: 'MADE OF', text: madeOf },
          { title: 'RUN BY', text: (row) => inert(row.executor ?? '') },
          { title: 'TRUST', text: (row) => row.trust_level ?? '' },
          {
            title: 'CAN',
            text: (row) => (row.capabilities ?? []).map((word) => inert(word)).join(', '),
            flexible: true,
          },
        ]
      : [{ title: 'WHAT', text: (row) => inert(row.description ?? ''), flexible: true }];
  if (entities.length === 0) screen.line(EMPTY[kind]);
  else {
    printTable(screen, entities, [
      { title: 'ID', text: (row) => row.id.slice(0, 8), paint: (text) => screen.colour.dim(text) },
      { title: 'NAME', text: (row) => inert(row.name) },
      { title: 'SCORE', text: (row) => row.avg_score?.toFixed(2) ?? '-', right: true },
      { title: 'TASKS', text: (row) => String(row.task_count), right: true },
      ...what,
    ]);
  }
  for (const warning of warnings) screen.aside(`${screen.colour.yellow('left out:')} ${inert(warning)}`);
};

function madeOf({ role_name, tradeoff_name }: Row): string {
  const parts = [role_name, tradeoff_name].filter((part) => part !== null && part !== undefined);
  return parts.length === 0 ? 'a person' : parts.map((part) => inert(part ?? '')).join(' × ');
}

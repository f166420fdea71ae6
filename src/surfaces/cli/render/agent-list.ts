import { formatDuration } from '#kernel/duration.js';
import { inert } from '#kernel/text.js';
import type { Renderer } from '#surfaces/cli/screen.js';
import { printTable } from '../table.js';

/** A row a run. */
export const render: Renderer<'agent.list'> = ({ agents }, screen) => {
  const { colour } = screen;
  if (agents.length === 0) {
    screen.line('No runs are at work. `troupe ready` shows what could be.');
    return;
  }
  printTable(screen, agents, [
    { title: 'RUN', text: (row) => inert(row.id) },
    { title: 'TASK', text: (row) => inert(row.task_id), flexible: true },
    { title: 'BY', text: (row) => inert(row.executor) },
    { title: 'PID', text: (row) => (row.pid === null ? '' : String(row.pid)), right: true },
    {
      title: 'STATUS',
      text: (row) => inert(row.status),
      paint: (text, row) => (row.status === 'dead' || row.status === 'failed' ? colour.red(text) : text),
    },
    { title: 'SINCE', text: (row) => formatDuration(row.uptime * 1_000), right: true },
  ]);
};

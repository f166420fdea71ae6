import { formatDuration } from '#kernel/duration.js';
import { inert } from '#kernel/text.js';
import type { Renderers } from '#surfaces/cli/screen.js';

const ENDS: Readonly<Record<string, string>> = {
  finished: 'Everything ends',
  stuck: 'It stalls',
  until: 'It is not finished',
  'too-long': 'It does not end',
};

export const renderers = {
  /** Prints the outcome and its time, then the totals, then the tasks that are left. */
  'graph.simulate': (output, screen) => {
    const { colour } = screen;
    const total = Object.values(output.statuses).reduce((sum, count) => sum + count, 0);
    if (total === 0) return screen.line('There is nothing to simulate: add tasks with `troupe add "Title"`.');
    const paint = output.ended === 'finished' ? colour.green : colour.yellow;
    screen.line(`${paint(ENDS[output.ended] ?? output.ended)} after ${formatDuration(output.took_ms)}.`);
    const statuses = Object.entries(output.statuses).map(([status, count]) => `${count} ${status}`);
    const row = (label: string, value: string) => screen.line(`  ${colour.dim(label.padEnd(8))}  ${value}`);
    row('tasks', statuses.sort().join(', '));
    row('runs', `${output.runs}${output.deaths > 0 ? `, ${output.deaths} died` : ''}`);
    row('at once', `${output.at_once.most} at most, ${output.at_once.average} on average, of ${output.agents}`);
    if (output.crashes > 0) row('crashes', `${output.crashes} of the service`);
    if (output.cost_usd > 0) row('cost', `${output.cost_usd.toFixed(2)} USD`);
    row('seed', String(output.seed));
    if (output.left.length > 0) {
      row(
        'left',
        output.left
          .slice(0, 10)
          .map((id) => inert(id))
          .join(', ') + (output.left.length > 10 ? ', …' : ''),
      );
      screen.aside(`Next: \`troupe why ${inert(output.left[0] ?? '')}\` shows why.`);
    }
  },
} satisfies Partial<Renderers>;

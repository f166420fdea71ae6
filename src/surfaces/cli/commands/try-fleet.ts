import { inert } from '#kernel/text.js';
import type { FleetNews, FleetResult } from '#ports/fleet-trial.js';
import type { Invocation } from '#surfaces/cli/invocation.js';

const INTERRUPTED = 130;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const NEXT: readonly (readonly [command: string, meaning: string])[] = [
  ['troupe database move --to ADDRESS', 'keep a project of yours in a database'],
  ['troupe service start', 'lead it; on a second machine, stand by'],
  ['troupe worker start', 'work for it, in a clone on any machine'],
  ['troupe machines', 'see who leads and who works'],
];

/**
 * Runs a fleet on this machine and prints one line per event. A signal stops it; it still removes everything it
 * created.
 */
export async function execute(invocation: Invocation): Promise<number> {
  const { host, screen, json } = invocation;
  const stop = new AbortController();
  const hear = () => stop.abort();
  for (const signal of SIGNALS) process.on(signal, hear);
  try {
    screen.aside(screen.colour.dim('A database, a leader and two workers, in a folder that is removed at the end.'));
    const result = await host.tryFleet((news) => tell(invocation, news), stop.signal);
    if (json) screen.line(JSON.stringify({ event: 'finished', ...result }));
    else print(invocation, result);
    return 0;
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    screen.aside('Stopped. Nothing of it is left.');
    return INTERRUPTED;
  } finally {
    for (const signal of SIGNALS) process.off(signal, hear);
  }
}

function tell({ screen, json }: Invocation, news: FleetNews): void {
  if (json) {
    screen.line(JSON.stringify(news));
    return;
  }
  const { cyan, dim, green, magenta, yellow, blue } = screen.colour;
  const colours = {
    database: dim,
    leads: cyan,
    arrived: cyan,
    planned: magenta,
    took: yellow,
    ended: blue,
    merged: green,
  };
  const words = [colours[news.event](news.event.padEnd(8)), news.who.padEnd(8), (news.task ?? '').padEnd(9)];
  screen.line([...words, inert(news.text)].join('  '));
}

function print({ screen }: Invocation, { workers, file, lines }: FleetResult): void {
  const { bold, dim, cyan } = screen.colour;
  screen.line();
  screen.line(bold(`${file}, merged of ${Object.keys(workers).length} workers`));
  for (const line of lines) screen.line(`  ${inert(line)}`);
  screen.line();
  screen.line(bold('The same with machines of yours'));
  const width = Math.max(...NEXT.map(([command]) => command.length));
  for (const [command, meaning] of NEXT) screen.line(`  ${cyan(command.padEnd(width))}  ${dim(meaning)}`);
}

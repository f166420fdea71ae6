import { systemClock } from '#kernel/clock.js';
import { inert } from '#kernel/text.js';
import { ago } from '#surfaces/cli/ago.js';
import type { Renderer, Renderers } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';

const renderList: Renderer<'worker.list'> = ({ project, workers }, screen) => {
  if (workers.length === 0) {
    screen.line(`No worker is there for ${inert(project)}.`);
    screen.aside('`troupe worker start` in a clone of the repository, on any machine, starts one.');
    return;
  }
  const { colour } = screen;
  const paint = {
    idle: colour.dim,
    working: colour.green,
    draining: colour.yellow,
    stopping: colour.yellow,
    silent: colour.red,
  };
  printTable(screen, workers, [
    { title: 'WORKER', text: ({ name }) => inert(name) },
    { title: 'STATE', text: ({ state }) => state, paint: (text, { state }) => paint[state](text) },
    { title: 'SLOTS', text: ({ used, slots }) => `${used}/${slots}`, right: true },
    {
      title: 'RUNS',
      text: ({ runs }) => runs.map(({ run, task }) => `${run} ${inert(task)}`).join(', '),
      flexible: true,
    },
    { title: 'LABELS', text: ({ labels }) => labels.map((label) => inert(label)).join(', ') },
    { title: 'CLIENTS', text: ({ executors }) => executors.map((name) => inert(name)).join(', ') },
    { title: 'HEARD', text: ({ last_heard }) => ago(last_heard, systemClock.now()) },
    { title: 'AT', text: ({ at, version }) => `${inert(at)}, ${inert(version)}` },
  ]);
};

export const renderers = {
  'worker.list': renderList,
  'worker.drain': ({ worker }, screen) =>
    screen.line(`${inert(worker)} takes nothing new, and goes when its runs have ended.`),
  'worker.stop': ({ worker }, screen) =>
    screen.line(`${inert(worker)} ends its runs, publishes what they made, and goes.`),
} satisfies Partial<Renderers>;

import { formatDuration } from '#kernel/duration.js';
import { inert, plural } from '#kernel/text.js';
import type { Output } from '#operations/map.js';
import type { AnswerOf, Renderers, Screen } from '#surfaces/cli/screen.js';

type Status = AnswerOf<'service.status'>;

/** Warns that the client of tasks without a command cannot be started, if that is so. */
export function tellMissing(
  { executor, executor_missing: missing }: Pick<Output<'service.reload'>, 'executor' | 'executor_missing'>,
  screen: Screen,
): void {
  if (missing === undefined) return;
  const text = `${inert(executor)} does not start, so tasks without a command wait: ${inert(missing)}`;
  screen.aside(screen.colour.yellow(text));
}

export function listensLine(addresses: readonly string[]): string {
  return `It listens at ${addresses.map((one) => inert(one)).join(' and ')}.`;
}

export function serviceLine({
  pid,
  started_at,
  agents,
  coordinator,
}: Pick<Status, 'pid' | 'started_at' | 'agents' | 'coordinator'>): string {
  const up = formatDuration(Date.now() - Date.parse(started_at));
  const state = coordinator.paused ? 'paused, up' : 'running for';
  const far = agents.at_workers > 0 ? ` here and ${agents.at_workers} at workers` : '';
  return `Service ${state} ${up} (pid ${pid}): ${agents.alive} of ${coordinator.max_agents} agents running${far}, ${plural(coordinator.tasks_ready, 'task')} ready, ${plural(coordinator.ticks, 'tick')}.`;
}

function tellLeadership({ leadership, workers = [] }: Status, screen: Screen): void {
  if (leadership === undefined) return;
  const { leader, epoch, standbys } = leadership;
  const waiting =
    standbys.length === 0 ? 'Nobody stands by.' : `Standing by: ${standbys.map((name) => inert(name)).join(', ')}.`;
  screen.line(`${inert(leader)} leads the project (epoch ${epoch}). ${waiting}`);
  if (workers.length === 0) return;
  const named = workers.map(({ name, silent }) => `${inert(name)}${silent ? ' (silent)' : ''}`);
  screen.line(`${plural(workers.length, 'worker')}: ${named.join(', ')}. \`troupe machines\` shows what they do.`);
}

export const renderers = {
  'service.pause': (_, screen) => screen.line('Paused: nothing new starts, not even after a restart.'),
  'service.reload': (values, screen) => {
    const { max_agents: agents, poll_interval: seconds, executor, model } = values;
    const who = model === null ? executor : `${executor} with ${model}`;
    screen.line(`From the next tick: ${plural(agents, 'agent')} at most, a tick every ${seconds} s, ${inert(who)}.`);
    tellMissing(values, screen);
  },
  'service.resume': (_, screen) => screen.line('Resumed.'),
  /** Prints the state of the service on one line, its addresses and its leadership. */
  'service.status': (status, screen) => {
    screen.line(serviceLine(status));
    if (status.listens) screen.line(listensLine(status.listens));
    tellLeadership(status, screen);
  },
  'service.stop': (_, screen) => screen.line('The service is stopping.'),
} satisfies Partial<Renderers>;

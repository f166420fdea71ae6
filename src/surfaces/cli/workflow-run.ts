import { inert, plural } from '#kernel/text.js';
import type { Output } from '#operations/map.js';
import type { WatchOptions, Work } from './foreground-run.js';
import type { Session } from './host.js';
import type { Invocation } from './invocation.js';
import type { LiveTask } from './live-rows.js';
import { printRun, type Run } from './render/workflows.js';

/**
 * A run of a workflow under way: over when it has come to an end. With `exit` also when only people can go on with it, or
 * nobody: then it says what it waits for. The exit code is 0 unless the run ended otherwise than passed.
 */
export function workflowWork(
  { screen }: Invocation,
  session: Session,
  { run: name, task_ids }: Pick<Output<'work.start'>, 'run' | 'task_ids'>,
  { exit }: Pick<WatchOptions, 'exit'>,
): Work {
  const announced = new Set<string>();
  const standing = async (): Promise<Run> => {
    const { runs } = await session.call('workflow.status', { run: name });
    const [only] = runs;
    if (only === undefined) throw new Error(`There is no run ${name}`);
    return only;
  };
  return {
    tasks: new Set(task_ids),
    over: async (tasks) => {
      const now = await standing();
      if (now.outcome !== 'running') return true;
      const waiting = await heldUp(session, now, tasks);
      for (const text of waiting ?? []) {
        if (!announced.has(text)) screen.aside(`${screen.colour.yellow('waits:')} ${text}`);
        announced.add(text);
      }
      return waiting !== undefined && exit;
    },
    summary: async () => {
      const facts = await standing();
      const { outcome } = facts;
      const print = async () => {
        screen.line();
        printRun(facts, screen);
        if (outcome === 'running') screen.aside('It goes on with `troupe run --resume`, or with a service.');
      };
      return { facts, print, exitCode: outcome === 'passed' || outcome === 'running' ? 0 : 1 };
    },
  };
}

/** Why nothing of it goes on by itself; undefined while something does, or may. */
async function heldUp(session: Session, now: Run, tasks: readonly LiveTask[]): Promise<string[] | undefined> {
  const states = new Map(tasks.map((task) => [task.id, task.state]));
  const inState = (...accepted: string[]) => now.tasks.filter((task) => accepted.includes(states.get(task.id) ?? ''));
  if (inState('in-progress', 'waiting').length > 0) return undefined;
  const ready = inState('ready');
  const people = [...ready.filter((task) => task.human === true), ...inState('pending-validation', 'blocked')];
  const others = ready.filter((task) => task.human !== true);
  const { service } = await session.call('status.work', {});
  const clientless = others.filter((task) => task.command !== true);
  const able = service.executor !== null && service.missing === null;
  if (others.length > clientless.length || (clientless.length > 0 && able)) return undefined;
  if (people.length + clientless.length === 0) return undefined;
  return [
    ...people.map(
      ({ id }) => `${inert(id)} is for a person: \`troupe show ${inert(id)}\`, then done, fail or abandon.`,
    ),
    ...(clientless.length === 0
      ? []
      : [
          `${plural(clientless.length, 'task')} for want of a client: ${inert(service.missing ?? 'say which with --executor')}`,
        ]),
  ];
}

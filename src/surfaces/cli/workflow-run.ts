import { inert, plural } from '#kernel/text.js';
import type { Input } from '#operations/map.js';
import { type WatchOptions, watchWork } from './foreground-run.js';
import type { Session } from './host.js';
import type { Invocation } from './invocation.js';
import type { LiveTask } from './live-rows.js';
import { printRun, type Run } from './render/workflows.js';

export interface WorkflowWatch extends WatchOptions {
  /** Begins the run, or finds one; answers its name. */
  begin(session: Session): Promise<string>;
}

/**
 * Stays until a run of a workflow has come to an end. With `exit` also until only people can go on with it, or nobody: then it
 * says what it waits for. The exit code is 0 unless the run ended otherwise than passed.
 */
export function watchWorkflow(invocation: Invocation, projectFolder: string, watch: WorkflowWatch): Promise<number> {
  const { screen, json } = invocation;
  const said = new Set<string>();
  let name = '';
  const stand = async (session: Session): Promise<Run> => {
    const { runs } = await session.call('workflow.status', { run: name });
    const [only] = runs;
    if (only === undefined) throw new Error(`There is no run ${name}`);
    return only;
  };
  return watchWork(invocation, projectFolder, watch, {
    begin: async (session) => {
      name = await watch.begin(session);
      return new Set((await stand(session)).tasks.map((task) => task.id));
    },
    over: async (session, tasks) => {
      const now = await stand(session);
      if (now.outcome !== 'running') return true;
      const waiting = await heldUp(session, now, tasks);
      for (const text of waiting ?? []) {
        if (!said.has(text)) screen.aside(`${screen.colour.yellow('waits:')} ${text}`);
        said.add(text);
      }
      return waiting !== undefined && watch.exit;
    },
    facts: (session) => stand(session),
    tell: async (facts) => {
      const { outcome } = facts;
      if (!json) {
        screen.line();
        printRun(facts, screen);
        if (outcome === 'running') screen.aside('It goes on with `troupe run --resume`, or with a service.');
      }
      return outcome === 'passed' || outcome === 'running' ? 0 : 1;
    },
    resume: 'troupe run --resume',
  });
}

/** Makes the tasks of a workflow and says what there is to say of them; answers the name of the run. */
export async function startRun(
  { screen }: Invocation,
  session: Session,
  wish: Input<'workflow.run'> & { readonly id: string },
): Promise<string> {
  const { run, warnings } = await session.call('workflow.run', wish);
  for (const warning of warnings) screen.aside(`${screen.colour.yellow('warning:')} ${inert(warning)}`);
  screen.aside(`${inert(wish.id)} runs as ${screen.colour.bold(inert(run))}.`);
  return run;
}

/** Why nothing of it goes on by itself; undefined while something does, or may. */
async function heldUp(session: Session, now: Run, tasks: readonly LiveTask[]): Promise<string[] | undefined> {
  const states = new Map(tasks.map((task) => [task.id, task.state]));
  const inState = (...wanted: string[]) => now.tasks.filter((task) => wanted.includes(states.get(task.id) ?? ''));
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

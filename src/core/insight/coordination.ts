import { type Refusal, raiseCommand, roomAgain } from '#core/coordinator/budget.js';
import type { SilentWorker, unmetNeeds, WorkerWorry } from '#core/coordinator/elsewhere.js';
import { gateCommand } from '#core/graph/formation-gate.js';
import type { Task } from '#core/graph/task.js';
import { timestamp } from '#kernel/clock.js';
import { inert, shellWord } from '#kernel/text.js';
import { doerOf } from './done-by.js';

/** What the coordinator knows that the graph does not. */
export interface Coordination {
  /** Is a coordinator at work for this project? */
  readonly running: boolean;
  readonly paused: boolean;
  /** Runs alive and how many may be. */
  readonly alive: number;
  readonly most: number;
  /** The client that tasks without a command go to, or why there is none. */
  readonly executor?: string | undefined;
  readonly missing?: string | undefined;
  /** Nothing starts before then, in milliseconds, because too many runs said nothing. */
  readonly backOffUntil?: number | undefined;
  /** What holds the client of this task; undefined when nothing does. */
  readonly holdOf?: ((task: Task) => ClientHoldRow | undefined) | undefined;
  /** Would it run a command that nobody on this machine has agreed to? */
  readonly waitsForTrust: (task: Task) => boolean;
  /** Why the budget does not allow a run of this task now; undefined when it does. */
  readonly refusal?: ((task: Task) => Refusal | undefined) | undefined;
  /** Whoever would do this task has as much as they may have at once, in words; undefined when they have not. */
  readonly full?: ((task: Task) => string | undefined) | undefined;
  /** The agent this task is for, where there is no such agent here. */
  readonly missingAgent?: ((task: Task) => string | undefined) | undefined;
  /** Why no worker can take this task, which asks for labels; undefined when one could. */
  readonly unmetNeeds?: ((task: Task) => ReturnType<typeof unmetNeeds>) | undefined;
  /** Why a task that has to go to a worker waits for one of those that can take it, in words; undefined when it does not. */
  readonly fullWorkers?: ((task: Task) => string | undefined) | undefined;
  /** Workers that get nothing, as nobody chose a remote for their work. */
  readonly unusedWorkers?: readonly string[] | undefined;
  /** The worker that has this run; undefined of one that works here. */
  readonly workerOf?: ((run: string) => string | undefined) | undefined;
  /** Workers that nobody has heard of for their whole term. */
  readonly silentWorkers?: readonly SilentWorker[] | undefined;
  /** What else keeps workers from being of use. */
  readonly workerWorries?: readonly WorkerWorry[] | undefined;
  /** Why the client of the session this task belongs to cannot be started, in words; undefined when it can. */
  readonly absentClient?: ((task: Task) => string | undefined) | undefined;
  /** The paused session this task belongs to; undefined when it is not paused. */
  readonly pausedSession?: ((task: Task) => string | undefined) | undefined;
  /** Runs that died and are being looked into, by id. */
  readonly triaged?: ReadonlySet<string> | undefined;
  /** Work is to be scored, and why nobody can. */
  readonly unjudged?: string | undefined;
  /** By task: why no run of a client could be prepared for it. */
  readonly unprepared?: ReadonlyMap<string, string> | undefined;
}

/** A client that is not started for a while: what for, and what helps, in words. Times in milliseconds. */
export interface ClientHoldRow {
  readonly client: string;
  readonly text: string;
  readonly remedy: string;
  /** What a person runs once it is mended. */
  readonly command?: string | undefined;
  readonly since: number;
  readonly until: number;
}

/** The one line for people: `claude: the key is refused since 12:01 UTC; 4 tasks wait`. */
export function holdText({ text }: ClientHoldRow, tasks: number): string {
  return `${text}; ${tasks === 1 ? '1 task waits' : `${tasks} tasks wait`}`;
}

export const NO_COORDINATION: Coordination = {
  running: false,
  paused: false,
  alive: 0,
  most: 0,
  waitsForTrust: () => false,
};

/** What a coordinator can have to say of a task, beside what the graph says. Nothing else is ever answered. */
export const COORDINATION_CODES = [
  'claimed',
  'trust',
  'slots',
  'capacity',
  'throttled',
  'back-off',
  'provider',
  'budget',
  'executor',
  'gate',
  'triage',
  'service-down',
  'service-paused',
  'session-paused',
] as const;
export type CoordinationCode = (typeof COORDINATION_CODES)[number];

/** Why nobody has started a task that is ready, most important first. Always one at least. */
export function coordinationOf(
  task: Task,
  coordination: Coordination,
  now = 0,
): readonly { readonly code: CoordinationCode; readonly text: string; readonly until?: string }[] {
  const { running, paused, alive, most, missing, backOffUntil = 0 } = coordination;
  const { id, member } = task;
  const doer = doerOf(task, coordination);
  const forClient = doer === 'client';
  if (coordination.waitsForTrust(task)) {
    const text = 'It is ready, but its command is not trusted on this machine: `troupe trust --show`.';
    return [{ code: 'trust', text }];
  }
  if (forClient && missing !== undefined)
    return [{ code: 'executor', text: `It is ready, but no client can run it: ${missing}` }];
  const command = gateCommand(task);
  if (command !== undefined)
    return [{ code: 'executor', text: `It is ready, and only a person lets it go on: \`${command}\`.` }];
  if (doer === 'person') {
    const text = member
      ? `It is ready and for ${member}, as it has no command: \`troupe claim ${shellWord(id)} --actor ${shellWord(member)}\`.`
      : `It is ready, but has no command and no member: \`troupe claim ${shellWord(id)}\` claims it, \`troupe edit ${shellWord(id)} --exec COMMAND\` adds a command.`;
    return [{ code: 'executor', text }];
  }
  if (!running)
    return [{ code: 'service-down', text: 'It is ready, but no coordinator is running: `troupe service start`.' }];
  if (paused)
    return [{ code: 'service-paused', text: 'It is ready, but the coordinator is paused: `troupe service resume`.' }];
  if (now < backOffUntil) {
    const until = timestamp(backOffUntil);
    const text = `It is ready, but too many clients were silent: none starts before ${until}.`;
    return [{ code: 'back-off', text, until }];
  }
  const clientHold = forClient ? coordination.holdOf?.(task) : undefined;
  if (clientHold !== undefined) {
    const text = `It is ready, but ${clientHold.text}: ${clientHold.remedy}.`;
    return [{ code: 'provider', text, until: timestamp(clientHold.until) }];
  }
  const obstacle = obstacleOf(task, coordination);
  if (obstacle !== undefined) {
    const { code, cause, command, effect } = obstacle;
    return [{ code, text: `It is ready, but ${cause}: \`${command}\`${effect}.` }];
  }
  const full = forClient ? coordination.full?.(task) : undefined;
  if (full !== undefined) return [{ code: 'capacity', text: `It is ready, but ${full}.` }];
  const refused = forClient ? coordination.refusal?.(task) : undefined;
  if (refused !== undefined) {
    const text = `It is ready, but the budget does not allow it: ${refused.text}${roomAgain(refused)}. \`${raiseCommand(refused)}\` allows it.`;
    return [{ code: 'budget', text }];
  }
  const fullWorkers = coordination.fullWorkers?.(task);
  if (fullWorkers !== undefined)
    return [{ code: 'slots', text: `It is ready, but ${fullWorkers}: \`troupe machines\` shows by what.` }];
  if (alive >= most) {
    const text = `It is ready, but ${most === 1 ? 'the only slot is' : `all ${most} slots are`} taken: \`troupe list --status in-progress\` shows by whom.`;
    return [{ code: 'slots', text }];
  }
  return [{ code: 'slots', text: 'It is ready and about to be started: `troupe service tick` starts it now.' }];
}

/** Keeps a ready task from being started until a person does something, while the coordinator is at work. */
interface Obstacle {
  readonly code: Extract<CoordinationCode, 'executor' | 'session-paused'>;
  /** One sentence without an end; the same for all tasks that share the cause. */
  readonly cause: string;
  readonly command: string;
  /** Goes on after the command; may be empty. */
  readonly effect: string;
}

/** The obstacle of one ready task; undefined where there is none. The one voice of `why`, `status` and `problems`. */
export function obstacleOf(task: Task, coordination: Coordination): Obstacle | undefined {
  const id = shellWord(task.id);
  const forClient = doerOf(task, coordination) === 'client';
  const session = coordination.pausedSession?.(task);
  if (session !== undefined) {
    const command = `troupe service resume-coordinator ${session}`;
    return { code: 'session-paused', cause: `its session ${session} is paused`, command, effect: '' };
  }
  const code = 'executor';
  const unmet = coordination.unmetNeeds?.(task);
  if (unmet !== undefined) return { code, ...unmet };
  const absent = forClient ? coordination.absentClient?.(task) : undefined;
  if (absent !== undefined) return { code, cause: absent, command: 'troupe executor list', effect: ' tells why' };
  const unprepared = coordination.unprepared?.get(task.id);
  if (unprepared !== undefined) {
    const cause = `no run could be prepared: ${unprepared.replace(/\.$/, '')}`;
    return { code, cause, command: `troupe spawn ${id}`, effect: ' retries now, the service later' };
  }
  const agent = forClient ? coordination.missingAgent?.(task) : undefined;
  if (agent === undefined) return undefined;
  const cause = `it is assigned to ${inert(agent).slice(0, 12)}, which does not exist`;
  const effect = ` chooses another, \`troupe assign ${id} --clear\` does without`;
  return { code, cause, command: `troupe assign ${id} --auto`, effect };
}

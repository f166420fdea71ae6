import { type Refusal, raiseCommand, roomAgain } from '#core/coordinator/budget.js';
import type { SilentWorker, unmetNeeds, WorkerProblem } from '#core/coordinator/worker-facts.js';
import { gateCommand } from '#core/graph/formation-gate.js';
import type { Task } from '#core/graph/task.js';
import { timestamp } from '#kernel/clock.js';
import { inert, shellWord } from '#kernel/text.js';
import { type AbsentClient, doerOf } from './done-by.js';

/** State of the coordinator that is not in the graph. */
export interface Coordination {
  /** Whether a coordinator is running for this project. */
  readonly running: boolean;
  readonly paused: boolean;
  /** Number of live runs, and their maximum. */
  readonly alive: number;
  readonly most: number;
  /** Client for tasks without a command, or the reason why there is none. */
  readonly executor?: string | undefined;
  readonly missing?: AbsentClient | undefined;
  /** No run starts before this time, in milliseconds, because too many runs were silent. */
  readonly backOffUntil?: number | undefined;
  /** Client that would do this task; undefined if there is none. */
  readonly clientOf?: ((task: Task) => string | undefined) | undefined;
  /** Hold on the client of this task; undefined if there is none. */
  readonly holdOf?: ((task: Task) => ClientHoldRow | undefined) | undefined;
  /** Whether the task would run a command that is not trusted on this machine. */
  readonly waitsForTrust: (task: Task) => boolean;
  /** Reason why the budget refuses a run of this task now; undefined if it does not. */
  readonly refusal?: ((task: Task) => Refusal | undefined) | undefined;
  /** Reason, as text, why the task's doer has reached its capacity; undefined if it has not. */
  readonly full?: ((task: Task) => string | undefined) | undefined;
  /** Id of the task's agent, if there is no such agent here. */
  readonly missingAgent?: ((task: Task) => string | undefined) | undefined;
  /** Reason why no worker can take this task with its labels; undefined if one could. */
  readonly unmetNeeds?: ((task: Task) => ReturnType<typeof unmetNeeds>) | undefined;
  /** Reason, as text, why the task waits for a suitable worker; undefined if it does not. */
  readonly fullWorkers?: ((task: Task) => string | undefined) | undefined;
  /** Workers that receive no tasks because no remote is chosen for their work. */
  readonly unusedWorkers?: readonly string[] | undefined;
  /** Worker that has this run; undefined for a local run. */
  readonly workerOf?: ((run: string) => string | undefined) | undefined;
  /** Workers without contact for their whole lease. */
  readonly silentWorkers?: readonly SilentWorker[] | undefined;
  /** Other problems that keep workers from being used. */
  readonly workerWorries?: readonly WorkerProblem[] | undefined;
  /** Reason, as text, why the client of the task's session cannot be started; undefined if it can. */
  readonly absentClient?: ((task: Task) => string | undefined) | undefined;
  /** The paused session of this task; undefined if it is not paused. */
  readonly pausedSession?: ((task: Task) => string | undefined) | undefined;
  /** Ids of dead runs that are being examined. */
  readonly triaged?: ReadonlySet<string> | undefined;
  /** Reason why work that needs a score cannot be scored. */
  readonly unjudged?: string | undefined;
  /** Reason why no client run could be prepared, by task. */
  readonly unprepared?: ReadonlyMap<string, string> | undefined;
}

/** A client that is not started for a while, with the reason and the remedy as text. Times in milliseconds. */
export interface ClientHoldRow {
  readonly client: string;
  readonly text: string;
  readonly remedy: string;
  /** Command for a person to run once the cause is fixed. */
  readonly command?: string | undefined;
  readonly since: number;
  readonly until: number;
}

/** Formats a hold in one line: `claude: the key is refused since 12:01 UTC; 4 tasks wait`. */
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

/** All codes of reasons that come from the coordinator and not from the graph. */
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

interface Hindrance {
  readonly code: CoordinationCode;
  readonly text: string;
  /** The same for a row of a list: who does the task, and when. */
  readonly brief: string;
  readonly until?: string;
}

/** Reasons why a ready task has not been started, most important first. Never empty. */
export function coordinationOf(
  task: Task,
  coordination: Coordination,
  now = 0,
): readonly [Hindrance, ...(readonly Hindrance[])] {
  const { running, paused, alive, most, missing, backOffUntil = 0 } = coordination;
  const { id, member } = task;
  const doer = doerOf(task, coordination);
  const forClient = doer === 'client';
  const client = coordination.clientOf?.(task) ?? coordination.executor ?? 'a client';
  const begins = forClient ? `for ${client},` : 'its command runs';
  if (coordination.waitsForTrust(task)) {
    const text = 'It is ready, but its command is not trusted on this machine: `troupe trust --show`.';
    return [{ code: 'trust', text, brief: 'its command is not trusted on this machine' }];
  }
  if (forClient && missing !== undefined) {
    const text = `It is ready, but no client can run it: ${missing.text}`;
    return [{ code: 'executor', text, brief: 'waits for a client' }];
  }
  const command = gateCommand(task);
  if (command !== undefined) {
    const text = `It is ready, and only a person lets it go on: \`${command}\`.`;
    return [{ code: 'executor', text, brief: 'for a person' }];
  }
  if (doer === 'person') {
    const text = member
      ? `It is ready and for ${member}, as it has no command: \`troupe claim ${shellWord(id)} --actor ${shellWord(member)}\`.`
      : `It is ready, but has no command and no member: \`troupe claim ${shellWord(id)}\` claims it, \`troupe edit ${shellWord(id)} --exec COMMAND\` adds a command.`;
    return [{ code: 'executor', text, brief: 'for a person' }];
  }
  if (!running) {
    const text = 'It is ready, but no coordinator is running: `troupe service start`.';
    return [{ code: 'service-down', text, brief: `${begins} when a service is started` }];
  }
  if (paused) {
    const text = 'It is ready, but the coordinator is paused: `troupe service resume`.';
    return [{ code: 'service-paused', text, brief: `${begins} when the service is resumed` }];
  }
  if (now < backOffUntil) {
    const until = timestamp(backOffUntil);
    const text = `It is ready, but too many clients were silent: none starts before ${until}.`;
    return [{ code: 'back-off', text, brief: `${begins} after ${until}`, until }];
  }
  const clientHold = forClient ? coordination.holdOf?.(task) : undefined;
  if (clientHold !== undefined) {
    const text = `It is ready, but ${clientHold.text}: ${clientHold.remedy}.`;
    return [{ code: 'provider', text, brief: `waits for ${clientHold.text}`, until: timestamp(clientHold.until) }];
  }
  const obstacle = obstacleOf(task, coordination);
  if (obstacle !== undefined) {
    const { code, cause, command, effect } = obstacle;
    return [{ code, text: `It is ready, but ${cause}: \`${command}\`${effect}.`, brief: cause }];
  }
  const full = forClient ? coordination.full?.(task) : undefined;
  if (full !== undefined) return [{ code: 'capacity', text: `It is ready, but ${full}.`, brief: full }];
  const refused = forClient ? coordination.refusal?.(task) : undefined;
  if (refused !== undefined) {
    const text = `It is ready, but the budget does not allow it: ${refused.text}${roomAgain(refused)}. \`${raiseCommand(refused)}\` allows it.`;
    return [{ code: 'budget', text, brief: `for ${client}, when the budget allows it` }];
  }
  const fullWorkers = coordination.fullWorkers?.(task);
  if (fullWorkers !== undefined)
    return [
      {
        code: 'slots',
        text: `It is ready, but ${fullWorkers}: \`troupe machines\` shows by what.`,
        brief: fullWorkers,
      },
    ];
  const brief = `${begins} when a slot is free`;
  if (alive >= most) {
    const text = `It is ready, but ${most === 1 ? 'the only slot is' : `all ${most} slots are`} taken: \`troupe list --status in-progress\` shows by whom.`;
    return [{ code: 'slots', text, brief }];
  }
  return [{ code: 'slots', text: 'It is ready and about to be started: `troupe service tick` starts it now.', brief }];
}

/** Keeps a ready task from starting until a person acts, although the coordinator is running. */
interface Obstacle {
  readonly code: Extract<CoordinationCode, 'executor' | 'session-paused'>;
  /** One sentence without a full stop; equal for all tasks with the same cause. */
  readonly cause: string;
  readonly command: string;
  /** Continuation after the command; may be empty. */
  readonly effect: string;
}

/** Returns the obstacle of a ready task; undefined if there is none. Shared by `why`, `status` and `problems`. */
export function obstacleOf(task: Task, coordination: Coordination): Obstacle | undefined {
  const id = shellWord(task.id);
  const forClient = doerOf(task, coordination) === 'client';
  const session = coordination.pausedSession?.(task);
  if (session !== undefined) {
    const command = `troupe service coordinators ${session} --state running`;
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

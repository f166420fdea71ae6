import type { Machine } from './machine.js';
import { type Attempt, isAway, type World } from './world.js';

/** A fault that was made, and the required recovery. */
export interface Strike {
  /**
   * Start of the recovery time, by `performance.now()`: the fault itself, or the moment when the struck part is back.
   */
  readonly since: number;
  /** Maximum recovery time. */
  readonly mostMs: number;
  /** Time in milliseconds until work continued without the struck part; undefined until then. */
  recoveryMs(): Promise<number | undefined>;
  /** Restores the struck part, once work continues without it. */
  readonly after?: () => Promise<void> | void;
}

export interface Fault {
  readonly name: string;
  /** Long faults are left out in quick worlds, which do not wait for leases. */
  readonly isLong?: true;
  make(world: World): Promise<Strike>;
}

/** Leases plus the time allowed beyond them. */
const LEADER_MOST_MS = 20_000;
const WORKER_MOST_MS = 35_000;

export const now = () => performance.now();

/** Waits for a worker that has taken an attempt, so that there is work to lose. */
export async function busyWorker(world: World): Promise<{ machine: Machine; taken: readonly Attempt[] }> {
  for (;;) {
    const facts = await world.facts().catch(() => undefined);
    const running = facts?.attempts.filter(({ state }) => state === 'running') ?? [];
    const busy = world.workers.filter(
      ({ name, worksHere }) => worksHere && running.some(({ worker }) => worker === name),
    );
    const machine = busy[Math.floor(world.random() * busy.length)];
    if (machine) return { machine, taken: running.filter(({ worker }) => worker === machine.name) };
    await pause(50);
  }
}

/** The attempts it had taken are no longer its own: returned, or reassigned. */
export function workerLost(world: World, { taken }: { readonly taken: readonly Attempt[] }, since: number): Strike {
  return {
    ...{ since, mostMs: WORKER_MOST_MS },
    recoveryMs: seen(since, async () => {
      const tasks = await world.tasks();
      return taken.every(({ task, fence }) => {
        const { status, fence: present = 0 } = tasks.get(task) ?? { status: 'done' };
        return status !== 'in-progress' || present > fence;
      });
    }),
  };
}

/**
 * The worker has contacted the database again, and each attempt it had taken is still its own or ended by its report.
 */
export function workerGoesOn(
  world: World,
  { machine, taken }: { readonly machine: Machine; readonly taken: readonly Attempt[] },
  since: number,
): Strike {
  return {
    ...{ since, mostMs: WORKER_MOST_MS },
    recoveryMs: seen(since, async () => {
      const { workers, attempts } = await world.facts();
      const silentMs = workers.find(({ name }) => name === machine.name)?.silentMs ?? Number.POSITIVE_INFINITY;
      if (silentMs > now() - since) return false;
      const lost = attempts.filter(({ run, state, worker }) =>
        taken.some((one) => one.run === run && (worker !== machine.name || state === 'offered')),
      );
      return lost.length === 0;
    }),
  };
}

/** Another leader has a higher epoch, and the log grows. */
export async function anotherLeads(world: World, since: number, before: { readonly epoch: number }): Promise<Strike> {
  const wentOnMs = async () => {
    const at = await world.wentOnAt(before.epoch);
    return at === undefined ? undefined : at - performance.timeOrigin - since;
  };
  return {
    ...{ since, mostMs: LEADER_MOST_MS },
    recoveryMs: () => answered(wentOnMs),
  };
}

/** A leader exists, the log grows, and all workers contact the database. */
export function allGoOn(world: World, since: number): Strike {
  let from: number | undefined;
  return {
    ...{ since, mostMs: LEADER_MOST_MS },
    recoveryMs: seen(since, async () => {
      const { led, seq, workers } = await world.facts();
      if (!led) return false;
      from ??= seq;
      return seq > from && workers.every(({ silentMs }) => silentMs <= now() - since);
    }),
  };
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Random number between the two. */
export function between({ random }: World, least: number, most: number): number {
  return least + (most - least) * random();
}

/** Time until it was seen that work continues. */
function seen(since: number, look: () => Promise<boolean>): () => Promise<number | undefined> {
  return () => answered(async () => ((await look()) ? now() - since : undefined));
}

/** Returns undefined while the database does not answer. */
async function answered<Answer>(look: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await look();
  } catch (error) {
    if (isAway(error)) return undefined;
    throw error;
  }
}

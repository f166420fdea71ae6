import type { Machine } from './machine.js';
import { type Attempt, isAway, type World } from './world.js';

/** A fault that was made, and what has to follow. */
export interface Strike {
  /** From then on, by `performance.now()`, recovery is counted: the fault itself, or the moment when what was away is back. */
  readonly since: number;
  /** So long it may take. */
  readonly mostMs: number;
  /** Whether work goes on without what was struck. */
  recovered(): Promise<boolean>;
  /** Gives back what was taken, once work goes on without it. */
  readonly after?: () => Promise<void> | void;
}

export interface Fault {
  readonly name: string;
  /** Long ones are left out where nobody waits for leases. */
  readonly isLong?: true;
  make(world: World): Promise<Strike>;
}

/** Leases, and what it may take beyond them. */
const LEADER_MOST_MS = 20_000;
const WORKER_MOST_MS = 35_000;

export const now = () => performance.now();

/** A worker that has taken something, so that there is something to lose. */
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

/** What it had taken is no longer its own: it was given back, or others have it. */
export function workerLost(world: World, { taken }: { readonly taken: readonly Attempt[] }, since: number): Strike {
  return {
    ...{ since, mostMs: WORKER_MOST_MS },
    recovered: () =>
      answered(async () => {
        const tasks = await world.tasks();
        return taken.every(({ task, fence }) => {
          const { status, fence: present = 0 } = tasks.get(task) ?? { status: 'done' };
          return status !== 'in-progress' || present > fence;
        });
      }),
  };
}

/** It has spoken to the database again, and whatever it had taken is its own or has ended by its word. */
export function workerGoesOn(
  world: World,
  { machine, taken }: { readonly machine: Machine; readonly taken: readonly Attempt[] },
  since: number,
): Strike {
  return {
    ...{ since, mostMs: WORKER_MOST_MS },
    recovered: () =>
      answered(async () => {
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

/** Somebody leads under another epoch, and the log goes on. */
export async function anotherLeads(world: World, since: number, before: { readonly epoch: number }): Promise<Strike> {
  let from: number | undefined;
  return {
    ...{ since, mostMs: LEADER_MOST_MS },
    recovered: () =>
      answered(async () => {
        const { epoch, led, seq } = await world.facts();
        if (!led || epoch <= before.epoch) return false;
        from ??= seq;
        return seq > from;
      }),
  };
}

/** Somebody leads, the log goes on, and all workers speak to the database. */
export function allGoOn(world: World, since: number): Strike {
  let from: number | undefined;
  return {
    ...{ since, mostMs: LEADER_MOST_MS },
    recovered: () =>
      answered(async () => {
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

/** Between two numbers, at random. */
export function between({ random }: World, least: number, most: number): number {
  return least + (most - least) * random();
}

/** Not yet, where the database does not tell. */
async function answered(look: () => Promise<boolean>): Promise<boolean> {
  try {
    return await look();
  } catch (error) {
    if (isAway(error)) return false;
    throw error;
  }
}

import { expect } from 'vitest';
import { oldProgram } from './old-program.js';
import {
  allGoOn,
  anotherLeads,
  between,
  busyWorker,
  type Fault,
  now,
  pause,
  type Strike,
  workerGoesOn,
  workerLost,
} from './strike.js';
import type { World } from './world.js';

const HOUR_MS = 3_600_000;

/** Faults of worker machines and their connections. */
export const WORKER_FAULTS: readonly Fault[] = [
  {
    name: 'worker killed, started again',
    async make(world) {
      const busy = await busyWorker(world);
      const since = now();
      await busy.machine.killProgram();
      await pause(between(world, 0, 2_000));
      await startedAgain(world, () => busy.machine.work());
      return workerGoesOn(world, busy, since);
    },
  },
  {
    name: 'worker machine dies',
    async make(world) {
      const busy = await busyWorker(world);
      const since = now();
      await busy.machine.kill();
      await world.endWorkerLease(busy.machine);
      return workerLost(world, busy, since);
    },
  },
  {
    name: 'worker paused past its lease, wakes',
    async make(world) {
      const busy = await busyWorker(world);
      const since = now();
      const goOn = busy.machine.pause();
      await world.endWorkerLease(busy.machine);
      return { ...workerLost(world, busy, since), after: goOn };
    },
  },
  { name: 'worker cut off for 1 s', make: (world) => cutWorker(world, 1_000) },
  { name: 'worker cut off for 20 s', isLong: true, make: (world) => cutWorker(world, 20_000) },
  {
    name: 'worker cut off past its lease',
    async make(world) {
      const busy = await busyWorker(world);
      const { line } = busy.machine;
      const since = now();
      line.cut();
      await world.endWorkerLease(busy.machine);
      return { ...workerLost(world, busy, since), after: () => line.mend() };
    },
  },
  {
    name: 'worker of an older version',
    async make(world) {
      const busy = await busyWorker(world);
      const since = now();
      await busy.machine.killProgram();
      expect(await busy.machine.work(oldProgram()), 'an older version').toContain('schema_newer');
      await startedAgain(world, () => busy.machine.work());
      return workerGoesOn(world, busy, since);
    },
  },
  {
    name: 'worker with another clock',
    async make(world) {
      const busy = await busyWorker(world);
      const since = now();
      busy.machine.skew(Math.round(between(world, -2, 2) * HOUR_MS));
      await busy.machine.killProgram();
      await startedAgain(world, () => busy.machine.work());
      return { ...workerGoesOn(world, busy, since), after: () => busy.machine.skew(0) };
    },
  },
];

/** Faults of leaders and standbys. */
export const LEADER_FAULTS: readonly Fault[] = [
  {
    name: 'leader killed',
    make: (world) =>
      struckLeader(world, async ({ leader }) => {
        await leader.killProgram();
        return undefined;
      }),
  },
  {
    name: 'leader paused past its lease, wakes',
    make: (world) => struckLeader(world, async ({ leader }) => leader.pause()),
  },
  { name: 'leader cut off for 1 s', make: (world) => cutLeader(world, 1_000) },
  { name: 'leader cut off for 20 s', isLong: true, make: (world) => cutLeader(world, 20_000) },
  {
    name: 'leader cut off past its lease: two lead',
    make: (world) =>
      struckLeader(world, async ({ leader: { line } }) => {
        line.cut();
        return () => line.mend();
      }),
  },
  {
    name: 'standby killed',
    async make(world) {
      const since = now();
      await world.leading().standby.killProgram();
      return allGoOn(world, since);
    },
  },
  {
    name: 'both leaders killed, one started again',
    async make(world) {
      const { leader, standby } = world.leading();
      const before = await world.facts();
      await standby.killProgram();
      await leader.killProgram();
      const since = now();
      await world.endLease();
      await startedAgain(world, () => standby.serve());
      return await anotherLeads(world, since, before);
    },
  },
  {
    name: 'leader with another clock',
    async make(world) {
      const { standby } = world.leading();
      await standby.killProgram();
      standby.skew(Math.round(between(world, -2, 2) * HOUR_MS));
      await startedAgain(world, () => standby.serve());
      const strike = await struckLeader(world, async ({ leader }) => {
        await leader.killProgram();
        return undefined;
      });
      return { ...strike, after: () => standby.skew(0) };
    },
  },
  {
    name: 'leader and a worker die together',
    async make(world) {
      const busy = await busyWorker(world);
      const strike = await struckLeader(world, async ({ leader }) => {
        await Promise.all([leader.kill(), busy.machine.kill()]);
        await world.endWorkerLease(busy.machine);
        return undefined;
      });
      const lost = workerLost(world, busy, strike.since);
      const { since, mostMs } = lost;
      const recoveryMs = async () => {
        const [leader, worker] = [await strike.recoveryMs(), await lost.recoveryMs()];
        return leader === undefined || worker === undefined ? undefined : Math.max(leader, worker);
      };
      return { since, mostMs, recoveryMs };
    },
  },
];

async function cutWorker(world: World, milliseconds: number): Promise<Strike> {
  const busy = await busyWorker(world);
  const { line } = busy.machine;
  line.cut();
  await pause(milliseconds);
  line.mend();
  return workerGoesOn(world, busy, now());
}

async function cutLeader(world: World, milliseconds: number): Promise<Strike> {
  const { line } = world.leading().leader;
  line.cut();
  await pause(milliseconds);
  line.mend();
  return allGoOn(world, now());
}

/** Strikes the leader such that another machine has to lead. */
async function struckLeader(
  world: World,
  strike: (places: ReturnType<World['leading']>) => Promise<(() => void) | undefined>,
): Promise<Strike> {
  const before = await world.facts();
  const since = now();
  const after = await strike(world.leading());
  await world.endLease();
  return { ...(await anotherLeads(world, since, before)), ...(after ? { after } : {}) };
}

async function startedAgain(world: World, start: () => Promise<string | undefined>): Promise<void> {
  for (let why = await start(); why !== undefined; why = await start()) {
    if (!/database_|locked|worker_exists|remote_unreachable/.test(why)) throw new Error(why);
    await pause(between(world, 200, 600));
  }
}

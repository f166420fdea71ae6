import { describe, expect } from 'vitest';
import { SHARED_FAULTS } from '../fleet/database-faults.js';
import { LEADER_FAULTS, WORKER_FAULTS } from '../fleet/machine-faults.js';
import { Network, noNetwork } from '../fleet/network.js';
import { type Outcome, tableOf } from '../fleet/report.js';
import { FaultyServer } from '../fleet/server.js';
import type { Fault } from '../fleet/strike.js';
import { endOf, strikeAll } from '../fleet/suite.js';
import { World } from '../fleet/world.js';
import { verifies } from '../verifies.js';
import { randomFrom, seed } from './killing.js';

interface Amount {
  readonly faults: number;
  readonly minutes: number;
  /** Projects in one server whose machines are struck, beside one whose server is. */
  readonly worlds: number;
  readonly only?: string;
  /** Leases of what was struck run out at once. */
  readonly isQuick: boolean;
}

/** `npm run test:fleet` says how much of it, and waits for the leases; else there is a sample that does not. */
const asked = process.env['TROUPE_FLEET'];
const SAMPLE: Amount = { faults: 20, minutes: 1, worlds: 0, isQuick: true };
const amount = asked === undefined ? SAMPLE : (JSON.parse(asked) as Amount);
const { isQuick } = amount;
const isSample = asked === undefined;
const SETTLING_MS = 600_000;

/** Networks of one's own need rights that not every machine grants its tests. */
const why = noNetwork();
if (why !== undefined) process.stderr.write(`Tests of faults between machines are skipped: ${why}\n`);

describe.skipIf(why !== undefined)(
  'faults between machines',
  () => {
    verifies(
      'fleet.faults',
      `${amount.faults} faults of machines, lines, servers and versions: nothing is lost, ended twice, merged wrongly or stuck`,
      async () => {
        const network = await Network.open();
        const random = randomFrom(seed);
        const outcomes: Outcome[] = [];
        const until = performance.now() + amount.minutes * 60_000;
        const isOver = () => outcomes.length >= amount.faults || (!isSample && performance.now() > until);
        const tell = (outcome: Outcome) => {
          outcomes.push(outcome);
          const { name, recoveredMs, wrong } = outcome;
          if (isSample && wrong.length === 0) return;
          const words = [
            `${outcomes.length}`.padStart(4),
            name,
            `${Math.round(recoveredMs ?? Number.NaN)} ms`,
            ...wrong,
          ];
          process.stdout.write(`${words.join('  ')}\n`);
        };
        const world = async (server: FaultyServer, name: string) =>
          await World.make({
            ...{ network, server, name, workers: 3, isQuick },
            random: randomFrom(random() * 2 ** 31),
          });
        const struck = async (place: World, faults: readonly Fault[]) => {
          await strikeAll(place, turns(faults, random, isOver), tell);
          return await endOf(place);
        };
        const left: Promise<readonly string[]>[] = [];
        const shared = await FaultyServer.make({ place: network.hub, port: 5432, isSmall: true });
        if (amount.worlds === 0) {
          left.push(struck(await world(shared, 'all'), [...SHARED_FAULTS, ...LEADER_FAULTS, ...WORKER_FAULTS]));
        } else {
          const server = await FaultyServer.make({ place: network.hub, port: 5433, isSmall: false });
          left.push(struck(await world(shared, 'shared'), SHARED_FAULTS));
          for (let number = 1; number <= amount.worlds; number++)
            left.push(struck(await world(server, `machines${number}`), [...LEADER_FAULTS, ...WORKER_FAULTS]));
        }
        const problems = (await Promise.all(left)).flat();
        process.stdout.write(`faults between machines, TROUPE_SEED=${seed}:\n${tableOf(outcomes)}`);
        expect([...outcomes.flatMap(({ wrong }) => wrong), ...problems]).toEqual([]);
      },
    );
  },
  amount.minutes * 60_000 + SETTLING_MS,
);

/** All of them in a random order, and again in another, until it is over. */
function turns(faults: readonly Fault[], random: () => number, isOver: () => boolean): () => Fault | undefined {
  const named = faults.filter(({ name, isLong }) =>
    amount.only === undefined ? !(isQuick && isLong) : name.includes(amount.only),
  );
  let left: Fault[] = [];
  return () => {
    if (isOver()) return undefined;
    if (left.length === 0) left = [...named];
    const [fault] = left.splice(Math.floor(random() * left.length), 1);
    return fault;
  };
}

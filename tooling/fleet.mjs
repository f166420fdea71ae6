// npm run test:fleet [-- --faults N --seed S --minutes M --worlds W --only WORDS --quick]: strikes machines, lines, servers and versions of
// projects in a database with faults (kills, pauses, cut lines, full disks), waits for the real leases, and prints what came of each
// kind: how long work stood still, what was lost, ended twice or got stuck. With --quick it does not wait for leases: their rows are
// moved back. Needs root and Linux, for networks of its own.
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    faults: { type: 'string', default: '100' },
    seed: { type: 'string' },
    minutes: { type: 'string', default: '30' },
    worlds: { type: 'string', default: '2' },
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
  },
});
const { faults, seed, minutes, worlds, only, quick } = values;
process.env.TROUPE_FLEET = JSON.stringify({
  faults: Number(faults),
  minutes: Number(minutes),
  worlds: Number(worlds),
  only,
  isQuick: quick,
});
if (seed !== undefined) process.env.TROUPE_SEED = seed;
process.argv = [...process.argv.slice(0, 2), 'test/crash/fleet-faults.test.ts'];
await import('./test.mjs');

// npm run test:fleet [-- --faults N --seed S --minutes M --worlds W --only WORDS --quick]: injects faults into
// machines, connections, servers and versions of projects in a database (kills, pauses, cut connections, full disks),
// waits for the real leases to expire, and prints the effects per kind: how long work stood still, and what was lost,
// completed twice or stuck. --quick does not wait for leases: it backdates their rows. Needs root and Linux, for
// network namespaces.
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

// npm run bench [-- NAME …]: prints the performance figures as ratios measured in one run. Exits 1 if a bar is not met.
import os from 'node:os';
import { prepare } from '../tooling/prepare.mjs';

await prepare();
const CASES = [
  ...[
    'start-up',
    'large-graph',
    'many-commands',
    'mutation',
    'many-writers',
    'fairness',
    'graph',
    'analysis',
    'pictures',
    'simulation',
  ],
  ...['decide', 'unblock', 'idle', 'racers', 'conversations', 'roles', 'study', 'agency-stats', 'postgres', 'fleet'],
  ...['from-afar', 'federation'],
];
/** Run only if named: takes some minutes. */
const LONG = ['fleet-simulation', 'million', 'coordination'];
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
/** Every name fits, so that the rows of all cases stand in columns although each is printed at once. */
const NAME_WIDTH = 75;
const FIGURE_WIDTH = 34;
let isMet = true;
process.stdout.write(`Node ${process.version}, ${os.cpus().length} cores, ${os.cpus()[0]?.model ?? 'unknown'}\n`);
const chosen = wanted.length === 0 ? CASES : [...CASES, ...LONG].filter((candidate) => wanted.includes(candidate));
for (const name of chosen) {
  process.stderr.write(`measuring ${name} …\n`);
  const { default: measure } = await import(`./${name}.mjs`);
  for (const row of await measured(measure, name)) {
    const verdict = row.bar === undefined ? '' : `${row.met ? 'ok  ' : 'OVER'} bar ${row.bar}`;
    const line = `${row.name.padEnd(NAME_WIDTH)}  ${row.figure.padEnd(FIGURE_WIDTH)}  ${verdict}`;
    process.stdout.write(`${line.trimEnd()}\n`);
    isMet &&= row.met !== false;
  }
}
process.exitCode = isMet ? 0 : 1;

/** A failing measurement must not keep the others from being made. */
async function measured(measure, name) {
  try {
    return await measure();
  } catch (error) {
    return [{ name, figure: `failed: ${String(error?.message ?? error).split('\n')[0]}`, bar: 'to run', met: false }];
  }
}

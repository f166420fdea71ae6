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
const rows = [];
const chosen = wanted.length === 0 ? CASES : [...CASES, ...LONG].filter((candidate) => wanted.includes(candidate));
for (const name of chosen) {
  process.stderr.write(`measuring ${name} …\n`);
  const { default: measure } = await import(`./${name}.mjs`);
  try {
    rows.push(...(await measure()));
  } catch (error) {
    // A failing measurement must not lose the results before it.
    rows.push({ name, figure: `failed: ${String(error?.message ?? error).split('\n')[0]}`, bar: 'to run', met: false });
  }
}
const width = Math.max(...rows.map((row) => row.name.length));
process.stdout.write(`Node ${process.version}, ${os.cpus().length} cores, ${os.cpus()[0]?.model ?? 'unknown'}\n`);
for (const row of rows) {
  const verdict = row.bar === undefined ? '' : `${row.met ? 'ok  ' : 'OVER'} bar ${row.bar}`;
  process.stdout.write(`${row.name.padEnd(width)}  ${row.figure.padEnd(32)}  ${verdict}\n`.replace(/ +\n$/, '\n'));
}
process.exitCode = rows.some((row) => row.met === false) ? 1 : 0;

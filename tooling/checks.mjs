// Checks that run outside the test suites: types, style, the repository's rules and dead exports.
import { spawn } from 'node:child_process';

const TYPES = 'node_modules/typescript-native/bin/tsc';

/**
 * Name, Node script and arguments of each check; the longest first. `house` is the only one whose tests are counted.
 */
const CHECKS = [
  ['house', 'node_modules/vitest/vitest.mjs', ['run', '--project', 'house']],
  ['types', TYPES, ['--noEmit', '--singleThreaded']],
  ['types of the dashboard', TYPES, ['--noEmit', '--singleThreaded', '-p', 'web/tsconfig.json']],
  ['style', 'node_modules/@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '.']],
  ['dead code', 'node_modules/knip/bin/knip.js', []],
];

function outcomeOf([name, script, args]) {
  return new Promise((resolve) => {
    const started = Date.now();
    let output = '';
    const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (output += data));
    child.on('close', (code) => resolve({ name, code, output, seconds: (Date.now() - started) / 1000 }));
  });
}

/** Number of checks run concurrently; with more, the slowest test of `house` would exceed its time limit. */
const AT_ONCE = 2;

/** Runs all checks, prints a line for each and the output of those that fail. Returns the names of the failed ones. */
export async function runChecks(houseArguments = []) {
  const open = CHECKS.map(([name, script, args]) => [
    name,
    script,
    name === 'house' ? [...args, ...houseArguments] : args,
  ]);
  const failed = [];
  const work = async () => {
    for (let check = open.shift(); check !== undefined; check = open.shift()) {
      const { name, code, output, seconds } = await outcomeOf(check);
      process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'}  ${name}  ${seconds.toFixed(1)} s\n`);
      if (code === 0) continue;
      process.stdout.write(`${output}\n`);
      failed.push(name);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return failed;
}

// The checks that need no test runner of their own turn: types, style, the repository's rules and dead exports, side by side.
import { spawn } from 'node:child_process';

/** Each a name, a script for Node, and its arguments. `house` is the only one whose tests are counted. */
const CHECKS = [
  ['types', 'node_modules/typescript/bin/tsc', ['--noEmit']],
  ['types of the dashboard', 'node_modules/typescript/bin/tsc', ['--noEmit', '-p', 'web/tsconfig.json']],
  ['style', 'node_modules/@biomejs/biome/bin/biome', ['check', '.']],
  ['house', 'node_modules/vitest/vitest.mjs', ['run', '--project', 'house']],
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

/** Runs all checks, prints a line for each and the output of those that fail. Returns the names of the failed ones. */
export async function runChecks(houseArguments = []) {
  const checks = CHECKS.map(([name, script, args]) => [
    name,
    script,
    name === 'house' ? [...args, ...houseArguments] : args,
  ]);
  const outcomes = await Promise.all(checks.map(outcomeOf));
  for (const { name, code, output, seconds } of outcomes) {
    process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'}  ${name}  ${seconds.toFixed(1)} s\n`);
    if (code !== 0) process.stdout.write(`${output}\n`);
  }
  return outcomes.filter(({ code }) => code !== 0).map(({ name }) => name);
}

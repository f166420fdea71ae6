// npm run check: types, style, layers and dead exports, side by side. The quick look before every commit.
import { spawn } from 'node:child_process';
import { prepare } from './prepare.mjs';

await prepare();
const CHECKS = [
  ['types', 'node_modules/typescript/bin/tsc', ['--noEmit']],
  ['types of the dashboard', 'node_modules/typescript/bin/tsc', ['--noEmit', '-p', 'web/tsconfig.json']],
  ['style', 'node_modules/@biomejs/biome/bin/biome', ['check', '.']],
  ['layers', 'node_modules/vitest/vitest.mjs', ['run', '--project', 'house']],
  ['dead code', 'node_modules/knip/bin/knip.js', []],
];

const outcomes = await Promise.all(
  CHECKS.map(
    ([name, script, args]) =>
      new Promise((resolve) => {
        const started = Date.now();
        let output = '';
        const child = spawn(process.execPath, [script, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
        child.stdout.on('data', (data) => (output += data));
        child.stderr.on('data', (data) => (output += data));
        child.on('close', (code) => resolve({ name, code, output, seconds: (Date.now() - started) / 1000 }));
      }),
  ),
);
for (const { name, code, output, seconds } of outcomes) {
  process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'}  ${name}  ${seconds.toFixed(1)} s\n`);
  if (code !== 0) process.stdout.write(`${output}\n`);
}
process.exitCode = outcomes.some(({ code }) => code !== 0) ? 1 : 0;

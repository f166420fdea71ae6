import { spawn } from 'node:child_process';
import path from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Runs the walk through the named places; its exit code and its lines of results. */
function walk(...words: readonly string[]): Promise<{ code: number | null; lines: string[] }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['tooling/anywhere.mjs', ...words], {
      cwd: ROOT,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let said = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
    child.stderr.resume();
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, lines: said.trimEnd().split('\n') }));
  });
}

verifies('test.anywhere', 'the tests pass as an ordinary user, and with a project in a folder above', async () => {
  const asRoot = process.getuid?.() === 0;
  const { code, lines } = await walk('ordinary', 'above', '--file=test/adapters/trust');
  const onlyRoot = asRoot ? 'passed' : 'skipped: only root can make this place';
  expect(lines.map((line) => line.replace(/ +/, ' '))).toEqual([`ordinary ${onlyRoot}`, 'above passed']);
  expect(code).toBe(0);
});

verifies('test.anywhere', 'a place that is none is refused, and one whose test fails is named', async () => {
  expect(await walk('moon')).toMatchObject({ code: 2 });
  const { code, lines } = await walk('spaced', '--file=test/none.test.ts');
  expect({ code, lines }).toEqual({ code: 1, lines: ['spaced       failed: npm test -- test/none.test.ts'] });
});

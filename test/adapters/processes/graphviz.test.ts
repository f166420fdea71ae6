import { chmodSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Graphviz } from '#adapters/processes/graphviz.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

/** A program called `dot` that says what it was given, or ends as told. */
function withDot(
  script: string,
  bounds?: { ms: number; bytes: number },
): { drawer: Graphviz; folder: string; programs: string } {
  const folder = room('pictures');
  const programs = room('programs');
  const dot = path.join(programs, 'dot');
  writeFileSync(dot, `#!${process.execPath}\n${script}\n`);
  chmodSync(dot, 0o755);
  return { drawer: new Graphviz(folder, { PATH: programs }, bounds), folder, programs };
}

const ECHO = `
let text = '';
process.stdin.on('data', (chunk) => { text += chunk; });
process.stdin.on('end', () =>
  process.stdout.write(JSON.stringify({ args: process.argv.slice(2), text, folder: process.cwd() })));`;

verifies(
  'graph.viz.graph',
  'dot gets the graph as its input and nothing foreign as a word; it leaves no file',
  async () => {
    const { drawer, folder } = withDot(ECHO);
    const drawn = await drawer.draw('digraph { "$(touch pwned)" }', 'svg');
    expect(JSON.parse(Buffer.from(drawn).toString())).toEqual({
      args: ['-Tsvg'],
      text: 'digraph { "$(touch pwned)" }',
      folder: realpathSync(folder),
    });
    expect(readdirSync(folder)).toEqual([]);
  },
);

verifies('graph.viz.graph', 'without dot: a code, and what to install', async () => {
  const drawer = new Graphviz(room('pictures'), { PATH: room('nothing') });
  const asked = drawer.draw('digraph {}', 'png');
  await expect(asked).rejects.toMatchObject({ code: 'dot_missing', hint: expect.stringContaining('graphviz') });
  const odd = withDot('');
  chmodSync(path.join(odd.programs, 'dot'), 0o644);
  await expect(odd.drawer.draw('digraph {}', 'png')).rejects.toMatchObject({ code: 'EACCES' });
});

verifies('graph.viz.graph', 'what dot says when it fails is told', async () => {
  const why = async (script: string, bounds?: { ms: number; bytes: number }) =>
    await withDot(script, bounds)
      .drawer.draw('digraph {}'.repeat(100_000), 'svg')
      .then(String, (error) => [error.code, error.why]);
  expect(
    await why(`process.stderr.write('\\n syntax error near \\u001b[31mline 1 \\n'); process.exitCode = 1;`),
  ).toEqual(['dot_failed', 'syntax error near \\u{1b}[31mline 1']);
  expect(await why('process.exitCode = 3;')).toEqual(['dot_failed', 'it exited with 3']);
  const long = `process.stderr.write('x'.repeat(600)); process.exitCode = 1;`;
  expect(await why(long)).toEqual(['dot_failed', `${'x'.repeat(499)}…`]);
  const large = `process.stdin.resume().on('end', () => process.stdout.write('x'.repeat(10)));`;
  expect(await why(large, { ms: 60_000, bytes: 10 })).toBe('x'.repeat(10));
  const endless = `setInterval(() => process.stdout.write('xxxx'), 1);`;
  expect(await why(endless, { ms: 60_000, bytes: 10 })).toEqual(['dot_failed', 'the picture is larger than 10 bytes']);
  expect(await why('setInterval(() => {}, 1_000);', { ms: 50, bytes: 10 })).toEqual([
    'dot_failed',
    'it was stopped after 50 ms',
  ]);
});

test('no timer is left of a picture that was drawn, or could not be', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await withDot(ECHO).drawer.draw('digraph {}', 'svg');
  expect(vi.getTimerCount()).toBe(0);
  const missing = new Graphviz(room('pictures'), { PATH: room('nothing') }).draw('digraph {}', 'svg');
  await expect(missing).rejects.toMatchObject({ code: 'dot_missing' });
  expect(vi.getTimerCount()).toBe(0);
});

import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { Graphviz } from '#adapters/pictures/graphviz.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

/** A program called `dot` that says what it was given, or ends as told. */
function withDot(script: string): { drawer: Graphviz; folder: string } {
  const folder = room('pictures');
  const programs = room('programs');
  const dot = path.join(programs, 'dot');
  writeFileSync(dot, `#!${process.execPath}\n${script}\n`);
  chmodSync(dot, 0o755);
  return { drawer: new Graphviz(folder, { PATH: programs }), folder };
}

const ECHO = `
let text = '';
process.stdin.on('data', (chunk) => { text += chunk; });
process.stdin.on('end', () => process.stdout.write(JSON.stringify({ args: process.argv.slice(2), text })));`;

verifies(
  'graph.viz.graph',
  'dot gets the graph as its input and nothing foreign as a word; it leaves no file',
  async () => {
    const { drawer, folder } = withDot(ECHO);
    const drawn = await drawer.draw('digraph { "$(touch pwned)" }', 'svg');
    expect(JSON.parse(Buffer.from(drawn).toString())).toEqual({
      args: ['-Tsvg'],
      text: 'digraph { "$(touch pwned)" }',
    });
    expect(readdirSync(folder)).toEqual([]);
  },
);

verifies('graph.viz.graph', 'without dot: a code, and what to install', async () => {
  const drawer = new Graphviz(room('pictures'), { PATH: room('nothing') });
  const asked = drawer.draw('digraph {}', 'png');
  await expect(asked).rejects.toMatchObject({ code: 'dot_missing', hint: expect.stringContaining('graphviz') });
});

verifies('graph.viz.graph', 'what dot says when it fails is told', async () => {
  const { drawer } = withDot(`process.stderr.write('syntax error near \\u001b[31mline 1'); process.exitCode = 1;`);
  const asked = drawer.draw('digraph {}'.repeat(100_000), 'svg');
  await expect(asked).rejects.toMatchObject({ code: 'dot_failed', why: 'syntax error near \\u{1b}[31mline 1' });
});

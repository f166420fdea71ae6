import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { LocalPictureFiles } from '#adapters/pictures/local-picture-files.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

/** A program called `dot` that says what it was given, or ends as told. */
function withDot(script: string): { files: LocalPictureFiles; folder: string } {
  const folder = room('pictures');
  const programs = room('programs');
  const dot = path.join(programs, 'dot');
  writeFileSync(dot, `#!${process.execPath}\n${script}\n`);
  chmodSync(dot, 0o755);
  return { files: new LocalPictureFiles(folder, { PATH: programs }), folder };
}

const ECHO = `
let text = '';
process.stdin.on('data', (chunk) => { text += chunk; });
process.stdin.on('end', () => process.stdout.write(JSON.stringify({ args: process.argv.slice(2), text })));`;

verifies(
  'graph.viz.graph',
  'dot gets the graph as its input and nothing foreign as a word; only the named file appears',
  async () => {
    const { files, folder } = withDot(ECHO);
    mkdirSync(path.join(folder, 'out'));
    const name = 'out/$(touch pwned); `x` -o y.svg';
    const file = await files.draw(name, 'digraph { "$(touch pwned)" }', 'svg');
    expect(file).toBe(path.join(folder, name));
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ args: ['-Tsvg'], text: 'digraph { "$(touch pwned)" }' });
    expect(readdirSync(folder, { recursive: true }).sort()).toEqual(['out', name].sort());
  },
);

verifies('graph.viz.graph', 'without dot: a code, and what to install; nothing is written', async () => {
  const folder = room('pictures');
  const files = new LocalPictureFiles(folder, { PATH: room('nothing') });
  const asked = files.draw('graph.png', 'digraph {}', 'png');
  await expect(asked).rejects.toMatchObject({ code: 'dot_missing', hint: expect.stringContaining('graphviz') });
  expect(readdirSync(folder)).toEqual([]);
});

verifies('graph.viz.graph', 'what dot says when it fails is told, and the old picture stays', async () => {
  const { files, folder } = withDot(
    `process.stderr.write('syntax error near \\u001b[31mline 1'); process.exitCode = 1;`,
  );
  writeFileSync(path.join(folder, 'graph.svg'), 'old');
  const asked = files.draw('graph.svg', 'digraph {}'.repeat(100_000), 'svg');
  await expect(asked).rejects.toMatchObject({ code: 'dot_failed', why: 'syntax error near \\u{1b}[31mline 1' });
  expect(readFileSync(path.join(folder, 'graph.svg'), 'utf8')).toBe('old');
  expect(readdirSync(folder)).toEqual(['graph.svg']);
});

verifies(
  'graph.viz.graph',
  'a link is replaced and never followed; folders that are not there are not made',
  async () => {
    const folder = room('pictures');
    const elsewhere = path.join(room('elsewhere'), 'precious');
    writeFileSync(elsewhere, 'precious');
    symlinkSync(elsewhere, path.join(folder, 'graph.dot'));
    const files = new LocalPictureFiles(folder, {});
    expect(readFileSync(await files.write('graph.dot', 'digraph {}'), 'utf8')).toBe('digraph {}');
    expect(readFileSync(elsewhere, 'utf8')).toBe('precious');
    await expect(files.write('no/where/graph.dot', '')).rejects.toMatchObject({ code: 'not_found' });
    mkdirSync(path.join(folder, 'a.dot'));
    await expect(files.write('a.dot', '')).rejects.toMatchObject({ code: 'bad_input' });
    expect(readdirSync(folder).sort()).toEqual(['a.dot', 'graph.dot']);
  },
);

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { repository } from '../repository.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { CLI, start, troupe } from './program.js';

verifies('in.wg', 'the program serves scripts of the original under the name wg, and its graph in .wg', async () => {
  const cwd = repository({ 'README.md': '# Sample\n' });
  mkdirSync(path.join(cwd, '.wg'));
  writeFileSync(path.join(cwd, '.wg/graph.jsonl'), '{"kind":"task","id":"a","title":"A","status":"open"}\n');
  expect((await troupe(['list'], { cwd })).stderr).toContain('not_initialized');
  const name = path.join(room('names'), 'wg');
  symlinkSync(CLI, name); // as npm installs it
  const wg = (...words: string[]) => start(words, { cwd, program: [process.execPath, name] }).finished;
  const added = await wg('--dir', '.wg', 'add', 'B', '--after', 'a,ghost', '--allow-phantom');
  expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('is called .workgraph now') });
  expect(JSON.parse((await wg('--json', 'blocked', 'b')).stdout)).toEqual([{ id: 'a', title: 'A', status: 'open' }]);
  expect(JSON.parse((await wg('service', 'status', '--json')).stdout)).toEqual({ status: 'not_running' });
  expect(readFileSync(path.join(cwd, '.wg/graph.jsonl'), 'utf8')).toContain('"id":"b"');
  // A script of the original has nobody who could answer a question.
  await troupe(['fail', 'a', '--reason', 'no'], { cwd });
  expect(JSON.parse((await wg('replay', '--json')).stdout)).toMatchObject({
    reset_tasks: expect.arrayContaining(['a']),
  });
  // Under its own name the program prints its own shapes.
  const { stdout } = await troupe(['ready', '--json'], { cwd });
  expect(JSON.parse(stdout)).toEqual({ tasks: [{ id: 'a', title: 'A', tags: [] }] });
});

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { LocalFiles } from '#adapters/files/local-files.js';
import { commandHash, waitsForTrust } from '#core/graph/commands.js';
import { recordingStore } from '#operations/graph/recording-store.js';
import { importWork } from '#operations/history/import.js';
import type { Context } from '#operations/operation.js';
import { agreedTo } from '../../agreed.js';
import { world } from '../../e2e/world.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

/** A project in memory, and a folder with the files of other trackers. */
function place() {
  const own = world();
  const folder = room();
  const commands = agreedTo();
  const context: Context = {
    ...own.context,
    files: async () => new LocalFiles(folder),
    trustedCommands: async () => commands,
    graph: async () => recordingStore(own.store, async () => commands),
  };
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  const run = (input: Parameters<typeof importWork.run>[1], request = {}) =>
    importWork.run({ ...context, request }, input);
  return { ...own, commands, write, run };
}

const TODO = '- [ ] Один\n  - [x] Two\n';

verifies(
  'import.command',
  'a dry run changes nothing and tells what comes; a repeated request is one import',
  async () => {
    const { store, write, run } = place();
    write('TODO.md', TODO);
    const before = (await store.view()).seq;
    const preview = await run({ file: 'TODO.md', dry_run: true });
    expect((await store.view()).seq).toBe(before);
    expect(preview).toMatchObject({
      ...{ tracker: 'checklist', file: 'TODO.md', source: 'TODO.md', dry_run: true, seq: before, present: 0 },
      tasks: [
        { id: 'odin', title: 'Один', status: 'open', paused: true, after: ['two'] },
        { id: 'two', status: 'done', paused: false, after: [] },
      ],
    });
    const request = { requestId: 'r1', input: 'x' };
    const first = await run({ file: 'TODO.md' }, request);
    expect(first.tasks).toEqual(preview.tasks);
    expect(await run({ file: 'TODO.md' }, request)).toEqual(first);
    expect(await run({ file: 'TODO.md' })).toMatchObject({ tasks: [], present: 2, seq: first.seq });
    write('PLAN.md', TODO);
    expect((await run({ file: 'PLAN.md' })).tasks.map(({ id }) => id)).toEqual(['odin-2', 'two-2']);
  },
);

verifies('import.whole', 'a dry run shows what cannot be read; the import refuses it as a whole', async () => {
  const { store, write, run } = place();
  write('issues.jsonl', '{"id":"a","title":"A","priority":1}\nbroken\n');
  expect(await run({ file: 'issues.jsonl', dry_run: true })).toMatchObject({
    tasks: [{ id: 'a' }],
    broken: [{ place: 'line 2', why: 'not a JSON object' }],
  });
  const before = (await store.view()).seq;
  await expect(run({ file: 'issues.jsonl' })).rejects.toThrow(expect.objectContaining({ code: 'bad_input' }));
  expect((await store.view()).seq).toBe(before);
  expect((await run({ file: 'issues.jsonl', skip_broken: true })).tasks).toHaveLength(1);
});

verifies('import.inert', 'an imported command waits for trust, also in a task that may start at once', async () => {
  const { store, commands, write, run } = place();
  write('graph.jsonl', '{"kind":"task","id":"x","title":"X","status":"open","exec":"make"}\n');
  await run({ file: 'graph.jsonl', open: true });
  const task = (await store.view()).task('x');
  expect(task).toMatchObject({ exec: 'make', status: 'open' });
  expect(task?.paused).toBeUndefined();
  expect(task && waitsForTrust(task, commands)).toBe(true);
  commands.add([commandHash('make', {})]);
  expect(task && waitsForTrust(task, commands)).toBe(false);
});

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LocalFiles } from '#adapters/files/local-files.js';
import { readTextFile } from '#adapters/files/text-file.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const coded = (code: string) => expect.objectContaining({ code });

test('the beginning of a text, whole characters only, and whether there is more', async () => {
  const file = path.join(room(), 'a.md');
  writeFileSync(file, '\ufeffaä😀');
  expect(await readTextFile(file, 100)).toEqual({ text: 'aä😀', more: false });
  expect(await readTextFile(file, 10)).toEqual({ text: 'aä😀', more: false });
  expect(await readTextFile(file, 9)).toEqual({ text: 'aä', more: true });
  expect(await readTextFile(path.join(file, 'below'), 9)).toBeUndefined();
  expect(await readTextFile(`${file}.none`, 9)).toBeUndefined();
});

verifies('sec.path.escape', 'links are followed as long as they stay inside', async () => {
  const top = room();
  const [project, outside] = [path.join(top, 'project'), path.join(top, 'outside')];
  for (const folder of [project, outside, path.join(project, 'docs')]) mkdirSync(folder);
  writeFileSync(path.join(outside, 'secret'), 'key');
  writeFileSync(path.join(project, 'AGENTS.md'), 'be kind');
  symlinkSync('AGENTS.md', path.join(project, 'CLAUDE.md'));
  symlinkSync('../outside/secret', path.join(project, 'out.md'));
  symlinkSync(outside, path.join(project, 'folder'));
  symlinkSync('round.md', path.join(project, 'round.md'));
  const files = new LocalFiles(project);
  expect(await files.text('CLAUDE.md', 100)).toBe('be kind');
  expect(await files.text('none.md', 100)).toBeUndefined();
  for (const way of ['out.md', 'folder/secret', '../outside/secret', '..', '.', 'docs', 'round.md']) {
    await expect(files.text(way, 100), way).rejects.toThrow(coded('unsafe_path'));
  }
});

test('what is no text is refused', async () => {
  const folder = room();
  for (const [name, bytes] of [
    ['latin1', [0x61, 0xe4, 0x62]],
    ['zero', [0x61, 0, 0x62]],
  ] as const) {
    writeFileSync(path.join(folder, name), Buffer.from(bytes));
    await expect(new LocalFiles(folder).text(name, 100), name).rejects.toThrow(coded('unreadable'));
  }
  writeFileSync(path.join(folder, 'zero.bin'), 'a\0b');
  const refused = await new LocalFiles(folder).text('zero.bin', 100).catch((error: unknown) => error);
  expect(refused, 'permissions are not the cause').toMatchObject({ code: 'unreadable', hint: 'Name a text file.' });
});

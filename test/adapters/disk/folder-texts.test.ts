import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { folderTexts } from '#adapters/disk/folder-texts.js';
import { TroupeError } from '#kernel/errors.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

async function answers(folder: string, names: readonly string[], most: number): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for await (const { name, text } of folderTexts(folder, names, most))
    found[name] = text instanceof TroupeError ? `${text.code}: ${text.message.replace(folder, '')}` : text;
  return found;
}

verifies(
  ['agency.file.bad', 'fed.inert'],
  'files of a folder are read up to a size; links, folders and pipes are refused, and none is waited for',
  async () => {
    const folder = room();
    const large = 300 * 1024; // more than is read at once
    const file = (name: string, bytes: number) => writeFileSync(path.join(folder, name), 'é'.repeat(bytes / 2));
    file('empty', 0);
    file('small', 10);
    file('whole', large);
    file('larger', large + 2);
    symlinkSync('small', path.join(folder, 'link'));
    mkdirSync(path.join(folder, 'folder'));
    execFileSync('mkfifo', [path.join(folder, 'pipe')]);
    const names = ['empty', 'folder', 'gone', 'larger', 'link', 'pipe', 'small', 'whole'];
    expect(await answers(folder, names, large)).toEqual({
      empty: '',
      folder: expect.stringMatching(/^unsafe_path: .*is not a regular file/),
      larger: large + 2,
      link: expect.stringMatching(/^unsafe_path: .*is a link/),
      pipe: expect.stringMatching(/^unsafe_path: .*is not a regular file/),
      small: 'é'.repeat(5),
      whole: 'é'.repeat(large / 2),
    });
    expect(await answers(folder, ['small', 'whole'], 8)).toEqual({ small: 10, whole: large });
  },
);

verifies(
  'fed.inert',
  'what takes the place of a file while its folder is read is looked at as what it is',
  async () => {
    const folder = room();
    const names = ['a', 'b', 'c'];
    for (const name of names) writeFileSync(path.join(folder, name), name);
    writeFileSync(path.join(folder, 'secret'), 'hidden');
    const found: unknown[] = [];
    for await (const { name, text } of folderTexts(folder, names, 100)) {
      found.push(text instanceof TroupeError ? text.code : text);
      if (name !== 'a') continue;
      symlinkSync('secret', path.join(folder, 'new-b'));
      renameSync(path.join(folder, 'new-b'), path.join(folder, 'b'));
      writeFileSync(path.join(folder, 'new-c'), 'x'.repeat(101));
      renameSync(path.join(folder, 'new-c'), path.join(folder, 'c'));
    }
    expect(found).toEqual(['a', 'unsafe_path', 101]);
  },
);

test('a text that is read in parts is whole', async () => {
  const folder = room();
  const text = Array.from({ length: 20_000 }, (_, index) => index).join(' ');
  writeFileSync(path.join(folder, 'long'), text);
  expect(await answers(folder, ['long'], 512 * 1024)).toEqual({ long: text });
});

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { LedgerFolder } from '#adapters/squad/ledger-folder.js';
import { MEMORY_EVENTS } from '#core/squad/memory-ledger.js';
import { AGENTS_FOLDER } from '#core/squad/squad-paths.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { ALONE } from '../../lone-squad.js';
import { openBelow } from '../../open-files.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

function place() {
  const project = room('ledger');
  const ledger = new LedgerFolder(project, new ProcessTable(), ALONE);
  return { project, ledger, put: (files: Readonly<Record<string, string>>) => write(project, files) };
}

test('a file of the memory is read byte for byte, or it is said why not', async () => {
  const { project, ledger, put } = place();
  const text = '\ufeffö\r\n';
  put({
    'full.md': 'x'.repeat(TEAM_LIMITS.squadFileBytes),
    'large.md': 'x'.repeat(TEAM_LIMITS.squadFileBytes + 1),
    'a.md': text,
  });
  writeFileSync(path.join(project, 'bytes.md'), new Uint8Array([0x61, 0xff]));
  symlinkSync('a.md', path.join(project, 'link.md'));
  mkdirSync(path.join(project, 'folder.md'));
  const read = async (name: string) => await ledger.look(async ({ file }) => await file(name));
  expect(await read('a.md')).toEqual({ path: 'a.md', text, sha256: sha256(text) });
  expect(await read('full.md')).toHaveProperty('text');
  expect([await read('gone.md'), await read('a.md/x')]).toEqual([undefined, expect.anything()]);
  for (const [name, problem] of [
    ['large.md', `is larger than ${TEAM_LIMITS.squadFileBytes} bytes`],
    ['bytes.md', 'is not UTF-8 text'],
    ['link.md', 'is a link or not a regular file'],
    ['folder.md', 'is a link or not a regular file'],
    ['../x', 'is a link or not a regular file'],
  ] as const)
    expect(await read(name), name).toEqual({ path: name, problem });
  expect(openBelow(project)).toEqual([]);
});

test('the inbox is read in the order of its names, so many of it, notes alone', async () => {
  const { ledger, put } = place();
  const inbox = async () => await ledger.look(async (read) => await read.inbox());
  expect(await inbox()).toEqual({ files: [], more: false });
  const folder = '.squad/decisions/inbox';
  put({ [`${folder}/b.md`]: 'b', [`${folder}/a.md`]: 'a', [`${folder}/c.txt`]: 'c', [`${folder}/B.md`]: 'B' });
  const { files, more } = await inbox();
  expect([files.map(({ path: name }) => path.basename(name)), more]).toEqual([['B.md', 'a.md', 'b.md'], false]);
  put({
    [`${folder}/a.md`]: 'x'.repeat(TEAM_LIMITS.inboxFileBytes + 1),
    [`${folder}/b.md`]: 'x'.repeat(TEAM_LIMITS.inboxFileBytes),
  });
  expect((await inbox()).files.map((file) => 'problem' in file)).toEqual([false, true, false]);
  const rest = Array.from(
    { length: TEAM_LIMITS.inboxFiles - 3 },
    (_, index) => [`${folder}/n${index}.md`, ''] as const,
  );
  put(Object.fromEntries(rest));
  const full = await inbox();
  expect([full.files.length, full.more]).toEqual([TEAM_LIMITS.inboxFiles, false]);
  put({ [`${folder}/zz.md`]: '' });
  const over = await inbox();
  expect([over.files.length, over.more]).toEqual([TEAM_LIMITS.inboxFiles, true]);
});

test('members are folders called as their slugs', async () => {
  const { ledger, put } = place();
  put({ [`${AGENTS_FOLDER}/neo/history.md`]: 'x', [`${AGENTS_FOLDER}/trinity/charter.md`]: 'x' });
  put({ [`${AGENTS_FOLDER}/Not A Slug/history.md`]: 'x' });
  expect([...(await ledger.look(async (read) => await read.members()))].sort()).toEqual(['neo', 'trinity']);
  expect(await ledger.look(async (read) => await read.archived())).toEqual(new Set());
});

test('a change that changes nothing answers all the same', async () => {
  const { ledger } = place();
  expect(await ledger.change(async () => ({ changes: [], result: 7 }))).toBe(7);
});

verifies('one.memory', 'the memory is read once, and again when its file is another one', async () => {
  const { project, put } = place();
  const later = { now: () => Date.now() + 60_000 };
  const ledger = new LedgerFolder(project, new ProcessTable(), { ...ALONE, clock: later });
  const events = async () => await ledger.look(async (read) => await read.events());
  expect(await events()).toBeUndefined();
  put({ [MEMORY_EVENTS]: 'one\n' });
  const first = await events();
  expect(first).toMatchObject({ text: 'one\n' });
  expect(await events()).toBe(first);
  put({ [MEMORY_EVENTS]: 'two\n' });
  expect(await events()).toMatchObject({ text: 'two\n' });
});

import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { inboxList, inboxMerge, inboxReject } from '#operations/squad/inbox.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { INBOX, inboxFile, MemoryStage } from '../team/memory-stage.js';

const entries = (stage: MemoryStage) => stage.call(inboxList, { status: 'all' }).then((answer) => answer.entries);

verifies(
  ['memory.import', 'memory.import.same-slug'],
  'what lies in the inbox is taken in once, and stays where it is',
  async () => {
    const stage = new MemoryStage();
    expect(await stage.import()).toEqual({ imported: [], skipped: [] });
    stage.put(`${INBOX}/b.md`, inboxFile({ body: 'Keep it.\n\n**Rationale:** One file.' }));
    stage.put(`${INBOX}/c.md`, inboxFile({ agent: 'Trinity', slug: 'habit', type: 'pattern' }));
    stage.put(`${INBOX}/notes.txt`, 'no entry');
    const before = stage.files();
    const first = await stage.import();
    expect(first).toEqual({
      imported: [
        { file: `${INBOX}/b.md`, number: 1, agent: 'neo', slug: 'one-store', filed: 'added' },
        { file: `${INBOX}/c.md`, number: 2, agent: 'trinity', slug: 'habit', filed: 'added' },
      ],
      skipped: [],
    });
    expect((await entries(stage))[0]).toMatchObject({ content: 'Keep it.', rationale: 'One file.', status: 'pending' });
    for (let again = 0; again < 2; again++) expect(await stage.import()).toEqual({ imported: [], skipped: [] });
    expect(await entries(stage)).toHaveLength(2);
    expect(stage.files()).toEqual(before);
  },
);

verifies('memory.import', 'what cannot be read is named with its reason and left alone', async () => {
  const stage = new MemoryStage();
  const outside = path.join(room(), 'outside.md');
  writeFileSync(outside, inboxFile({ slug: 'outside' }));
  stage.put(`${INBOX}/a.md`, 'no front matter');
  stage.put(`${INBOX}/b.md`, Buffer.from([0x2d, 0x2d, 0x2d, 0x0a, 0xff, 0xfe]));
  stage.put(`${INBOX}/c.md`, inboxFile({ body: 'x'.repeat(TEAM_LIMITS.inboxFileBytes) }));
  stage.put(`${INBOX}/d.md`, inboxFile({ slug: '../../escape' }));
  stage.put(`${INBOX}/good.md`, inboxFile());
  symlinkSync(outside, path.join(stage.folder, INBOX, 'link.md'));
  mkdirSync(path.join(stage.folder, INBOX, 'folder.md'));
  const before = { ...stage.files() };
  const { imported, skipped } = await stage.import();
  expect(imported.map(({ file }) => file)).toEqual([`${INBOX}/good.md`]);
  expect(skipped).toEqual([
    { file: `${INBOX}/a.md`, reason: 'has no front matter between two lines of ---' },
    { file: `${INBOX}/b.md`, reason: 'is not UTF-8 text' },
    { file: `${INBOX}/c.md`, reason: `is larger than ${TEAM_LIMITS.inboxFileBytes} bytes` },
    { file: `${INBOX}/d.md`, reason: expect.stringContaining('slug may hold') },
    { file: `${INBOX}/folder.md`, reason: 'is a link or not a regular file' },
    { file: `${INBOX}/link.md`, reason: 'is a link or not a regular file' },
  ]);
  // Not even an export, which knows nothing of them, touches what could not be read.
  const { kept } = await stage.export();
  expect(kept).toEqual(skipped);
  const { [`${INBOX}/good.md`]: _, [`${INBOX}/one-store.md`]: __, ...after } = stage.files();
  const { [`${INBOX}/good.md`]: ___, ...rest } = before;
  expect(after).toEqual(rest);
});

verifies('memory.import', 'an inbox behind a link is not looked into', async () => {
  const stage = new MemoryStage();
  const elsewhere = room();
  writeFileSync(path.join(elsewhere, 'x.md'), inboxFile());
  stage.put('.squad/decisions/keep.txt', '');
  symlinkSync(elsewhere, path.join(stage.folder, INBOX));
  await expect(stage.import()).rejects.toMatchObject({ code: 'unsafe_path' });
  await expect(stage.export()).rejects.toMatchObject({ code: 'unsafe_path' });
  expect(await entries(stage)).toEqual([]);
});

verifies(
  'memory.import.same-slug',
  'another agent keeps the slug under a name of its own, and an export is known again',
  async () => {
    const stage = new MemoryStage();
    stage.put(`${INBOX}/a.md`, inboxFile());
    stage.put(`${INBOX}/b.md`, inboxFile({ agent: 'trinity' }));
    stage.put(`${INBOX}/c.md`, inboxFile({ agent: 'tank', slug: 'one-store--morpheus' }));
    stage.put(`${INBOX}/d.md`, inboxFile({ agent: 'morpheus' }));
    await stage.import();
    expect((await entries(stage)).map(({ stored_slug }) => stored_slug)).toEqual([
      'one-store',
      'one-store--trinity',
      'one-store--morpheus',
      'one-store--morpheus--2',
    ]);
    await stage.export();
    expect(stage.inbox()).toEqual([
      'one-store--morpheus--2.md',
      'one-store--morpheus.md',
      'one-store--trinity.md',
      'one-store.md',
    ]);
    expect(stage.text(`${INBOX}/one-store--trinity.md`)).toContain('agent: trinity\nslug: one-store\n');
    expect(await stage.import()).toEqual({ imported: [], skipped: [] });
    expect(await entries(stage)).toHaveLength(4);
  },
);

verifies(
  'memory.import.same-slug',
  'two files of one agent and slug: the one with the right name counts, else the first',
  async () => {
    const stage = new MemoryStage();
    stage.put(`${INBOX}/a.md`, inboxFile({ body: 'from a' }));
    stage.put(`${INBOX}/b.md`, inboxFile({ body: 'from b' }));
    expect(await stage.import()).toMatchObject({
      imported: [{ file: `${INBOX}/a.md` }],
      skipped: [{ file: `${INBOX}/b.md`, reason: `has agent and slug of ${INBOX}/a.md` }],
    });
    stage.put(`${INBOX}/one-store.md`, inboxFile({ body: 'by its name' }));
    expect(await stage.import()).toMatchObject({
      imported: [{ file: `${INBOX}/one-store.md`, filed: 'changed' }],
      skipped: [{ file: `${INBOX}/a.md` }, { file: `${INBOX}/b.md` }],
    });
    expect(await entries(stage)).toMatchObject([{ content: 'by its name' }]);
  },
);

verifies(
  'memory.import',
  'a pending entry follows its file; one that was settled does not, and the file stays',
  async () => {
    const stage = new MemoryStage();
    stage.put(`${INBOX}/one-store.md`, inboxFile());
    await stage.import();
    stage.put(`${INBOX}/one-store.md`, inboxFile({ body: 'Better.' }));
    expect(await stage.import()).toMatchObject({ imported: [{ number: 1, filed: 'changed' }], skipped: [] });
    await stage.call(inboxMerge, { number: 1 });
    stage.put(`${INBOX}/one-store.md`, inboxFile({ body: 'Too late.' }));
    const reason = 'entry 1 was already merged: give it another slug';
    expect(await stage.import()).toEqual({ imported: [], skipped: [{ file: `${INBOX}/one-store.md`, reason }] });
    await stage.export();
    expect(stage.text(`${INBOX}/one-store.md`)).toContain('Too late.');
    expect((await entries(stage))[0]).toMatchObject({ status: 'merged', content: 'Better.' });
  },
);

verifies('memory.import', 'an inbox that is full says so for each file, and takes in what still fits', async () => {
  const stage = new MemoryStage();
  for (let count = 0; count < TEAM_LIMITS.inboxFiles + 2; count++)
    stage.put(`${INBOX}/${String(count).padStart(5, '0')}.md`, inboxFile({ slug: `s${count}` }));
  const first = await stage.import();
  expect(first.imported).toHaveLength(TEAM_LIMITS.inboxFiles);
  expect(first.skipped).toEqual([{ file: INBOX, reason: expect.stringContaining('the rest was ignored') }]);
  renameSync(path.join(stage.folder, INBOX, '01000.md'), path.join(stage.folder, INBOX, '00000a.md'));
  const { imported, skipped } = await stage.import();
  expect(imported).toEqual([]);
  expect(skipped[0]).toEqual({ file: INBOX, reason: expect.stringContaining('ignored') });
  expect(skipped[1]).toEqual({ file: `${INBOX}/00000a.md`, reason: 'the inbox is full' });
  await stage.call(inboxReject, { number: 1 });
  expect((await stage.import()).imported).toMatchObject([{ file: `${INBOX}/00000a.md` }]);
});

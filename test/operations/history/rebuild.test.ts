import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { compareWithLog } from '#operations/graph-of-log.js';
import { rebuild, rotate, snapshot } from '#operations/history/store-files.js';
import { check } from '#operations/insight/structure.js';
import { verifies } from '../../verifies.js';
import { place } from './place.js';

const coded = (code: string) => expect.objectContaining({ code });

verifies('graph.store.rotate', 'rebuild makes the graph from the log, whole or as it was, byte for byte', async () => {
  const { project, folder, store, put, pass, call } = await place();
  const graph = path.join(folder, 'graph.jsonl');
  const texts: string[] = [''];
  for (let number = 0; number < 9; number++) {
    pass(60_000);
    await put(`t${number}`, { after: number === 0 ? [] : [`t${number - 1}`], wind: number });
    await call(snapshot); // a commit is answered before the readable file follows
    texts.push(readFileSync(graph, 'utf8'));
    if (number % 4 === 3) {
      expect(await call(rotate)).toMatchObject({ rotated: true, to: texts.length - 1 });
      texts.push(readFileSync(graph, 'utf8'));
    }
  }
  expect(await call(rotate)).toMatchObject({ rotated: true, from: 10, to: 11 });
  expect(await call(rotate)).toEqual({ rotated: false, seq: 12 });
  const answer = await call(rebuild);
  expect(answer).toEqual({ seq: 12, tasks: 9, text: readFileSync(graph, 'utf8') });
  for (const [seq, text] of texts.entries())
    expect((await call(rebuild, { at: String(seq) })).text, `at ${seq}`).toBe(text);
  expect((await call(rebuild, { at: '2026-03-01T10:02:30Z' })).text).toBe(texts[2]);
  await expect(call(rebuild, { at: '77' })).rejects.toThrow(coded('bad_input'));
  await expect(call(rebuild, { at: 'once' })).rejects.toThrow(coded('bad_input'));

  const file = path.join(project, 'then.jsonl');
  expect(await call(rebuild, { at: '3', output: file })).toEqual({ seq: 3, tasks: 3, file });
  expect(readFileSync(file, 'utf8')).toBe(texts[3]);
  await expect(call(rebuild, { output: graph })).rejects.toThrow(coded('unsafe_path'));
  await expect(call(rebuild, { output: path.join(project, 'no', 'such.jsonl') })).rejects.toThrow(coded('not_found'));
  await store.close();
});

verifies(
  'graph.store.rotate',
  'comments and lines nobody understands are in the rebuilt file as in the present one',
  async () => {
    const { folder, store, put, call } = await place();
    const graph = path.join(folder, 'graph.jsonl');
    await put('a');
    await call(snapshot);
    writeFileSync(graph, `# mine\n${readFileSync(graph, 'utf8')}what is this\n`);
    await put('b');
    await call(snapshot);
    expect(readFileSync(graph, 'utf8')).toContain('# mine');
    expect((await call(rebuild)).text).toBe(readFileSync(graph, 'utf8'));
    await store.close();
  },
);

verifies(
  'who.replay',
  '`check --deep` finds what the graph says otherwise than its log, `check` does not look',
  async () => {
    const { folder, store, put, call } = await place();
    await put('d');
    expect(await call(check, { deep: true })).toMatchObject({ ok: true, problems: [] });
    const log = path.join(folder, 'operations.jsonl');
    const text = readFileSync(log, 'utf8');
    writeFileSync(log, text.replace('Title of d', 'Titel of d'));
    const drift = { code: 'log_drift', severity: 'error', task_id: 'd', hint: expect.stringContaining('title') };
    expect(await call(check, { deep: true })).toMatchObject({ ok: false, problems: [drift] });
    expect(await call(check)).toMatchObject({ ok: true });
    expect((await call(rebuild)).text).toContain('Titel of d');
    writeFileSync(log, text);
    await store.close();
  },
);

verifies('graph.store.rotate', 'comparing with the log finds what the log does not say', async () => {
  const { folder, store, put, call } = await place();
  for (const id of ['a', 'b', 'c']) await put(id);
  await store.rotate();
  await put('d');
  expect(await compareWithLog(store)).toEqual({ same: true, seq: 5, from: 1, differences: [] });
  // somebody rewrites history behind our back: the snapshot still matches its mark
  const log = path.join(folder, 'operations.jsonl');
  const text = readFileSync(log, 'utf8');
  writeFileSync(log, text.replace('Title of d', 'Titel of d'));
  const { same, differences } = await compareWithLog(store);
  expect([same, differences]).toEqual([false, [{ id: 'd', kind: 'fields', fields: ['title'] }]]);
  writeFileSync(log, text);
  expect((await compareWithLog(store)).same).toBe(true);
  expect(await call(snapshot)).toEqual({ seq: 5, tasks: 4 });
  await store.close();
});

verifies('sec.path.escape', 'pieces are not written through a link', async () => {
  const { folder, store, put } = await place();
  await put('a');
  await store.close();
  const elsewhere = path.join(folder, '..', 'elsewhere');
  mkdirSync(elsewhere);
  symlinkSync(elsewhere, path.join(folder, 'log'));
  const { FileStore } = await import('#adapters/store/files/file-store.js');
  const { ProcessTable } = await import('#adapters/processes/process-table.js');
  const clock = { now: () => 0 };
  await expect(FileStore.open({ folder, clock, processes: new ProcessTable(), hold: false })).rejects.toThrow(
    coded('unsafe_path'),
  );
  expect(existsSync(path.join(elsewhere, 'base-1.jsonl.gz'))).toBe(false);
});

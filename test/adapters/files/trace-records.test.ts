import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { TraceFolder } from '#adapters/files/trace-folder.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { room } from '../../room.js';

function place() {
  const here = room('trace');
  const folder = path.join(here, '.workgraph');
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  };
  return { here, folder, write, traces: new TraceFolder(folder, here) };
}

test('a trace is read from where it was named', async () => {
  const { here, traces } = place();
  writeFileSync(path.join(here, 'a.json'), '{}');
  symlinkSync('a.json', path.join(here, 'link'));
  expect([await traces.read('a.json', 2), await traces.read('link', 2)]).toEqual(['{}', '{}']);
  await expect(traces.read('a.json', 1)).rejects.toMatchObject({ code: 'bad_trace' });
  await expect(traces.read('gone', 9)).rejects.toMatchObject({
    code: 'not_found',
    message: `There is no file ${here}/gone.`,
  });
  await expect(traces.read('.', 9)).rejects.toMatchObject({ code: 'unreadable' });
  await expect(traces.read('x'.repeat(300), 9)).rejects.toMatchObject({
    code: 'unreadable',
    message: expect.stringContaining('cannot be read'),
  });
});

test('records are read in YAML and JSON; one that cannot be understood keeps no other back', async () => {
  const { traces, write } = place();
  expect(await traces.evaluations()).toEqual({ records: [], warnings: [] });
  for (const [name, text] of [
    ['b.yaml', 'id: b\n'],
    ['a.json', '{"id":"a"}'],
    ['c.YML', 'id: c\n'],
    ['d.yaml', 'words'],
    ['e.yaml', 'x: [\n'],
    ['f.yaml', ' '.repeat(TEAM_LIMITS.traceRecordBytes + 1)],
    ['.g.yaml', 'id: g\n'],
    ['h.txt', 'id: h\n'],
    [`${'x'.repeat(120)}.yaml`, 'words'],
  ] as const)
    write(`functions/${name}`, text);
  const { records, warnings } = await traces.functions();
  expect(records).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }]);
  expect(warnings).toEqual([
    'd.yaml: not a record',
    expect.stringMatching(/^e\.yaml: /),
    `f.yaml: larger than ${TEAM_LIMITS.traceRecordBytes} bytes`,
    `${'x'.repeat(119)}…: not a record`,
  ]);
});

test('one evaluation by its id, whichever form it has', async () => {
  const { traces, write } = place();
  expect(await traces.evaluation('a')).toBeUndefined();
  write('agency/evaluations/a.yaml', 'id: a\n');
  write('agency/evaluations/b.json', '{"id":"b"}');
  write('agency/evaluations/c.yaml', 'words');
  write('agency/evaluations/c.json', '{"id":"c"}');
  expect([await traces.evaluation('a'), await traces.evaluation('b'), await traces.evaluation('c')]).toEqual([
    { id: 'a' },
    { id: 'b' },
    { id: 'c' },
  ]);
  for (const name of ['a', 'evaluations/1a', `evaluations/a${'x'.repeat(181)}`])
    write(`agency/${name}.yaml`, 'id: x\n');
  for (const id of ['d', '../a', '1a', `a${'x'.repeat(181)}`]) expect(await traces.evaluation(id), id).toBeUndefined();
});

test('no evaluation is read through a link', async () => {
  const { folder, traces, write } = place();
  write('elsewhere/a.yaml', 'id: a\n');
  mkdirSync(path.join(folder, 'agency'));
  symlinkSync(path.join(folder, 'elsewhere'), path.join(folder, 'agency/evaluations'));
  await expect(traces.evaluation('a')).rejects.toMatchObject({ code: 'unsafe_path' });
});

test('evaluations are compared with those there are', async () => {
  const { folder, traces, write } = place();
  const long = 'x'.repeat(130);
  const texts = new Map(['a', 'b', 'c', 'd', 'e', 'f', long].map((id) => [id, `id: ${id}\n`]));
  expect(await traces.compareEvaluations(texts)).toEqual({ same: new Set(), others: new Map(), unreadable: new Map() });
  write('agency/evaluations/a.yaml', 'id: a\n');
  write('agency/evaluations/b.yaml', 'id: other\n');
  write('agency/evaluations/c.yaml', 'words');
  write(`agency/evaluations/${long}.yaml`, 'words');
  write('agency/evaluations/z.yaml', 'id: z\n');
  write('agency/evaluations/a.yml', 'id: none\n');
  write('agency/evaluations/e.yaml', 'x'.repeat(TEAM_LIMITS.traceRecordBytes + 1));
  mkdirSync(path.join(folder, 'agency/evaluations/f.yaml'));
  expect(await traces.compareEvaluations(texts)).toEqual({
    ...{
      same: new Set(['a']),
      others: new Map([['b', { id: 'other' }]]),
      unreadable: new Map([
        ['c', 'c.yaml: not a record'],
        ['e', `e.yaml: larger than ${TEAM_LIMITS.traceRecordBytes} bytes`],
        ['f', expect.stringMatching(/\/f\.yaml is not a regular file\.$/)],
        [long, `${'x'.repeat(119)}\u2026: not a record`],
      ]),
    },
  });
});

test('what was imported is kept, the tasks last, and what an earlier one left goes', async () => {
  const { folder, traces, write } = place();
  const kept = (tasks: readonly unknown[], ids: readonly string[]) =>
    traces.keepImport({
      source: 'src',
      prefix: 'imported-src-',
      tasks,
      evaluations: ids.map((id) => ({ id, score: 1 })),
    } as never);
  write('agency/evaluations/imported-src-old.yaml', '');
  write('agency/evaluations/mine.yaml', '');
  expect(await traces.hasImport('src')).toBe(false);
  expect(await kept([{ id: 'a' }], ['imported-src-1'])).toEqual({
    replaced: false,
    path: '.workgraph/imports/src/tasks.yaml',
  });
  expect(await traces.hasImport('src')).toBe(true);
  const file = path.join(folder, 'imports/src/tasks.yaml');
  expect(readFileSync(file, 'utf8')).toBe('kind: imported-tasks\nversion: 1\nsource: "src"\ntasks:\n  - {"id":"a"}\n');
  expect(readFileSync(path.join(folder, 'agency/evaluations/imported-src-1.yaml'), 'utf8')).toBe(
    'id: "imported-src-1"\nscore: 1\n',
  );
  expect(readdirSync(path.join(folder, 'agency/evaluations')).sort()).toEqual(['imported-src-1.yaml', 'mine.yaml']);
  expect(await kept([], [])).toMatchObject({ replaced: true });
  expect(readFileSync(file, 'utf8')).toBe('kind: imported-tasks\nversion: 1\nsource: "src"\ntasks: []\n');
  await expect(kept([], ['../x'])).rejects.toMatchObject({ code: 'unsafe_path' });
});

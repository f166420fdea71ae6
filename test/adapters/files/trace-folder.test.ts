import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { TraceFolder } from '#adapters/files/trace-folder.js';
import { evaluationPrefix, importTrace } from '#core/history/import-trace.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

function place() {
  const project = room();
  const folder = path.join(project, '.workgraph');
  mkdirSync(folder);
  return { project, folder, files: new TraceFolder(folder, project) };
}

function importOf(source: string, evaluations: readonly string[], title = 'A') {
  const content = JSON.stringify({
    metadata: { version: 1 },
    tasks: [{ id: 'a', title, status: 'done' }],
    evaluations: evaluations.map((id) => ({ id, task_id: 'a', score: 0.5, source: 'llm' })),
  });
  return { ...importTrace(content, source), prefix: evaluationPrefix(source) };
}

verifies(
  'graph.trace.import',
  'the same source again replaces its tasks and evaluations, and nobody else’s',
  async () => {
    const { folder, files } = place();
    const evaluations = path.join(folder, 'agency/evaluations');
    expect(await files.hasImport('x')).toBe(false);
    expect((await files.keepImport(importOf('x', ['e1', 'e2']))).replaced).toBe(false);
    await files.keepImport(importOf('x-y', ['e1']));
    writeFileSync(path.join(evaluations, 'eval-own.yaml'), 'id: eval-own\nscore: 1\n');
    expect(readdirSync(evaluations)).toHaveLength(4);
    const again = await files.keepImport(importOf('x', ['e2', 'e3'], 'Weird \u009b31m \u202e: # "title"\n- x'));
    expect(again).toEqual({ replaced: true, path: '.workgraph/imports/x/tasks.yaml' });
    const text = readFileSync(path.join(folder, 'imports/x/tasks.yaml'), 'utf8');
    expect(parse(text)).toEqual({
      kind: 'imported-tasks',
      version: 1,
      source: 'x',
      tasks: [{ id: 'imported/x/a', title: 'Weird \u009b31m \u202e: # "title"\n- x', status: 'done' }],
    });
    expect(text).not.toMatch(/[\u009b\u202e]/);
    expect(readdirSync(folder)).toEqual(['agency', 'imports']);
    expect(readdirSync(path.join(folder, 'imports'))).toEqual(['x', 'x-y']);
    const records = (await files.evaluations()).records;
    expect(records.map((record) => record['source'] ?? 'own').sort()).toEqual([
      'import:x',
      'import:x',
      'import:x-y',
      'own',
    ]);
    expect(records.map((record) => record['origin_id']).sort()).toEqual(['e1', 'e2', 'e3', undefined]);
    expect(statSync(path.join(folder, 'imports/x/tasks.yaml')).mode & 0o777).toBe(0o600);
    await files.keepImport(importOf('x', []));
    expect((await files.evaluations()).records).toHaveLength(2);
  },
);

verifies('graph.trace.import', 'a link on the way is not followed', async () => {
  const { folder, files, project } = place();
  const elsewhere = room('elsewhere');
  symlinkSync(elsewhere, path.join(folder, 'imports'));
  await expect(files.keepImport(importOf('x', []))).rejects.toMatchObject({ code: 'unsafe_path' });
  symlinkSync(elsewhere, path.join(project, 'link'));
  expect(readdirSync(elsewhere)).toEqual([]);
});

verifies('graph.trace.import', 'a file that is too large, or no file, is not read', async () => {
  const { files, project } = place();
  writeFileSync(path.join(project, 'large.json'), 'x'.repeat(101));
  await expect(files.read('large.json', 100)).rejects.toMatchObject({ code: 'bad_trace' });
  expect(await files.read('large.json', 101)).toHaveLength(101);
  spawnSync('mkfifo', [path.join(project, 'pipe')]);
  await expect(files.read('pipe', 100)).rejects.toMatchObject({ code: 'unreadable' });
  await expect(files.read('.', 100)).rejects.toMatchObject({ code: 'unreadable' });
  await expect(files.read('nothing.json', 100)).rejects.toMatchObject({ code: 'not_found' });
});

test('records that cannot be understood are named and keep nothing back', async () => {
  const { folder, files } = place();
  expect(await files.functions()).toEqual({ records: [], warnings: [] });
  const functions = path.join(folder, 'functions');
  mkdirSync(functions);
  const write = (name: string, text: string) => writeFileSync(path.join(functions, name), text);
  write('good.yaml', 'id: good\n');
  write('other.json', '{"id":"other"}');
  write('alias.yaml', 'a: &x [1]\nb: *x\n');
  write('broken.yaml', 'a: [1\n');
  write('list.yaml', '- 1\n');
  write('deep.yaml', '['.repeat(50_000));
  write('large.yaml', `a: ${'x'.repeat(300_000)}`);
  write('notes.txt', 'no record');
  symlinkSync('/etc/passwd', path.join(functions, 'link.yaml'));
  const found = await files.functions();
  expect(found.records).toEqual([{ id: 'good' }, { id: 'other' }]);
  expect(found.warnings.map((warning) => warning.split(':')[0])).toEqual([
    'alias.yaml',
    'broken.yaml',
    'deep.yaml',
    'large.yaml',
    'list.yaml',
  ]);
});

verifies(
  ['fed.existing', 'fed.pull'],
  'an evaluation from elsewhere is the same to the byte, but for whose work it is, or is said to be another one',
  async () => {
    const { folder, files } = place();
    const text = (id: string, more = '') => `id: "${id}"\ntask_id: "t"\nscore: 0.5\n${more}`;
    const theirs = new Map([
      ...['own', 'theirs', 'other', 'new'].map((id) => [id, text(id)] as const),
      ['back', text('back', 'foreign: true\n')],
      ['unreadable', text('unreadable')],
      ['two', text('two')],
    ]);
    expect(await files.compareEvaluations(theirs)).toEqual({
      ...{ same: new Set(), others: new Map(), unreadable: new Map() },
    });
    const evaluations = path.join(folder, 'agency/evaluations');
    mkdirSync(evaluations, { recursive: true });
    const here = {
      'own.yaml': text('own'),
      'theirs.json': text('theirs', 'foreign: true\n'),
      'other.yaml': text('other', 'notes: "foreign: true"\n'),
      'back.yaml': text('back'),
      'unreadable.yaml': 'a: *b\n',
      'two.json': text('two'),
      'two.yaml': text('two', 'notes: "of two the later name counts"\n'),
      'new.yaml.retired': text('new'),
      'nobody.yaml': text('nobody'),
    };
    for (const [name, content] of Object.entries(here)) writeFileSync(path.join(evaluations, name), content);
    const { same, others, unreadable } = await files.compareEvaluations(theirs);
    expect([...unreadable]).toEqual([['unreadable', expect.stringMatching(/^unreadable\.yaml: ./)]]);
    expect([...same].sort()).toEqual(['back', 'own', 'theirs']);
    expect(Object.fromEntries(others)).toEqual({
      other: { id: 'other', task_id: 't', score: 0.5, notes: 'foreign: true' },
      two: { id: 'two', task_id: 't', score: 0.5, notes: 'of two the later name counts' },
    });
  },
);

import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { AgencyFolder } from '#adapters/agency/agency-folder.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { AgencyFile } from '#ports/agency.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';

const ID = 'a'.repeat(64);

function place() {
  const graph = path.join(room('agency'), '.workgraph');
  const top = path.join(graph, 'agency');
  mkdirSync(graph);
  const shipped = path.resolve(import.meta.dirname, '../../../data/agency');
  const agency = new AgencyFolder({ top, shipped, processes: new ProcessTable(), clock: { now: () => 0 } });
  const put = (files: Readonly<Record<string, string>>) => write(graph, files);
  return { graph, top, agency, put };
}

test('guides and what is known of others are read up to a bound, by a name, through no link', async () => {
  const { agency, put, top } = place();
  expect([await agency.guide('prompt'), await agency.federation()]).toEqual([undefined, undefined]);
  const most = 'x'.repeat(TEAM_LIMITS.wordingFileBytes);
  put({
    ...{ 'agency/evolver-skills/prompt.md': 'Be kind.', 'agency/evolver-skills/full.md': most },
    ...{ 'agency/evolver-skills/large.md': `${most}x`, 'agency/outside.md': 'x', 'agency/evolver-skills/Bad.md': 'x' },
    'federation.yaml': 'remotes: {a: b}\n',
  });
  const guides = ['prompt', 'full', 'large', '../outside', 'Bad', 'gone'].map((id) => agency.guide(id));
  expect(await Promise.all(guides)).toEqual(['Be kind.', most, undefined, undefined, undefined, undefined]);
  expect(await agency.federation()).toEqual({ remotes: { a: 'b' } });
  put({ 'federation.yaml': 'a: 1\na: 2\n' });
  await expect(agency.federation()).rejects.toMatchObject({
    ...{ code: 'unreadable', message: expect.stringMatching(/^\.workgraph\/federation\.yaml:2: ./) },
  });
  put({ 'federation.yaml': ' '.repeat(TEAM_LIMITS.agencyFileBytes + 1) });
  await expect(agency.federation()).rejects.toMatchObject({
    message: `.workgraph/federation.yaml: larger than ${TEAM_LIMITS.agencyFileBytes} bytes`,
  });
  const other = place();
  mkdirSync(other.top);
  symlinkSync(path.join(top, 'evolver-skills'), path.join(other.top, 'evolver-skills'));
  await expect(other.agency.guide('prompt')).rejects.toMatchObject({ code: 'unsafe_path' });
});

test('notes of evolution are read by their ids; what is none, or cannot be read, keeps no other back', async () => {
  const { agency, put } = place();
  expect(await agency.notes('evolution')).toEqual({ records: [], warnings: [] });
  put({
    ...{ 'agency/evolution_runs/run-1.yaml': 'a: 1\n', 'agency/evolution_runs/run-1-a.yaml': 'a: 2\n' },
    ...{ 'agency/evolution_runs/run-2.yaml': 'a: [\n', 'agency/evolution_runs/notes.yaml': 'a: 3\n' },
    'agency/deferred/run-9.yaml': 'b: 1\n',
  });
  expect(await agency.notes('evolution')).toEqual({
    records: [
      { id: 'run-1', value: { a: 1 } },
      { id: 'run-1-a', value: { a: 2 } },
    ],
    warnings: [expect.stringMatching(/^evolution_runs\/run-2\.yaml:2: ./)],
  });
  expect((await agency.notes('deferred')).records).toEqual([{ id: 'run-9', value: { b: 1 } }]);
});

test('an entity lies in one place, usable or retired; nothing is written under a name that leads elsewhere', async () => {
  const { agency, top } = place();
  const committed = async () => true;
  const change = async (...files: readonly AgencyFile[]) =>
    await agency.change(committed, async (_, put) => await put(files, undefined, committed));
  expect(await agency.read(committed)).toEqual({ records: [], warnings: [] });
  const before = await agency.stamp();
  await change(
    { kind: 'role', id: ID, retired: false, text: 'name: a\n' },
    ...(['evaluation', 'record', 'guide', 'evolution', 'federation'] as const).map((kind) => ({
      kind,
      id: kind,
      text: kind,
    })),
    { kind: 'replay', run: 'run-1', id: 'task', text: 'replay' },
  );
  expect(await agency.stamp()).not.toBe(before);
  const read = (name: string) => readFileSync(path.join(top, name), 'utf8');
  expect(
    [
      ...[`roles/${ID}.yaml`, 'evaluations/evaluation.yaml', 'record.yaml', 'evolver-skills/guide.md'],
      ...['evolution_runs/evolution.yaml', '../federation.yaml', 'replays/run-1/task.yaml'],
    ].map(read),
  ).toEqual(['name: a\n', 'evaluation', 'record', 'guide', 'evolution', 'federation', 'replay']);
  await change({ kind: 'role', id: ID, retired: true, text: 'name: b\n' });
  expect((await agency.read(committed)).records).toEqual([
    { kind: 'role', id: ID, file: `roles/${ID}.yaml.retired`, retired: true, value: { name: 'b' } },
  ]);
  for (const file of [
    { kind: 'role', id: 'a', retired: false, text: '' },
    { kind: 'evaluation', id: '../x', text: '' },
    { kind: 'evaluation', id: `a${'x'.repeat(181)}`, text: '' },
    { kind: 'replay', run: '../run-1', id: 'x', text: '' },
  ] as const)
    await expect(change(file), JSON.stringify(file)).rejects.toMatchObject({ code: 'unsafe_path' });
});

test('what a new agency begins with is there, each kind and each guide', async () => {
  const { entities, guides } = await place().agency.shipped();
  const kinds = new Set(entities.map(({ kind }) => kind));
  expect([...kinds].sort()).toMatchInlineSnapshot(`
    [
      "role",
      "tradeoff",
    ]
  `);
  expect(guides.map(({ id, text }) => [id, text !== ''])).toMatchInlineSnapshot(`
    [
      [
        "crossover",
        true,
      ],
      [
        "gap-analysis",
        true,
      ],
      [
        "mutation",
        true,
      ],
      [
        "retirement",
        true,
      ],
      [
        "tradeoff-tuning",
        true,
      ],
    ]
  `);
});

import { expect, test } from 'vitest';
import { strictYaml } from '#adapters/disk/strict-yaml.js';
import { findingsText, readFindings, rejectedText } from '#core/playbooks/findings-file.js';
import { compileSweep, defaultSweep, namedSweep, type sweepOf } from '#core/playbooks/sweep.js';
import { readPartition, schemaText, USUAL_SCHEMA } from '#core/playbooks/sweep-schema.js';
import { NO_ROLES } from '#core/roles/lane.js';
import { verifies } from '../../verifies.js';

const RUN = '20261123-caches-1f0c';
const FOLDER = `.claude/research-sweep/runs/${RUN}`;
const tasksOf = (line: ReturnType<typeof sweepOf>) => {
  const { tasks, files } = compileSweep('How caches fail', line.seats, {
    run: RUN,
    partition: line.partition,
    tiers: ['a', 'b'],
  });
  return { files, tasks: new Map(tasks.map((task) => [task.id.slice(RUN.length + 1), task])) };
};

verifies(
  'sweep.schema',
  'schema.yaml is there before anybody begins, and stands unchanged in what every scout is told',
  () => {
    const { files, tasks } = tasksOf(defaultSweep(NO_ROLES, 'How caches fail'));
    const schema = files.get('schema.yaml') ?? '';
    expect(schema).toBe(schemaText(USUAL_SCHEMA));
    expect(strictYaml(schema).value).toEqual({
      root: 'entries',
      required: ['id', 'title', 'source', 'claim'],
      optional: ['quote', 'date', 'note'],
    });
    const scouts = [...tasks.values()].filter(({ deliverables = [] }) => deliverables[0]?.includes('/scouts/'));
    expect(scouts).toHaveLength(5);
    for (const scout of scouts) expect(scout.description).toContain(schema.trimEnd());
  },
);

verifies(
  'sweep.slices',
  'five slices when nobody says any, each key with one owner; scouts are beside each other, and none is the verifier',
  () => {
    const { partition, seats } = defaultSweep(NO_ROLES, 'How caches fail in production');
    expect(partition.warnings).toEqual([]);
    expect(seats.map(({ name }) => name)).toEqual(partition.slices.map(({ name }) => name));
    expect(seats[0]?.name).toBe('field-reports');
    const data = {
      slices: [
        { name: 'web', owns: ['pages'] },
        { name: 'books', owns: ['Pages '] },
      ],
    };
    expect(() => readPartition(data, 's.yaml')).toThrowError(expect.objectContaining({ code: 'slices_overlap' }));
    const { tasks } = tasksOf({ seats, partition });
    for (const { name } of seats) {
      expect(tasks.get(name)).toMatchObject({
        exec_mode: 'full',
        model: 'a',
        deliverables: [`${FOLDER}/scouts/${name}.yaml`],
      });
      expect([tasks.get(name)?.after, tasks.get(name)?.after_success]).toEqual([undefined, undefined]);
    }
    expect(tasks.get('merge')?.after).toEqual(seats.map(({ name }) => `${RUN}-${name}`));
    const chain = ['merge', 'synthesis', 'verify', 'settle', 'log'];
    for (const [index, step] of chain.entries())
      if (index > 0) expect(tasks.get(step)?.after_success).toEqual([`${RUN}-${chain[index - 1]}`]);
    expect(tasks.get('verify')?.tags).toContain('seat:skeptic');
    for (const name of ['skeptic', 'merge', 'verify-web']) {
      const line = namedSweep(NO_ROLES, [{ name }, { name: 'web' }], partition);
      expect(() => tasksOf(line)).toThrowError('is the name of a step of every sweep');
    }
  },
);

test('an edited line-up keeps what a slice owns, and its tier', () => {
  const { partition } = defaultSweep(NO_ROLES, 'How caches fail');
  const line = namedSweep(
    NO_ROLES,
    [{ name: 'history', tier: 'b' }, { name: 'own-notes' }, { name: 'literature' }],
    partition,
  );
  expect(line.partition.slices.map(({ owns }) => owns)).toEqual([
    ['changelogs and release notes', 'past decisions'],
    ['own-notes'],
    ['papers and books', 'measurements'],
  ]);
  expect(line.seats[0]?.tier).toBe('b');
});

test('what is written of entries is YAML that says the same again, whatever stands in them', () => {
  const hostile = 'a: &x [*x]\n# "quoted" \\u{202e} \u2028 é';
  const fields = { id: 'a', title: hostile, source: '- x', claim: '!!js/function' };
  const entries = [
    {
      slice: 'web',
      ...fields,
      fields,
      provenance: [
        { slice: 'web', id: 'a' },
        { slice: 'books', id: 'b' },
      ],
    },
  ];
  const { claim, ...entry } = { ...entries[0], claim: undefined };
  const text = findingsText(hostile, entries as never);
  expect(readFindings(strictYaml(text).value)).toEqual([entry]);
  expect(readFindings(strictYaml(findingsText('q', [])).value)).toEqual([]);
  const rejected = [
    { slice: 'web', entry: 3, reason: hostile, text: hostile },
    { slice: 'web', entry: undefined, reason: 'r', text: '' },
  ];
  expect(strictYaml(rejectedText(rejected)).value).toEqual({
    rejected: [
      { slice: 'web', entry: 3, reason: hostile, text: hostile },
      { slice: 'web', reason: 'r' },
    ],
  });
  expect(strictYaml(rejectedText([])).value).toEqual({ rejected: [] });
});

import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { strictYaml, yamlText } from '#adapters/disk/strict-yaml.js';
import { againCommand } from '#core/graph/take-again.js';
import { taskOf } from '#core/graph/task-of.js';
import { verifies } from '../../verifies.js';
import { formationWorld } from './formation-world.js';

interface Proposed {
  readonly run: string;
  readonly seats: readonly { readonly name: string }[];
}

const SLICES = ['one', 'two', 'three', 'four', 'five', 'six'];
const entry = (id: string, more: object = {}) => ({
  id,
  title: `About ${id}`,
  source: `https://${id}.example`,
  claim: 'c',
  ...more,
});
const entriesOf = (slice: string, count = 10) =>
  Array.from({ length: count }, (_, index) => entry(`${slice}-${index}`));

async function sweepOf(
  scouts: Readonly<Record<string, readonly object[]>>,
  lessons: Readonly<Record<string, string>> = {},
) {
  const world = formationWorld();
  const slices = Object.keys(scouts).map((name) => ({ name, owns: [`key of ${name}`] }));
  const file = path.join(world.project, 'slices.yaml');
  writeFileSync(file, yamlText({ slices }));
  const { run } = (await world.call('formation.sweep', {
    goal: 'How caches fail',
    slices: file,
    yes: true,
  })) as Proposed;
  const folder = `.claude/research-sweep/runs/${run}`;
  for (const [slice, entries] of Object.entries(scouts)) {
    const lesson = lessons[slice];
    await world.handIn(`${run}-${slice}`, yamlText({ entries, ...(lesson === undefined ? {} : { lesson }) }));
  }
  const yaml = (name: string) => strictYaml(world.text(`${folder}/${name}`)).value as Record<string, unknown[]>;
  const ids = (name: string) =>
    (yaml(name)['ids'] ?? yaml(name)['entries'] ?? []).map((one) =>
      typeof one === 'string' ? one : (one as { id: string }).id,
    );
  const judge = (asked: readonly string[], refuted: readonly string[]) =>
    yamlText({
      verdicts: asked.map((id) => ({ id, verdict: refuted.includes(id) ? 'REFUTED' : 'HOLDS', why: 'looked' })),
    });
  return { ...world, run, folder, yaml, ids, judge };
}

verifies(
  'sweep.verify',
  '9 of 60 entries are checked, one of each slice; one refuted is removed, and its slice is checked in full before the report',
  async () => {
    const sweep = await sweepOf(Object.fromEntries(SLICES.map((slice) => [slice, entriesOf(slice)])));
    const { run, step, handIn, ids, judge, refusal, task, text, roleText } = sweep;
    await step(run, 'merge');
    await handIn(`${run}-synthesis`, yamlText({ findings: [{ text: 'They fail.', entries: ['one-0', 'two-3'] }] }));
    const sample = ids('sample.yaml');
    expect([sample.length, new Set(sample.map((id) => id.split('-')[0])).size]).toEqual([9, 6]);
    const bad = sample[0] ?? '';
    const slice = bad.split('-')[0] ?? '';
    expect(await refusal(handIn(`${run}-verify`, judge(sample.slice(1), [])))).toBe('unverified');
    await handIn(`${run}-verify`, judge(sample, [bad]));
    expect((await step(run, 'settle')).added).toEqual([`${run}-verify-${slice}`]);
    expect(ids('findings.yaml')).toHaveLength(59);
    expect(ids('findings.yaml')).not.toContain(bad);
    const rest = ids(`in-full-${slice}.yaml`);
    const own = entriesOf(slice).map(({ id }) => id);
    expect([...rest].sort()).toEqual(own.filter((id) => !sample.includes(id)).sort());

    const { delivered } = await sweep.shown(run);
    expect(delivered).toMatchObject({ sampled: sample.length });
    expect(delivered?.checks.filter(({ verdict }) => verdict === 'REFUTED')).toMatchObject([
      { id: bad, slice, why: 'looked', title: expect.stringMatching(/./), source: expect.stringMatching(/^https:/) },
    ]);
    expect(delivered?.slices.find(({ name }) => name === slice)).toMatchObject({ entries: 10, rejected: 0, gap: null });
    await expect(step(run, 'log')).rejects.toThrowError('may begin');
    expect((await task(`${run}-verify-${slice}`))?.tags).toContain('seat:skeptic');
    await handIn(`${run}-verify-${slice}`, judge(rest, rest.slice(0, 1)));
    await step(run, 'log');
    expect(ids('findings.yaml')).toHaveLength(58);
    expect(text(`${sweep.folder}/report.md`)).toContain(`2 were refuted and removed`);
    expect(roleText('research-sweep/log.md')).toContain(`- verifier: skeptic: ${9 + rest.length} checked`);
    expect(roleText('roles/research.md')).toMatch(new RegExp(`### ${slice}\\n[^#]*runs: clean 0`));
    expect(roleText('roles/research.md').match(/runs: clean 1/g)).toHaveLength(5);
  },
);

test('what a scout learned, also at its second look, is kept with its slice', async () => {
  const sweep = await sweepOf({ one: entriesOf('one', 5), two: [] }, { one: 'Look at mirrors first.' });
  const { run, step, handIn, ids, judge, roleText } = sweep;
  expect((await step(run, 'merge')).added).toContain(`${run}-again-two`);
  await handIn(`${run}-again-two`, yamlText({ entries: entriesOf('two', 5), lesson: 'Ask for dates.' }));
  await step(run, 'merge-again');
  await handIn(`${run}-synthesis`, yamlText({ findings: [{ text: 'They fail.', entries: ['one-0'] }] }));
  await handIn(`${run}-verify`, judge(ids('sample.yaml'), []));
  await step(run, 'settle');
  await step(run, 'log');
  const roles = roleText('roles/research.md');
  expect([roles.match(/Look at mirrors first\./g), roles.match(/Ask for dates\./g)]).toEqual([
    ['Look at mirrors first.'],
    ['Ask for dates.'],
  ]);
  expect(roles.indexOf('Look at mirrors')).toBeLessThan(roles.indexOf('### two'));
  expect(roles.indexOf('Ask for dates')).toBeGreaterThan(roles.indexOf('### two'));
});

verifies('gate.hand-in', 'a step of a sweep that misses a file names the task to open again', async () => {
  const sweep = await sweepOf({ one: entriesOf('one', 5), two: entriesOf('two', 5) });
  const { run, folder, project, step, handIn, ids, judge } = sweep;
  await step(run, 'merge');
  await handIn(`${run}-synthesis`, yamlText({ findings: [{ text: 'They fail.', entries: ['one-0'] }] }));
  await handIn(`${run}-verify`, judge(ids('sample.yaml'), []));
  const settle = `${run}-settle`;
  const missed = async (file: string, seat: string) => {
    rmSync(path.join(project, folder, file));
    await expect(step(run, 'settle')).rejects.toMatchObject({
      hint: expect.stringContaining(`troupe reopen ${run}-${seat}`),
    });
    const view = await sweep.store.view();
    expect(againCommand(view, taskOf(view, settle))).toBe(`troupe reopen ${run}-${seat}`);
  };
  await missed('verify/sample.yaml', 'verify');
  await missed('findings.yaml', 'merge');
});

verifies(
  'sweep.merge',
  'entries are merged by code: findings.yaml is there at once and registered, what is bad lies in rejected.yaml with its reason',
  async () => {
    const sweep = await sweepOf({
      one: [...entriesOf('one', 4), entry('Bad Id'), entry('x', { exec: 'rm' })],
      two: [
        ...entriesOf('two', 3),
        entry('one-0'),
        entry('other', { title: 'about  ONE-1', source: 'https://one-1.example' }),
      ],
    });
    const { run, folder, step, yaml, ids, task } = sweep;
    expect(await step(run, 'merge')).toMatchObject({ added: [], said: ['7 entries, 2 rejected.'] });
    expect(ids('findings.yaml')).toEqual(['one-0', 'one-1', 'one-2', 'one-3', 'two-0', 'two-1', 'two-2']);
    expect(yaml('findings.yaml')['entries']?.[1]).toMatchObject({ provenance: ['one:one-1', 'two:other'] });
    expect(yaml('rejected.yaml')['rejected']).toMatchObject([
      { slice: 'one', entry: 5, reason: 'its id is not valid: Bad Id' },
      { slice: 'one', entry: 6, reason: 'exec is not a field of the schema' },
    ]);
    expect((await task(`${run}-merge`))?.artifacts).toEqual([`${folder}/findings.yaml`, `${folder}/rejected.yaml`]);
  },
);

verifies(
  'sweep.synthesise',
  'a finding without an entry that is left is dropped from the report; nothing but findings of entries is handed in',
  async () => {
    const sweep = await sweepOf({ one: entriesOf('one', 3), two: entriesOf('two', 3) });
    const { run, folder, step, handIn, judge, ids, refusal, text } = sweep;
    await step(run, 'merge');
    expect(
      await refusal(handIn(`${run}-synthesis`, yamlText({ findings: [{ text: 'By heart', entries: ['z'] }] }))),
    ).toBe('bad_input');
    const sample = ids('sample.yaml');
    const [gone = '', kept = ''] = sample;
    const findings = [
      { text: 'Stays', entries: [kept, gone] },
      { text: 'Goes with its entry', entries: [gone] },
      { text: 'By heart', entries: ['z'] },
    ];
    await handIn(`${run}-synthesis`, yamlText({ findings }));
    await handIn(`${run}-verify`, judge(sample, [gone]));
    const { added } = await step(run, 'settle');
    for (const id of added) await handIn(id, judge(ids(`in-full-${id.split('verify-')[1]}.yaml`), []));
    await step(run, 'log');
    const report = text(`${folder}/report.md`);
    expect(report).toContain(`- Stays [${kept}]\n`);
    expect(report).not.toContain('Goes with its entry');
    expect(report).not.toContain('By heart');
    expect(report).toContain('2 findings without an entry were dropped');
  },
);

verifies('sweep.thin', 'a thin slice is looked at once more; what stays thin is a gap with a name', async () => {
  const sweep = await sweepOf({ one: entriesOf('one', 4), two: entriesOf('two', 1), three: entriesOf('three', 2) });
  const { run, folder, step, handIn, judge, ids, task, text, roleText } = sweep;
  expect((await step(run, 'merge')).added).toEqual(
    ['again-two', 'again-three', 'merge-again'].map((name) => `${run}-${name}`),
  );
  expect((await task(`${run}-again-two`))?.description).toContain('not-said');
  await expect(handIn(`${run}-synthesis`, 'findings: []')).rejects.toThrowError('may begin');
  await handIn(`${run}-again-two`, `thin: source-exhausted\n${yamlText({ entries: entriesOf('two', 2) })}`);
  await handIn(`${run}-again-three`, yamlText({ entries: entriesOf('three', 5) }));
  expect(await step(run, 'merge-again')).toMatchObject({ added: [] });
  expect(ids('findings.yaml')).toHaveLength(11);
  await handIn(`${run}-synthesis`, yamlText({ findings: [{ text: 'F', entries: ['one-0'] }] }));
  await handIn(`${run}-verify`, judge(ids('sample.yaml'), []));
  await step(run, 'settle');
  await step(run, 'log');
  expect(text(`${folder}/report.md`)).toContain('## Gaps\n\n- two: 2 entries, slice-thin (source-exhausted)\n');
  expect(roleText('research-sweep/log.md')).toContain('- thin: two slice-thin (source-exhausted)\n');
  expect(roleText('roles/research.md')).toMatch(/### two\n[^#]*thin 1/);
});

test('findings that somebody wrote over are not gone on with; a sweep that brought nothing has failed', async () => {
  const sweep = await sweepOf({ one: entriesOf('one', 3), two: entriesOf('two', 3) });
  const { run, folder, project, step, handIn, refusal, text } = sweep;
  await step(run, 'merge');
  writeFileSync(path.join(project, folder, 'findings.yaml'), text(`${folder}/findings.yaml`).replace('one-0', 'one-9'));
  expect(await refusal(handIn(`${run}-synthesis`, yamlText({ findings: [{ text: 'F', entries: ['one-9'] }] })))).toBe(
    'artifact_corrupt',
  );

  const empty = formationWorld();
  const { run: second, seats } = (await empty.call('formation.sweep', { goal: 'Nothing', yes: true })) as Proposed;
  for (const { name } of seats) await empty.play(`${second}-${name}`, async () => undefined, 'failed');
  const { added } = await empty.step(second, 'merge');
  expect(added).toHaveLength(seats.length + 1);
  for (const id of added.slice(0, -1)) await empty.play(id, async () => undefined, 'failed');
  expect(await empty.refusal(empty.step(second, 'merge-again'))).toBe('sweep_empty');
});

test('slices are changed before they are accepted, and still own nothing twice', async () => {
  const world = formationWorld();
  const { run } = (await world.call('formation.sweep', { goal: 'How caches fail' })) as Proposed;
  const edited = (await world.call('formation.edit', { run, drop: ['literature'], add: ['own-notes'] })) as Proposed & {
    losses: string[];
  };
  expect(edited.losses).toEqual(['Without literature: nobody looks at papers and books and measurements.']);
  expect((await world.task(`${run}-merge`))?.after).toEqual(edited.seats.map(({ name }) => `${run}-${name}`));
  expect(await world.refusal(world.call('formation.edit', { run, add: ['skeptic'] }))).toBe('bad_input');
});

test('scouts do not read one another, and what is no list of entries is refused at once', async () => {
  const world = formationWorld();
  const { run, seats } = (await world.call('formation.sweep', { goal: 'How caches fail', yes: true })) as Proposed;
  const [first = '', second = ''] = seats.map(({ name }) => name);
  await world.handIn(`${run}-${first}`, yamlText({ entries: entriesOf('a') }));
  await world.play(`${run}-${second}`, async () => {
    const read = world.call('formation.read', { run, file: `scouts/${first}.yaml` });
    await expect(read).rejects.toMatchObject({ code: 'not_yours', message: expect.stringContaining('Scouts look') });
    for (const content of ['entries: &a [*a]', 'findings: []', 'entries: 1', 'a: 1\na: 2', '- x'])
      expect(await world.refusal(world.call('formation.hand-in', { id: `${run}-${second}`, content }))).toBe(
        'bad_input',
      );
    const { notes } = (await world.call('formation.hand-in', {
      id: `${run}-${second}`,
      content: yamlText({ entries: [entry('ok'), entry('NOT OK')] }),
    })) as { notes: string[] };
    expect(notes).toEqual([
      'entry 2 will be rejected: its id is not valid: NOT OK',
      '1 of at least 3 entries: say why with `thin:`.',
    ]);
  });
});

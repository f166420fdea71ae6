import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { callOperation } from '#operations/call.js';
import type { Output } from '#operations/map.js';
import { specOf } from '#operations/named.js';
import { verifies } from '../../verifies.js';
import { formationWorld } from './formation-world.js';

interface Proposed {
  readonly run: string;
  readonly state: string;
  readonly steps: readonly { readonly step: string; readonly paused: boolean }[];
  readonly seats: readonly { readonly name: string }[];
}

const NOTE = (verdict: string) => `### Seat — ${verdict}\n- [high] it blocks → bound it\n`;
const decision = (more = '') =>
  [
    '## Decision',
    'Drop it.',
    '## Why',
    'It blocks.',
    '## Minority view',
    'None.',
    '## Unresolved tensions',
    'None.',
    '## Moves',
    '- Bound it ← operator',
    more,
  ].join('\n');

async function panelOf(verdicts: readonly (string | undefined)[]) {
  const world = formationWorld();
  const { run, seats } = (await world.call('formation.panel', { goal: 'Drop the queue', yes: true })) as Proposed;
  for (const [index, { name }] of seats.entries()) {
    const verdict = verdicts[index];
    const id = `${run}-${name}`;
    if (verdict !== undefined) await world.handIn(id, NOTE(verdict));
    else await world.play(id, async () => undefined, 'failed');
  }
  return { ...world, run, seats: seats.map(({ name }) => name), folder: `.claude/brainstorm-panel/runs/${run}` };
}

verifies(
  'panel.unanimity',
  'four that sign off bring about the strongest case against, and the decision waits for it; one who does not, nothing',
  async () => {
    const agreed = await panelOf(['SIGN-OFF', 'SIGN-OFF', 'SIGN-OFF', 'SIGN-OFF']);
    const { run, folder, step, handIn, refusal, task, text, roleText } = agreed;
    expect((await step(run, 'unanimity')).added).toEqual([`${run}-steelman`]);
    expect(await task(`${run}-steelman`)).toMatchObject({
      status: 'open',
      tags: expect.arrayContaining(['seat:skeptic']),
    });
    expect((await task(`${run}-decision`))?.after).toContain(`${run}-steelman`);
    const { delivered } = await agreed.shown(run);
    expect(delivered?.agreement).toBe('all sign off');
    expect(delivered?.notes[0]).toMatchObject({
      ...{ round: 1, seat: agreed.seats[0], verdict: 'SIGN-OFF', problem: null },
      points: [{ weight: 'high', note: 'it blocks', move: 'bound it' }],
    });
    expect(delivered?.decision).toBe(null);
    await expect(handIn(`${run}-decision`, decision())).rejects.toThrowError('may begin');
    await handIn(`${run}-steelman`, 'It would have to be idle.');
    expect(await refusal(handIn(`${run}-decision`, decision()))).toBe('steelman_missing');
    await handIn(`${run}-decision`, decision('Steelman: ran, argued that it is idle — adopted'));
    await step(run, 'log');
    const { formation, delivered: decided } = await agreed.shown(run);
    expect(decided?.decision).toMatchObject({
      sections: [{ title: 'Decision', text: 'Drop it.' }, {}, {}, {}],
      moves: [{ move: 'Bound it', seats: ['operator'] }],
    });
    expect(formation?.files.find(({ file }) => file === 'decision.md')).toMatchObject({ state: 'handed-over' });
    // Who works on a task learns nothing this way of what others write beside it.
    expect(await agreed.shownToRun(run)).toBe(null);
    expect(roleText('brainstorm-panel/log.md')).toContain(
      '- Unanimity: all sign off\n- Steelman: ran, argued that it is idle — adopted\n',
    );
    expect(text(`${folder}/votes.md`)).toContain('- operator: SIGN-OFF, 1 point');

    const divided = await panelOf(['SIGN-OFF', 'CHANGES REQUESTED', 'SIGN-OFF', 'SIGN-OFF']);
    expect((await divided.step(divided.run, 'unanimity')).added).toEqual([]);
    expect(await divided.task(`${divided.run}-steelman`)).toBeUndefined();
    await divided.handIn(`${divided.run}-decision`, decision());
    await divided.step(divided.run, 'log');
    expect(divided.roleText('brainstorm-panel/log.md')).toContain('- Unanimity: none\n- Steelman: n/a\n');
  },
);

test('who agrees on all and loses the case against it, or its file, has nothing that counts; a person may do without it', async () => {
  const { run, step, handIn, play, refusal, roleText } = await panelOf([
    'SIGN-OFF',
    'SIGN-OFF',
    'SIGN-OFF',
    'SIGN-OFF',
  ]);
  await step(run, 'unanimity');
  await play(`${run}-steelman`, async () => undefined, 'failed');
  expect(await refusal(handIn(`${run}-decision`, decision('Steelman: ran, made up — retained')))).toBe(
    'steelman_missing',
  );

  const waived = await panelOf(['SIGN-OFF', 'SIGN-OFF', 'SIGN-OFF', 'SIGN-OFF']);
  await waived.step(waived.run, 'unanimity');
  await waived.call('task.abandon', { id: `${waived.run}-steelman`, reason: 'it is a colour' });
  await waived.handIn(`${waived.run}-decision`, decision());
  await waived.step(waived.run, 'log');
  expect(waived.roleText('brainstorm-panel/log.md')).toContain('- Steelman: waived because it is a colour');
  expect(roleText('brainstorm-panel/log.md')).toBe('');
});

verifies(
  'panel.converge',
  'the decision has its parts and says where its moves came from; a missing seat is named, and nothing is shipped',
  async () => {
    const { run, folder, step, handIn, refusal, task, text, roleText, seats } = await panelOf([
      'IDEAS',
      undefined,
      'IDEAS',
      'SIGN-OFF',
    ]);
    const gone = seats[1] ?? '';
    expect((await step(run, 'unanimity')).said.join()).toContain(`The vote of ${gone} is missing: there is no note.`);
    expect(text(`${folder}/votes.md`)).toContain(`- ${gone}: missing, there is no note`);
    expect(await refusal(handIn(`${run}-decision`, decision()))).toBe('decision_incomplete');
    expect(await refusal(handIn(`${run}-decision`, decision().replace('← operator', '')))).toBe('decision_incomplete');
    expect(text(`${folder}/decision.md`)).toBe('');
    await handIn(`${run}-decision`, decision(`\nMissing: ${gone}.`));
    expect(text(`${folder}/decision.md`)).toContain('Drop it.');
    expect((await task(`${run}-decision`))?.artifacts).toEqual([`${folder}/decision.md`]);
    await step(run, 'log');
    expect(roleText('brainstorm-panel/log.md')).toContain(`missing: ${gone}`);
    // Each who took part only reads: what is handed in is all that comes of it.
    for (const name of [...seats, 'decision'])
      expect(await task(`${run}-${name}`)).toMatchObject({ exec_mode: 'light' });
  },
);

test('a task that somebody else called the steelman stands for nothing', async () => {
  const { run, add, set, step, refusal, task } = await panelOf(['SIGN-OFF', 'SIGN-OFF', 'SIGN-OFF', 'SIGN-OFF']);
  await add(`${run}-steelman`, { created_by: 'agent-1' });
  await set(`${run}-steelman`, { status: 'abandoned', log: [{ timestamp: 't', message: 'Abandoned: not needed' }] });
  expect(await refusal(step(run, 'unanimity'))).toBe('id_taken');
  expect(await task(`${run}-decision`)).toMatchObject({ status: 'open', after: [`${run}-unanimity`] });
});

test('nothing begins before a person accepts the line-up; then new seats have rows', async () => {
  const world = formationWorld();
  const { run, state, steps } = (await world.call('formation.panel', { goal: 'Drop the queue' })) as Proposed;
  expect([state, steps.every(({ paused }) => paused)]).toEqual(['proposed', true]);
  expect(world.roleText('roles/panel.md')).toBe('');
  await world.call('formation.start', { run });
  expect(world.roleText('roles/panel.md')).toContain('### operator\n- charter: speaks for whoever is woken');
  expect((await world.task(`${run}-operator`))?.paused).toBeUndefined();
});

test('a line-up is changed before it is accepted: what is cut is named, and the skeptic stays', async () => {
  const world = formationWorld();
  const { run } = (await world.call('formation.panel', { goal: 'Drop the queue' })) as Proposed;
  const edited = (await world.call('formation.edit', {
    run,
    drop: ['operator'],
    add: ['accountant'],
    tier: ['skeptic=opus'],
  })) as Proposed & { losses: string[] };
  expect(edited.seats.map(({ name }) => name)).toEqual(['maintainer', 'user-advocate', 'skeptic', 'accountant']);
  const tiers = (edited.seats as readonly { tier?: string }[]).map(({ tier }) => tier);
  expect(tiers).toEqual([undefined, undefined, 'opus', undefined]); // no client here whose models are known
  expect(edited.losses).toEqual(['Without operator: no one speaks for whoever is woken when it breaks.']);
  expect((await world.task(`${run}-unanimity`))?.after).toEqual(edited.seats.map(({ name }) => `${run}-${name}`));
  expect(await world.task(`${run}-skeptic`)).toMatchObject({ model: 'opus', paused: true });
  for (const drop of [['skeptic'], ['maintainer', 'accountant']])
    await expect(callOperation(specOf('formation.edit'), world.context, { run, drop })).rejects.toMatchObject({
      code: 'bad_input',
      hint: expect.stringContaining(`troupe playbook edit ${run}`),
    });
});

test('whose notes are taken up counts as clean in the lane; told again it counts once', async () => {
  const { run, step, handIn, roleText } = await panelOf(['IDEAS', 'IDEAS', 'SIGN-OFF', 'SIGN-OFF']);
  await step(run, 'unanimity');
  await handIn(`${run}-decision`, decision());
  await step(run, 'log');
  const rows = roleText('roles/panel.md');
  expect(/### operator[^#]*runs: clean 1/.test(rows)).toBe(true);
  expect(/### skeptic[^#]*runs: clean 0/.test(rows)).toBe(true);
});

test('a seat reads no note beside it, hands in for itself alone, and a step is no word of an agent', async () => {
  const world = formationWorld();
  const { run, seats } = (await world.call('formation.panel', { goal: 'Drop the queue', yes: true })) as Proposed;
  const [first = '', second = ''] = seats.map(({ name }) => `${run}-${name}`);
  await world.handIn(first, NOTE('IDEAS'));
  const beside = `round-1/${seats[0]?.name}.md`;
  await world.play(second, async () => {
    for (const file of [beside, `./round-1/../${beside}`, `.claude/brainstorm-panel/runs/${run}/${beside}`])
      expect(await world.refusal(world.call('formation.read', { run, file }))).toBe('not_yours');
    expect(
      await world.refusal(world.call('formation.hand-in', { id: first, content: NOTE('IDEAS') })),
    ).not.toBeUndefined();
    expect(await world.refusal(world.call('formation.step', { run, step: 'unanimity' }))).toBe('not_yours');
    for (const content of ['fine with me', '### A — MAYBE', ' '])
      expect(await world.refusal(world.call('formation.hand-in', { id: second, content }))).toBe('bad_input');
    await world.call('formation.hand-in', { id: second, content: `${NOTE('IDEAS')}password=hunter2hunter2` });
  });
  expect(world.text(`.claude/brainstorm-panel/runs/${run}/round-1/${seats[1]?.name}.md`)).toContain(
    'password=********',
  );
  expect(await world.refusal(world.call('formation.step', { run, step: 'unanimity' }))).toBe('not_yours');
  await expect(world.call('formation.read', { run, file: beside })).resolves.toMatchObject({ text: NOTE('IDEAS') });
});

verifies(
  'gate.hand-in',
  'a seat is not done before its file is handed in, whoever says so; the refusal names the file and the call',
  async () => {
    const world = formationWorld();
    const { run, seats } = (await world.call('formation.panel', { goal: 'Drop the queue', yes: true })) as Proposed;
    const id = `${run}-${seats[0]?.name}`;
    const missing = {
      code: 'hand_in_missing',
      message: expect.stringContaining(`.claude/brainstorm-panel/runs/${run}/round-1/${seats[0]?.name}.md`),
      hint: expect.stringMatching(new RegExp(`formation_hand_in.*troupe formation hand-in ${id} --file FILE`)),
    };
    await expect(world.play(id, () => world.call('task.done', { id }))).rejects.toMatchObject(missing);
    await expect(world.call('task.done', { id, force: true })).rejects.toMatchObject(missing);
    await world.handIn(id, NOTE('SIGN-OFF'));
    expect((await world.task(id))?.status).toBe('done');
  },
);

verifies('gate.hand-in', 'a step that misses what a seat handed in names the seat to open again', async () => {
  const world = await panelOf(['SIGN-OFF', 'IDEAS', 'CHANGES REQUESTED', 'SIGN-OFF']);
  const { run, seats, folder, project, step, handIn } = world;
  const note = path.join(project, folder, 'round-1', `${seats[1]}.md`);
  writeFileSync(note, NOTE('SIGN-OFF'));
  // Changed since, it counts as missing: nobody makes unanimity of another's note.
  expect((await step(run, 'unanimity')).said).toContainEqual(
    expect.stringContaining(`The vote of ${seats[1]} is missing`),
  );
  await handIn(`${run}-decision`, decision(`Missing: ${seats[1]}`).replace('None.', `None. ${seats[1]} is missing.`));
  rmSync(path.join(project, folder, 'decision.md'));
  const again = `troupe reopen ${run}-decision`;
  await expect(step(run, 'log')).rejects.toMatchObject({
    code: 'decision_incomplete',
    hint: expect.stringContaining(again),
  });
  // Its run ends as failed. Everybody advises what helps: first the seat, then the step.
  await world.set(`${run}-log`, { status: 'failed', failure_reason: 'Agent exited with code 1' });
  const advised = async () => {
    const { problems } = (await world.call('analysis.problems', {})) as Output<'analysis.problems'>;
    return problems.find(({ task }) => task === `${run}-log`)?.command;
  };
  const pending = async () => (await world.shown(run)).formation?.pending.map(({ command }) => command);
  expect([await advised(), await pending()]).toEqual([again, [again]]);
  expect(JSON.stringify(await world.call('task.why', { id: `${run}-log` }))).toContain(again);
  await world.call('task.reopen', { id: `${run}-decision` });
  expect(await advised()).toBe(`troupe retry ${run}-log`);
  await handIn(`${run}-decision`, decision(`Missing: ${seats[1]}`).replace('None.', `None. ${seats[1]} is missing.`));
  expect(await advised()).toBe(`troupe retry ${run}-log`);
  await world.call('task.retry', { id: `${run}-log` });
  await expect(step(run, 'log')).resolves.toMatchObject({ step: 'log' });
  expect(await world.task(`${run}-log`)).not.toHaveProperty('misses');
});

verifies(
  'gate.pinned',
  'what a seat handed in is read as it was handed in: changed since, it is not there',
  async () => {
    const world = await panelOf(['SIGN-OFF', 'IDEAS', 'SIGN-OFF', 'SIGN-OFF']);
    const { run, seats, folder, project } = world;
    writeFileSync(path.join(project, folder, 'round-1', `${seats[0]}.md`), NOTE('IDEAS'));
    const { delivered } = await world.shown(run);
    expect(delivered?.notes[0]).toMatchObject({ seat: seats[0], verdict: null });
    expect(delivered?.notes[1]).toMatchObject({ seat: seats[1], verdict: 'IDEAS' });
  },
);

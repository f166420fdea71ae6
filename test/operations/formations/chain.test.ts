import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { yamlText } from '#adapters/disk/strict-yaml.js';
import { formationRecords } from '#core/playbooks/record.js';
import { sha256 } from '#kernel/hash.js';
import { standingOf } from '#operations/formations/standing.js';
import { formationWorld } from './formation-world.js';

interface Run {
  readonly run: string;
  readonly formation: string;
  readonly state: string;
  readonly goal: string;
  readonly seats: readonly { readonly name: string }[];
  readonly steps: readonly { readonly step: string; readonly paused: boolean }[];
}
type World = ReturnType<typeof formationWorld>;

const runs = async (world: World): Promise<Run[]> => {
  const view = await world.store.view();
  return formationRecords(view)
    .map((record) => standingOf(view, record, world.clock.now()))
    .reverse();
};

async function researched(world: World): Promise<Run> {
  const first = (await world.call('formation.chain', {
    goal: 'A cache',
    stages: ['research', 'panel', 'crew'],
    yes: true,
  })) as Run;
  const { run, seats } = first;
  const entries = (name: string) =>
    [1, 2, 3].map((at) => ({ id: `${name}-${at}`, title: `${name} ${at}`, source: 's', claim: 'c' }));
  for (const { name } of seats) await world.handIn(`${run}-${name}`, yamlText({ entries: entries(name) }));
  await world.step(run, 'merge');
  await world.handIn(`${run}-synthesis`, yamlText({ findings: [{ text: 'F', entries: [`${seats[0]?.name}-1`] }] }));
  const { text } = (await world.call('formation.read', { run, file: 'sample.yaml' })) as { text: string };
  const { ids } = JSON.parse(text) as { ids: string[] };
  await world.handIn(`${run}-verify`, yamlText({ verdicts: ids.map((id) => ({ id, verdict: 'HOLDS', why: 'w' })) }));
  await world.step(run, 'settle');
  await world.step(run, 'log');
  return first;
}

test('each stage of a chain is proposed when the one before has succeeded, waits for a person, and is told by path and hash', async () => {
  const world = formationWorld();
  const { run, steps } = await researched(world);
  expect(steps.at(-1)).toMatchObject({ step: 'next' });
  expect(await runs(world)).toHaveLength(1);
  await world.step(run, 'next');
  const findings = `.claude/research-sweep/runs/${run}/findings.yaml`;
  const [panel] = await runs(world);
  expect(panel).toMatchObject({ formation: 'panel', state: 'proposed' });
  expect(panel?.goal).toContain(`${findings} (SHA-256 ${sha256(world.text(findings))})`);
  expect(panel?.steps.every(({ paused }) => paused)).toBe(true);
  expect((await world.task(`${panel?.run}-${panel?.seats[0]?.name}`))?.description).toContain(findings);

  await world.call('formation.start', { run: panel?.run });
  for (const { name } of panel?.seats ?? [])
    await world.handIn(`${panel?.run}-${name}`, '### S — IDEAS\n- [low] a → b');
  await world.step(panel?.run ?? '', 'unanimity');
  const parts = ['Decision', 'Why', 'Minority view', 'Unresolved tensions', 'Moves'].map(
    (title) => `## ${title}\nNone.\n`,
  );
  await world.handIn(`${panel?.run}-decision`, parts.join('\n'));
  await world.step(panel?.run ?? '', 'log');
  await world.step(panel?.run ?? '', 'next');
  const [crew] = await runs(world);
  const decision = `.claude/brainstorm-panel/runs/${panel?.run}/decision.md`;
  expect(crew).toMatchObject({
    formation: 'crew',
    state: 'proposed',
    goal: `A cache — as decided in ${decision} (SHA-256 ${sha256(world.text(decision))})`,
  });
  expect(crew?.steps.some(({ step }) => step === 'next')).toBe(false);
  // Seen from any of them it is the same chain.
  for (const run of [crew?.run, panel?.run])
    expect((await world.shown(run ?? '')).delivered?.stages).toMatchObject([
      { stage: 'research', state: 'ended' },
      { stage: 'panel', run: panel?.run, state: 'ended' },
      { stage: 'crew', run: crew?.run, state: 'proposed' },
    ]);
  expect(await runs(world)).toHaveLength(3);
});

test('a next stage does not begin on what was changed since it was handed on', async () => {
  const world = formationWorld();
  const { run } = await researched(world);
  await world.step(run, 'next');
  const [panel] = await runs(world);
  const file = path.join(world.project, `.claude/research-sweep/runs/${run}/findings.yaml`);
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, `${text}# by hand\n`);
  const begin = () => world.call('formation.start', { run: panel?.run });
  expect(await world.refusal(begin())).toBe('input_changed');
  // Nor is it handed on again as if code had written it.
  await world.set(`${run}-next`, { status: 'open' });
  expect(await world.refusal(world.step(run, 'next'))).toBe('artifact_corrupt');
  writeFileSync(file, text);
  expect(await begin()).toMatchObject({ state: 'running' });
  rmSync(file);
  expect(await world.refusal(begin())).toBe('wrong_status'); // it has begun: what it read is its own
});

test('a next stage is proposed once, however often the step is taken', async () => {
  const world = formationWorld();
  const { run } = await researched(world);
  await world.step(run, 'next');
  await world.set(`${run}-next`, { status: 'open' });
  await world.step(run, 'next');
  expect(await runs(world)).toHaveLength(2);
});

test('a failed stage stops the chain, and what stands says why', async () => {
  const world = formationWorld();
  const { run, seats } = (await world.call('formation.chain', {
    goal: 'A cache',
    stages: ['panel', 'crew'],
    yes: true,
  })) as Run;
  for (const { name } of seats) await world.handIn(`${run}-${name}`, '### S — IDEAS\n- [low] a → b');
  await world.step(run, 'unanimity');
  await world.play(
    `${run}-decision`,
    () => world.set(`${run}-decision`, { failure_reason: 'the director gave up' }),
    'failed',
  );
  await expect(world.step(run, 'next')).rejects.toThrowError('may begin');
  expect((await runs(world))[0]).toMatchObject({
    chain: { next: ['crew'], stopped: `${run}-decision failed: the director gave up` },
    held: { task: `${run}-decision`, reason: 'failed: the director gave up' },
    pending: [{ kind: 'failed', task: `${run}-decision`, command: `troupe retry ${run}-decision` }],
  });
  // So it is with a step that somebody abandoned.
  await world.set(`${run}-decision`, { status: 'abandoned', failure_reason: undefined });
  expect((await runs(world))[0]).toMatchObject({
    held: { task: `${run}-decision`, reason: expect.stringMatching(/^abandoned: /) },
    pending: [{ kind: 'failed', command: `troupe reopen ${run}-decision` }],
  });
  await world.set(`${run}-decision`, { status: 'open' });
  expect((await runs(world))[0]).not.toHaveProperty('held');
});

test.each([[['crew', 'panel']], [['panel', 'panel']], [['research', 'ship']], [[]]])(
  '%j are no stages',
  async (stages) => {
    const world = formationWorld();
    expect(await world.refusal(world.call('formation.chain', { goal: 'x', stages }))).toBe('bad_input');
  },
);

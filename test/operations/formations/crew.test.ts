import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { LocalHandoffFolders } from '#adapters/roles/handoff-folders.js';
import { handEdit } from '#core/graph/hand-edit.js';
import { claimTask } from '#core/graph/moves.js';
import { readiness } from '#core/graph/ready.js';
import type { GraphNode, Task } from '#core/graph/task.js';
import { NO_COORDINATION } from '#core/insight/coordination.js';
import { problemsOf } from '#core/insight/problems.js';
import { whyFacts } from '#core/insight/why.js';
import { runFolder } from '#core/playbooks/formation.js';
import { checkedRecord, recordEvent, recordOf } from '#core/playbooks/record.js';
import { sha256 } from '#kernel/hash.js';
import { formationEdit, formationGo, formationStart } from '#operations/formations/formation.js';
import { done } from '#operations/graph/done.js';
import { exec } from '#operations/graph/exec.js';
import { claim, fail, publish, removeDependency, reopen, resume } from '#operations/graph/moves.js';
import { add, edit } from '#operations/graph/tasks.js';
import { playbookSteer, playbookStop } from '#operations/playbooks/runs.js';
import { verifies } from '../../verifies.js';
import { Crews } from './crews.js';

const ROW = (name: string, more = '') =>
  `### ${name}\n- status: stable\n- runs: clean 3, thin 0, cuts 2\n${more}- learnings:\n`;

let stage: Crews;
beforeEach(() => {
  stage = new Crews();
});

verifies(
  ['form.gate.roster', 'crew.chain'],
  'nothing runs before the line-up is accepted; then the first phase is ready, and no other',
  async () => {
    const { run, state, steps, pending } = await stage.crew({ mode: 'autopilot' });
    expect(state).toBe('proposed');
    expect(pending).toEqual([{ kind: 'line-up', command: `troupe playbook accept ${run}` }]);
    let view = await stage.view();
    for (const { id, paused } of steps) {
      expect(paused).toBe(true);
      expect(readiness(view, id, stage.now).ready).toBe(false);
      expect(view.task(id)?.tags).toContain(`formation:${run}`);
    }
    expect(stage.rows()).toBe('');
    const begun = await stage.call(formationStart, { run });
    expect(begun.pending).toEqual([]);
    expect(begun.steps.slice(0, 2)).toMatchObject([
      { step: 'architect', state: 'ready', seat: 'architect', phase: 'architect', attempts: 0, usd: 0 },
      { step: 'dev', state: 'open', why: `waits for ${run}-architect` },
    ]);
    view = await stage.view();
    expect(steps.filter(({ id }) => readiness(view, id, stage.now).ready).map(({ step }) => step)).toEqual([
      'architect',
    ]);
    // Each seat that no row covers has one now, on probation and with what it is for.
    for (const name of ['architect', 'dev', 'qa', 'deployer']) expect(stage.rows()).toContain(`### ${name}\n`);
    expect(stage.rows().match(/status: probationary/g)).toHaveLength(4);
    await expect(stage.call(formationStart, { run })).rejects.toMatchObject({ code: 'wrong_status' });
  },
);

verifies(
  'gate.lineup',
  'no door begins, ends or changes a task of a line-up that nobody has accepted: each refusal names the command that accepts',
  async () => {
    const { run } = await stage.crew({ mode: 'autopilot' });
    const id = `${run}-architect`;
    const hint = expect.stringContaining(`troupe playbook accept ${run}`);
    const doors: readonly [string, () => Promise<unknown>][] = [
      ['resume', () => stage.call(resume, { id })],
      ['publish', () => stage.call(publish, { id })],
      ['claim', () => stage.call(claim, { id })],
      ['claim --force', () => stage.call(claim, { id, force: true })],
      ['done', () => stage.call(done, { id, force: true })],
      ['fail', () => stage.call(fail, { id })],
      ['edit', () => stage.call(edit, { id, exec: 'true' })],
      ['exec set', () => stage.call(exec, { id, set: 'true' })],
      ['edges', () => stage.call(removeDependency, { id: `${run}-dev`, dependency: id })],
      ['a run', async () => claimTask(await stage.view(), id, { now: stage.now, by: { name: 'agent-1' } })],
    ];
    for (const [door, walk] of doors)
      await expect(walk(), door).rejects.toMatchObject({ code: 'formation_gate', hint });
    // What goes on from a task before them leaves them alone.
    await stage.call(add, { id: 'before', title: 'Before', paused: true });
    await stage.store.commit(() => ({
      events: [{ op: 'edit', patch: [{ id, set: { after: ['before'] } }] }],
      result: undefined,
    }));
    expect(await stage.call(resume, { id: 'before' })).toMatchObject({ resumed: ['before'] });
    // Nor does a hand that takes the pause out of the file let one begin.
    await stage.store.commit(() => ({
      events: [{ op: 'edit', patch: [{ id, unset: ['paused', 'after'] }] }],
      result: undefined,
    }));
    const view = await stage.view();
    expect(readiness(view, id, stage.now)).toMatchObject({ ready: false });
    expect([...view.candidates()]).not.toContain(id);
    const task = view.task(id);
    const without = { ...task, formation_gate: undefined } as unknown as GraphNode;
    expect(handEdit(new Map([[id, task as GraphNode]]), new Map([[id, without]]), () => task, new Set())).toEqual([]);
    // What was cut, or never accepted, is nothing to open again.
    await stage.call(formationEdit, { run, drop: ['qa'] });
    await expect(stage.call(reopen, { id: `${run}-qa` })).rejects.toMatchObject({ code: 'formation_gate' });
    await stage.call(formationStart, { run });
    expect(readiness(await stage.view(), id, stage.now)).toMatchObject({ ready: true });
    await expect(stage.call(reopen, { id: `${run}-qa` })).rejects.toMatchObject({
      code: 'formation_gate',
      hint: expect.stringContaining(`troupe playbook status ${run}`),
    });
  },
);

test('a proposed line-up is one row among the problems, with the command that accepts it', async () => {
  const { run } = await stage.crew();
  const facts = {
    coordination: { ...NO_COORDINATION, running: true, executor: 'claude' },
    live: new Set<string>(),
    stalled: new Map(),
    unmerged: [],
    awaited: [],
    toLand: 0,
  };
  const rows = async () =>
    problemsOf(await stage.view(), facts, stage.now).map(({ task, text, command }) => [task, text, command]);
  expect(await rows()).toEqual([[null, 'A line-up of 9 tasks waits to be accepted', `troupe playbook accept ${run}`]]);
  expect(
    whyFacts(await stage.view(), (await stage.view()).task(`${run}-dev`) as Task, stage.now, NO_COORDINATION)[0]?.text,
  ).toBe(`Its line-up is not accepted: \`troupe playbook accept ${run}\`.`);
  await stage.call(formationStart, { run });
  expect(await rows()).toEqual([]);
});

test('a release is approved by `playbook go` and by nothing else, and what it runs is what was approved', async () => {
  const { run } = await stage.crew({ seats: ['deployer'], mode: 'autopilot', yes: true });
  const [go, release] = [`${run}-go`, `${run}-release`];
  await stage.store.commit((view) => {
    const record = { ...checkedRecord(view, run), staged: 'echo out\n' };
    const ended = { op: 'done', patch: [{ id: `${run}-deployer`, set: { status: 'done' } }] };
    return { events: [ended, recordEvent(view, record, 'formation_phase', { actor: 'test' })], result: undefined };
  });
  const hint = expect.stringContaining(`troupe playbook go ${run}`);
  const doors: readonly [string, () => Promise<unknown>][] = [
    ['done', () => stage.call(done, { id: go, force: true })],
    ['claim', () => stage.call(claim, { id: go })],
    ['fail', () => stage.call(fail, { id: go })],
    ['another command', () => stage.call(edit, { id: release, exec: 'echo else' })],
    ['no more after it', () => stage.call(removeDependency, { id: release, dependency: go })],
    ['the release itself', () => stage.call(done, { id: release, force: true })],
  ];
  const walk = async () => {
    for (const [door, step] of doors)
      await expect(step(), door).rejects.toMatchObject({ code: 'formation_gate', hint });
  };
  await walk();
  const facts = { coordination: { ...NO_COORDINATION, running: true }, live: new Set<string>(), stalled: new Map() };
  expect(problemsOf(await stage.view(), { ...facts, unmerged: [], awaited: [], toLand: 0 }, stage.now)).toMatchObject([
    { task: go, command: `troupe playbook go ${run}` },
  ]);
  const why = async (id: string) => {
    const view = await stage.view();
    return whyFacts(view, view.task(id) as Task, stage.now, NO_COORDINATION).map(({ text }) => text);
  };
  expect(await why(go)).toEqual([`It is ready, and only a person lets it go on: \`troupe playbook go ${run}\`.`]);
  const seen = sha256('echo out\n');
  await expect(stage.call(formationGo, { run })).rejects.toMatchObject({ details: { agree: { seen } } });
  await stage.call(formationGo, { run, seen });
  const view = await stage.view();
  expect(view.task(release)).toMatchObject({ exec: 'echo out\n' });
  expect(readiness(view, release, stage.now)).toMatchObject({ ready: true });
  // Opened again, it is approved in the same way.
  await stage.call(reopen, { id: go });
  await expect(stage.call(done, { id: go })).rejects.toMatchObject({ code: 'formation_gate' });
});

verifies(
  'form.gate.roster',
  'a line-up is edited by adding, dropping, swapping, tiers and order, and what is lost is said',
  async () => {
    const { run } = await stage.crew({ mode: 'autopilot' });
    const edited = await stage.call(formationEdit, { run, add: ['skeptic'], drop: ['qa'], tier: ['dev=opus'] });
    expect(edited.seats.map(({ name }) => name)).toEqual(['architect', 'dev', 'skeptic', 'deployer']);
    expect(edited.losses).toEqual(['Without qa: no one checks it: it is released as dev reports it.']);
    expect(await stage.steps()).toEqual(['architect', 'dev', 'skeptic', 'deployer', 'go', 'release']);
    // Whoever cannot read the graph is told of the line too.
    mkdirSync(path.join(stage.folder, runFolder('crew', run)), { recursive: true });
    const there = await new LocalHandoffFolders().around(stage.folder);
    expect((await there?.record(run))?.line.map(({ file }) => file)).toEqual([
      ...['CONTRACT.md', 'CHANGES.md', 'SKEPTIC.md', 'DEPLOY.md'],
    ]);
    const view = await stage.view();
    expect(view.task(`${run}-dev`)).toMatchObject({ model: 'opus', paused: true, after: [`${run}-architect`] });
    expect(view.task(`${run}-dev`)?.cycle_config).toBeUndefined();
    expect(view.task(`${run}-deployer`)?.after_success).toEqual([`${run}-skeptic`]);
    // And back again: nothing of the detour is left.
    await stage.call(formationEdit, { run, add: ['qa'], drop: ['skeptic'] });
    expect((await stage.view()).task(`${run}-qa`)).toMatchObject({ status: 'open', paused: true });
    expect((await stage.view()).task(`${run}-dev`)?.cycle_config).toMatchObject({ max_iterations: 2 });
    await stage.call(formationEdit, { run, swap: ['dev=csv-expert'] });
    expect((await stage.view()).task(`${run}-dev`)?.tags).toEqual(
      expect.arrayContaining(['seat:csv-expert', 'phase:dev']),
    );
    await stage.call(formationStart, { run });
    await expect(stage.call(formationEdit, { run, drop: ['qa'] })).rejects.toMatchObject({ code: 'wrong_status' });
  },
);

verifies('form.gate.roster', '--yes accepts it, and cuts of default seats are counted in their rows once', async () => {
  stage.roles.texts.set('.claude/roles/crew.md', `# Crew\n\n${ROW('qa')}\n${ROW('dev')}`);
  const { state, run } = await stage.crew({ seats: ['architect', 'dev'], yes: true });
  expect(state).toBe('running');
  expect(stage.rows()).toContain('### architect');
  expect(stage.rows()).toMatch(/### qa\n- status: stable\n- runs: clean 3, thin 0, cuts 3\n/);
  expect(stage.rows()).toMatch(/### dev\n- status: stable\n- runs: clean 3, thin 0, cuts 2\n/);
  expect(recordOf(await stage.view(), run)?.defaults).toEqual(['architect', 'dev', 'qa', 'deployer']);
});

verifies(
  'form.git',
  'role files and the log are written into the repository, and git is never asked to commit them',
  async () => {
    // The stage has no git at all: whoever asked for one would fail.
    const { run } = await stage.crew({ seats: ['dev'], yes: true });
    await stage.call(playbookStop, { run });
    expect([...stage.roles.texts.keys()].sort()).toEqual(['.claude/dev-crew/log.md', '.claude/roles/crew.md']);
  },
);

verifies(
  ['roles.life.auto', 'roles.mint'],
  'what a run does to rows of its lane is told in the log of the graph, once',
  async () => {
    stage.roles.texts.set('.claude/roles/crew.md', `# Crew\n\n${ROW('qa')}\n${ROW('dev')}`);
    const { run } = await stage.crew({ seats: ['architect', 'dev'], yes: true });
    await stage.call(playbookStop, { run });
    const entries = [];
    for await (const { op, detail } of stage.store.entries(1)) if (op.startsWith('roles_')) entries.push([op, detail]);
    expect(entries).toMatchObject([
      ['roles_mint', { lane: 'crew', run, roles: ['architect'] }],
      [
        'roles_run',
        { lane: 'crew', run: `${run}-cut`, results: expect.arrayContaining([{ name: 'qa', result: 'cut' }]) },
      ],
      ['roles_run', { lane: 'crew', run, changes: [] }],
    ]);
  },
);

verifies(
  ['form.log', 'crew.mode'],
  'a run that ends has one entry in the log of its lane, with what a person said on the way',
  async () => {
    const { run } = await stage.crew({ seats: ['dev', 'skeptic'], mode: 'co-drive', yes: true });
    await stage.call(playbookSteer, { run, text: 'Keep the old format too; it is used.' });
    const dev = (await stage.view()).task(`${run}-dev`);
    expect(dev?.description).toContain('A person adds: Keep the old format too; it is used.');
    expect(dev?.log?.at(-1)?.message).toBe('Steered: Keep the old format too; it is used.');
    const stopped = await stage.call(playbookStop, { run });
    expect(stopped).toMatchObject({ outcome: 'abandoned' });
    const log = stage.roles.texts.get('.claude/dev-crew/log.md') ?? '';
    const keys = [...log.matchAll(/^- ([a-z-]+): /gm)].map(([, key]) => key);
    expect(log.startsWith(`## ${run}  `)).toBe(true);
    expect(keys).toEqual([
      ...['category', 'task', 'roster', 'mode', 'outcome', 'per-role', 'gate-events', 'escalation', 'steering'],
      ...['model-fit', 'missing-role', 'graduated'],
    ]);
    expect(log).toContain('- steering: dev: Keep the old format too, it is used.');
    expect(log).toContain('- outcome: abandoned');
    await expect(stage.call(playbookStop, { run })).rejects.toMatchObject({ code: 'wrong_status' });
  },
);

verifies('form.cost', 'a line-up says what it may cost; over budget it is the person who accepts it', async () => {
  expect(await stage.crew()).toMatchObject({ cost: { usd: 4 } });
  stage.settings = { budget: { usd_total: 2.5 } };
  const { state, cost, run } = await stage.crew({ yes: true });
  expect(state).toBe('proposed');
  expect(cost?.over).toMatch(/2\.5/);
  expect((await stage.call(formationStart, { run })).state).toBe('running');
});

test('a goal, a run or an edit that makes no sense is refused, and nothing is changed', async () => {
  const { run } = await stage.crew();
  const before = (await stage.view()).seq;
  const refusals: [unknown, string][] = [
    [() => stage.call(formationStart, { run: 'nothing' }), 'not_found'],
    [() => stage.call(formationEdit, { run, drop: ['nobody'] }), 'not_found'],
    [() => stage.call(formationEdit, { run }), 'usage'],
    [() => stage.call(playbookSteer, { run, text: ' ' }), 'bad_input'],
    [() => stage.call(formationGo, { run }), 'wrong_status'],
    [() => stage.crew({ seats: ['../x'] }), 'bad_role_name'],
    [() => stage.crew({ seats: ['dev', 'dev'] }), 'bad_input'],
    [() => stage.crew({ goal: '   ' }), 'bad_input'],
  ];
  for (const [attempt, code] of refusals)
    await expect((attempt as () => Promise<unknown>)(), code).rejects.toMatchObject({ code });
  expect((await stage.view()).seq).toBe(before);
});

verifies('gate.hook', 'what the hook is told of a run follows it: proposed, at work, stopped', async () => {
  const { run } = await stage.crew();
  const active = async () => (await new LocalHandoffFolders().around(stage.folder))?.active();
  expect(await active()).toEqual([]);
  await stage.call(formationStart, { run });
  expect(await active()).toEqual([run]);
  await stage.call(playbookStop, { run });
  expect(await active()).toEqual([]);
});

import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { WORKFLOW } from '#core/coordinator/triggers.js';
import { addTask } from '#core/graph/add.js';
import { Errands } from '#operations/coordinator/errands.js';
import { WorkflowsHost } from '#operations/coordinator/workflows-host.js';
import { playbookStatus } from '#operations/playbooks/runs.js';
import { makeTriggered } from '#operations/workflows/run.js';
import { workflowTrust } from '#operations/workflows/trust.js';
import { workflowList, workflowShow } from '#operations/workflows/workflows.js';
import { graphOf } from '../../core/graph/graph.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { verifies } from '../../verifies.js';
import { Stage } from '../team/casting-stage.js';

class Works extends Stage {
  override store = new GraphInMemory({ now: () => this.now });

  put(id: string, trigger: string, rest: string): void {
    const folder = path.join(this.folder, '.squad/workflows');
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, `${id}.yaml`);
    writeFileSync(file, `id: ${id}\ntrigger: ${trigger}\nedges: []\n${rest}`);
    const long = new Date(this.now - 30 * 86_400_000);
    utimesSync(file, long, long);
  }
}

/** The host of workflows that begin by themselves, in this project. */
function hostOf(stage: Works): WorkflowsHost {
  return new WorkflowsHost(stage.context(), { errands: new Errands(() => undefined) });
}

/** The coordinator decides that `nightly` is not begun after all. */
function refuse(host: WorkflowsHost, why: string): void {
  const key = WORKFLOW.key('nightly', 'now');
  host.carryOut['drop-workflow'](
    { do: 'drop-workflow', key, refused: { workflow: 'nightly', why }, reason: why, events: [] },
    graphOf(),
  );
}

const COMMAND = "nodes: [{id: look, type: run, run: 'true'}]\n";
const PROMPT = 'nodes: [{id: look, type: prompt}]\n';
const EVENT = '{type: event, event: task-added-to-ready}';

verifies(
  'workflow.trigger',
  'which there are is read when a file changes, and two folders are all that is looked at else',
  async () => {
    const stage = new Works();
    const host = hostOf(stage);
    expect((await host.facts()).triggers.workflows).toEqual([]);
    stage.put('by-hand', '{type: manual}', PROMPT);
    expect((await host.facts()).triggers.workflows).toEqual([]);
    stage.put('nightly', '{type: schedule, every: daily}', PROMPT);
    const facts = await host.facts();
    expect(facts.triggers.workflows).toMatchObject([
      {
        id: 'nightly',
        base: 'nightly',
        trigger: { type: 'schedule', every: 'daily' },
        since: stage.now - 30 * 86_400_000,
      },
    ]);
    expect(await host.facts()).toEqual(facts);
    rmSync(path.join(stage.folder, '.squad/workflows/nightly.yaml'));
    expect((await host.facts()).triggers.workflows).toEqual([]);
  },
);

verifies(
  ['workflow.trigger', 'workflow.trust'],
  'commands nobody agreed to, inputs nobody says and what the project forbids do not begin by themselves, and say why',
  async () => {
    const stage = new Works();
    stage.put('nightly', '{type: schedule, every: daily}', COMMAND);
    stage.put('asks', '{type: heartbeat}', `${PROMPT}inputs: [{name: where}]\n`);
    stage.put('intake', EVENT, `${PROMPT}inputs: [{name: task}]\n`);
    const host = hostOf(stage);
    const blocked = async () =>
      Object.fromEntries((await host.facts()).triggers.workflows.map(({ id, blocked: why }) => [id, why?.text]));
    expect(await blocked()).toEqual({
      nightly: 'Its commands are not trusted here.',
      asks: 'It needs a value for where.',
    });
    const row = (await stage.call(workflowList)).workflows.find(({ id }) => id === 'nightly');
    expect(row?.begins).toMatchObject({
      due: true,
      held: 'Its commands are not trusted here.',
      held_by: 'trust',
      last_run: null,
    });
    await stage.call(workflowTrust, { id: 'nightly' });
    stage.now += 60_000; // who agreed is not asked with every tick
    expect((await blocked())['nightly']).toBeUndefined();
    writeFileSync(path.join(stage.folder, '.squad/config.json'), '{"version": 1, "allowed_workflows": ["intake"]}');
    stage.now += 60_000;
    expect((await blocked())['nightly']).toBe('The project does not allow it.');
  },
);

verifies(
  'workflow.trigger',
  'its tasks are those of any run, named after the occasion or the task, and commit nothing yet',
  async () => {
    const stage = new Works();
    stage.put('intake', EVENT, `${PROMPT}inputs: [{name: task}]\n`);
    await stage.store.commit((view) =>
      addTask(
        view,
        { id: 'build', title: 'Build the parser', tags: ['workflow:intake'] },
        { now: stage.now, actor: 'ann' },
      ),
    );
    const wish = { key: 'k', workflow: 'intake', occasion: 'for build', run: 'intake-build', task: 'build' };
    const { seq } = await stage.store.view();
    const made = await makeTriggered(stage.context(), wish);
    expect(made).toMatchObject({ of: 'workflow', run: 'intake-build', tasks: [{ id: 'intake-build-look' }] });
    expect(made.tasks[0]?.description).toContain('Build the parser');
    expect((await stage.store.view()).seq).toBe(seq);
    // The name is somebody else's: the next one, and the same for everybody who asks.
    await stage.store.commit((view) =>
      addTask(view, { id: 'intake-build-look', title: 'x' }, { now: stage.now, actor: 'ann' }),
    );
    expect((await makeTriggered(stage.context(), wish)).run).toBe('intake-build-2');
  },
);

verifies('workflow.trigger', 'one that failed is left alone for a minute, or until a file changes', async () => {
  const stage = new Works();
  stage.put('nightly', '{type: schedule, every: daily}', PROMPT);
  const host = hostOf(stage);
  await host.facts();
  refuse(host, 'It could not be made.');
  const why = async () => (await host.facts()).triggers.workflows[0]?.blocked?.text;
  expect(await why()).toBe('It could not be made.');
  expect([...host.refusals()]).toEqual([['nightly', 'It could not be made.']]);
  stage.now += 61_000;
  expect(await why()).toBeUndefined();
  refuse(host, 'Again.');
  stage.put('nightly', '{type: schedule, every: "weekly:mon"}', PROMPT);
  expect(await why()).toBeUndefined();
});

verifies('workflow.trigger', 'when it begins next is shown in lists, of one, and with the runs', async () => {
  const stage = new Works();
  stage.put('nightly', '{type: schedule, every: daily}', PROMPT);
  const put = (occasion: string) => ({
    ...{ kind: 'trigger', id: '.trigger-nightly', workflow: 'nightly', occasion },
    ...{ at: new Date(stage.now).toISOString(), run: `nightly-${occasion}`, tasks: [] },
  });
  const shown = async () => (await stage.call(workflowShow, { id: 'nightly' })).begins;
  expect(await shown()).toMatchObject({ trigger: 'schedule daily', due: true, last_run: null, held: null });
  await stage.store.commit(() => ({
    events: [{ op: 'trigger', patch: [{ id: '.trigger-nightly', put: put('9999-01-01') }] }],
    result: undefined,
  }));
  const after = await shown();
  expect(after).toMatchObject({ due: false, last_run: 'nightly-9999-01-01' });
  expect(Date.parse(String(after?.next))).toBeGreaterThan(stage.now);
  const { begins } = await stage.call(playbookStatus);
  expect(begins).toEqual([{ workflow: 'nightly', ...after }]);
  expect((await stage.call(workflowShow, { id: 'bug-fix' })).begins).toBeNull();
});

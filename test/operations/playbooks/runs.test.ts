import { expect } from 'vitest';
import { TraceFolder } from '#adapters/files/trace-folder.js';
import { FormationFolder } from '#adapters/roles/formation-folder.js';
import { LocalHandoffFolders } from '#adapters/roles/handoff-folders.js';
import { crew } from '#operations/formations/crew.js';
import { spendShow } from '#operations/insight/spend.js';
import type { Output } from '#operations/map.js';
import { playbookStatus, playbookSteer, playbookStop } from '#operations/playbooks/runs.js';
import { apply } from '#operations/workflows/apply-function.js';
import { workflowRun } from '#operations/workflows/run.js';
import { worktreesOf } from '../../adapters/worktrees/place.js';
import { bothPorts } from '../../both-ports.js';
import { write } from '../../repository.js';
import { RolesInMemory } from '../../roles-in-memory.js';
import { verifies } from '../../verifies.js';
import { Works } from '../workflows/works.js';

const FUNCTION =
  'kind: trace-function\nversion: 1\nid: page\nname: Page\ntasks:\n' +
  '  - {template_id: write, title: Write it, description: One page}\n' +
  '  - {template_id: read, title: Read it, after: [write]}\n';

const FLOW =
  'id: flow\nedges: [{from: look, to: make}, {from: make, to: end}]\nnodes: [{id: look, type: prompt},\n' +
  '  {id: make, type: run, run: make}, {id: end, type: terminal}]\n';

/** A project in which a workflow, a function and a crew have begun. */
class Begun extends Works {
  readonly roles = new RolesInMemory();

  override context() {
    return {
      ...super.context(),
      roleFiles: async () => this.roles,
      formationFiles: async () => new FormationFolder(this.folder),
      traceFiles: async () =>
        Object.assign(new TraceFolder(this.folder, this.folder), {
          evaluations: async () => ({ records: [], warnings: [] }),
        }),
      handoffFolders: async () => new LocalHandoffFolders(),
      ...bothPorts(async () => worktreesOf(this.folder)),
    };
  }

  async begin(): Promise<Record<'workflow' | 'function' | 'formation', string>> {
    write(this.folder, { '.squad/workflows/flow.yaml': FLOW, '.workgraph/functions/page.yaml': FUNCTION });
    const workflow = await this.call(workflowRun, { id: 'flow' });
    this.now += 1_000;
    const applied = await this.call(apply, { id: 'page', prefix: 'home' });
    this.now += 1_000;
    const formation = await this.call(crew, { goal: 'Add CSV export', yes: true });
    return { workflow: workflow.run, function: applied.prefix, formation: formation.run };
  }

  async row(run: string): Promise<Output<'playbook.status'>['runs'][number] | undefined> {
    return (await this.call(playbookStatus, { run })).runs[0];
  }
}

verifies(
  ['one.plan', 'one.nouns'],
  'a workflow, a function and a crew are runs of playbooks: one list, one state, one cost, one way to steer and stop',
  async () => {
    const stage = new Begun();
    const names = await stage.begin();
    const { runs, total } = await stage.call(playbookStatus);
    expect(total).toBe(3);
    expect(runs.map(({ run, playbook, kind, state, done }) => [run, playbook, kind, state, done])).toEqual([
      [names.formation, 'crew', 'formation', 'running', 0],
      ['home', 'page', 'function', 'running', 0],
      [names.workflow, 'flow', 'workflow', 'running', 0],
    ]);
    const first = { workflow: 'flow-look', function: 'home-write', formation: `${names.formation}-architect` };
    for (const kind of ['workflow', 'function', 'formation'] as const) {
      const [run, id] = [names[kind], first[kind]];
      await stage.set(id, { cost_usd: 2 });
      expect(await stage.call(playbookSteer, { run, text: 'Keep it small.' })).toEqual({ run, task_ids: [id] });
      const task = (await stage.store.view()).task(id);
      expect(task?.description).toContain('A person adds: Keep it small.');
      expect(task?.log?.at(-1)?.message).toBe('Steered: Keep it small.');
      const { steps, formation } = await stage.call(playbookStatus, { run });
      expect(steps?.[0]).toMatchObject({ id, status: 'open' });
      expect(formation === null).toBe(kind !== 'formation');
      const unfinished = steps?.map((step) => step.id);
      const stopped = await stage.call(playbookStop, { run });
      expect(stopped).toMatchObject({ run, abandoned: unfinished });
      expect(await stage.row(run)).toMatchObject({ state: 'ended', outcome: stopped.outcome, pending: [] });
      for (const late of [stage.call(playbookStop, { run }), stage.call(playbookSteer, { run, text: 'Late.' })])
        await expect(late).rejects.toMatchObject({ code: 'wrong_status' });
    }
    await expect(stage.call(playbookStop, { run: 'hom' })).rejects.toMatchObject({
      code: 'not_found',
      hint: 'Did you mean home?',
    });
  },
);

verifies('one.plan', 'a run of any playbook says what it waits for: a review, a failed step, a person', async () => {
  const stage = new Begun();
  const { workflow, formation } = await stage.begin();
  await stage.set('home-write', { status: 'pending-validation' });
  expect(await stage.row('home')).toMatchObject({
    state: 'running',
    pending: [{ kind: 'review', task: 'home-write', command: 'troupe approve home-write' }],
  });
  await stage.set('flow-look', { status: 'failed', failure_reason: 'no disk' });
  expect(await stage.row(workflow)).toMatchObject({
    state: 'blocked',
    held: { task: 'flow-look', reason: 'failed: no disk' },
    pending: [{ kind: 'failed', command: 'troupe retry flow-look' }],
  });
  await stage.set(`${formation}-architect`, { status: 'done' });
  expect(await stage.row(formation)).toMatchObject({
    pending: [{ kind: 'check', command: `troupe done ${formation}-check-architect` }],
  });
  // A person decides the rest of a workflow by hand.
  await stage.set('flow-make', { status: 'open', human: true, exec: undefined, after: [], after_success: [] });
  expect(await stage.row(workflow)).toMatchObject({
    pending: [{ kind: 'check', task: 'flow-make', command: 'troupe done flow-make' }],
  });
  expect((await stage.call(spendShow)).by.playbook).toBeDefined();
});

verifies('one.plan', 'no two runs have one name, whatever playbooks they are of', async () => {
  const stage = new Begun();
  await stage.begin();
  expect((await stage.call(apply, { id: 'page', prefix: 'flow' })).prefix).toBe('flow-2');
  expect((await stage.call(workflowRun, { id: 'flow' })).run).toBe('flow-3');
  const { runs } = await stage.call(playbookStatus);
  expect(new Set(runs.map(({ run }) => run)).size).toBe(runs.length);
});

verifies('one.plan', 'steps in progress are all steered; without one the next step of a client is', async () => {
  const stage = new Begun();
  await stage.begin();
  await stage.set('home-write', { status: 'in-progress' });
  await stage.set('home-read', { status: 'in-progress' });
  expect((await stage.call(playbookSteer, { run: 'home', text: 'Both.' })).task_ids).toEqual([
    'home-write',
    'home-read',
  ]);
  await stage.set('flow-look', { status: 'done' });
  // What is left of it is a command, which reads no instruction.
  await expect(stage.call(playbookSteer, { run: 'flow', text: 'x' })).rejects.toMatchObject({ code: 'wrong_status' });
  await expect(stage.call(playbookSteer, { run: 'home', text: ' ' })).rejects.toMatchObject({ code: 'bad_input' });
});

import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isGate } from '#core/catalog/workflow.js';
import { workflowFlow } from '#core/catalog/workflow-flow.js';
import { abandonTask, doneTask, failTask } from '#core/graph/moves.js';
import { playbookStatus, playbookStop } from '#operations/playbooks/runs.js';
import { confirm } from '#operations/squad/confirm.js';
import { manual } from '#operations/squad/proposals.js';
import { workflowRun } from '#operations/workflows/run.js';
import { workflowTrust } from '#operations/workflows/trust.js';
import { workflowCheck, workflowList, workflowShow } from '#operations/workflows/workflows.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { verifies } from '../../verifies.js';
import { Stage } from '../team/casting-stage.js';

/** A stage with a graph to add tasks to. */
class Works extends Stage {
  override store = new GraphInMemory({ now: () => this.now });
}

const NIGHTLY = `id: nightly
nodes:
  - {id: build, type: run, run: 'make "$IN_WHAT"'}
  - {id: read, type: prompt}
edges: [{from: build, to: read}]
inputs: [{name: what, default: all}]
`;

function put(stage: Works, name: string, text: string): void {
  const file = path.join(stage.folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const move = (stage: Works) => ({ now: stage.now, by: { name: 'ann' } });
async function settle(stage: Works, id: string, how: 'done' | 'fail' | 'abandon'): Promise<void> {
  const options = { ...move(stage), reason: 'so' };
  await stage.store.commit((view) => {
    if (how === 'abandon') return abandonTask(view, id, options);
    return how === 'done' ? doneTask(view, id, options) : failTask(view, id, options);
  });
}
const outcome = async (stage: Works, run: string) => (await stage.call(playbookStatus, { run })).runs[0]?.outcome;

verifies(
  'workflow.shipped',
  'nine of them compile; at least four go round, and all but the review have a gate',
  async () => {
    const stage = new Works();
    const { workflows } = await stage.catalog.load();
    expect([...workflows].sort()).toEqual(
      [
        ...['agent-evaluation', 'bug-fix', 'code-review', 'content-authoring', 'default', 'incident-response'],
        ...['pm-discovery', 'repository-review', 'software-delivery'],
      ].sort(),
    );
    let cycles = 0;
    for (const id of workflows) {
      const workflow = await stage.catalog.workflow(id);
      if (workflowFlow(workflow).loops.length > 0) cycles++;
      if (id === 'repository-review') continue;
      expect(workflow.nodes.some(isGate), id).toBe(true);
      const { tasks } = await stage.call(workflowRun, { id, dry_run: true });
      expect(tasks?.length, id).toBeGreaterThan(2);
    }
    expect(cycles).toBeGreaterThanOrEqual(4);
    // Every archetype a shipped workflow asks for exists.
    const { archetypes } = await stage.catalog.load();
    for (const id of workflows)
      for (const node of (await stage.catalog.workflow(id)).nodes)
        for (const archetype of [node.archetype ?? []].flat()) expect(archetypes.has(archetype), archetype).toBe(true);
  },
);

verifies('workflow.outcome', 'the worked example of a bug that is fixed: edges, cycle, and how it ends', async () => {
  const stage = new Works();
  await stage.call(manual, { archetypes: ['triage-lead', 'core-implementer', 'qa-engineer'] });
  await stage.call(confirm, {});
  const before = (await stage.store.view()).seq;
  const { tasks } = await stage.call(workflowRun, { id: 'bug-fix', dry_run: true });
  expect((await stage.store.view()).seq).toBe(before);
  const shown = (tasks ?? []).map(({ id, after, after_success, max_iterations, cycle_guard }) => ({
    ...{ id, after, after_success, max_iterations, cycle_guard },
  }));
  expect(JSON.stringify(shown)).toBe(
    JSON.stringify([
      { id: 'bug-fix-triage' },
      {
        id: 'bug-fix-fix',
        after: ['bug-fix-triage', 'bug-fix-verify'],
        after_success: ['bug-fix-triage'],
        max_iterations: 3,
        cycle_guard: 'task:bug-fix-verify=failed',
      },
      { id: 'bug-fix-verify', after: ['bug-fix-fix'], after_success: ['bug-fix-fix'] },
      { id: 'bug-fix-merge', after: ['bug-fix-verify'], after_success: ['bug-fix-verify'] },
    ]),
  );
  const { run } = await stage.call(workflowRun, { id: 'bug-fix' });
  expect(await outcome(stage, run)).toBe('running');
  await settle(stage, 'bug-fix-triage', 'done');
  await settle(stage, 'bug-fix-fix', 'done');
  await settle(stage, 'bug-fix-verify', 'abandon');
  expect(await outcome(stage, run)).toBe('declined');
  expect(await stage.call(playbookStop, { run })).toMatchObject({ outcome: 'declined', abandoned: ['bug-fix-merge'] });
  expect(await outcome(stage, run)).toBe('declined');

  const second = await stage.call(workflowRun, { id: 'bug-fix' });
  expect(second.run).toBe('bug-fix-2');
  await settle(stage, 'bug-fix-2-triage', 'done');
  for (let round = 0; round < 4; round++) {
    await settle(stage, 'bug-fix-2-fix', 'done');
    expect(await outcome(stage, 'bug-fix-2')).toBe('running');
    await settle(stage, 'bug-fix-2-verify', 'fail');
  }
  expect(await outcome(stage, 'bug-fix-2')).toBe('exhausted');

  await stage.call(workflowRun, { id: 'bug-fix' });
  await settle(stage, 'bug-fix-3-triage', 'fail');
  expect(await outcome(stage, 'bug-fix-3')).toBe('failed');

  await stage.call(workflowRun, { id: 'bug-fix' });
  for (const node of ['triage', 'fix', 'verify', 'merge']) await settle(stage, `bug-fix-4-${node}`, 'done');
  expect(await outcome(stage, 'bug-fix-4')).toBe('passed');
});

verifies('workflow.trust', 'commands of a project stay inert until a person agrees to exactly them', async () => {
  const stage = new Works();
  put(stage, '.squad/workflows/nightly.yaml', NIGHTLY);
  const first = await stage.call(workflowRun, { id: 'nightly', inputs: ['what=$(touch x)'] });
  expect(first.warnings.join()).toContain('troupe trust workflow nightly');
  const held = (await stage.store.view()).task('nightly-build');
  expect(held).toMatchObject({ exec_mode: 'shell', environment: { IN_WHAT: '$(touch x)' } });
  expect(held).not.toHaveProperty('exec');
  expect([...(await stage.store.view()).runnable()]).toEqual([]);
  expect(await stage.call(workflowTrust, { id: 'nightly', show: true })).toMatchObject({
    trusted: false,
    released: [],
  });
  expect(await stage.call(workflowTrust, { id: 'nightly' })).toMatchObject({
    trusted: true,
    released: ['nightly-build'],
  });
  expect((await stage.store.view()).task('nightly-build')?.exec).toBe('make "$IN_WHAT"');
  expect([...(await stage.store.view()).runnable()]).toEqual(['nightly-build']);
  await stage.call(workflowRun, { id: 'nightly' });
  expect((await stage.store.view()).task('nightly-2-build')?.exec).toBe('make "$IN_WHAT"');
  // Another command is another file.
  put(stage, '.squad/workflows/nightly.yaml', NIGHTLY.replace('make', 'rm -rf'));
  await stage.call(workflowRun, { id: 'nightly' });
  expect((await stage.store.view()).task('nightly-3-build')).not.toHaveProperty('exec');
  expect(await stage.call(workflowTrust, { id: 'nightly', withdraw: true })).toMatchObject({ trusted: false });
});

verifies(
  'workflow.files',
  'those of the project are read from both folders; shipped names and links are refused',
  async () => {
    const stage = new Works();
    put(stage, '.squad/workflows/nightly.yaml', NIGHTLY);
    put(stage, '.agentweaver/workflows/older.yaml', NIGHTLY.replace('nightly', 'older'));
    put(stage, '.squad/workflows/bug-fix.yaml', NIGHTLY.replace('nightly', 'bug-fix'));
    put(stage, '.squad/workflows/wrong.yaml', 'id: wrong\nnodes: []\nedges: []\nshell: rm\n');
    put(stage, '.squad/review-policies/mine.yaml', 'id: mine\nsteps: [peer-review]\n');
    symlinkSync('/etc/hostname', path.join(stage.folder, '.squad/workflows/linked.yaml'));
    const { workflows } = await stage.call(workflowList);
    const own = workflows.filter((row) => row.source === 'project');
    expect(own.map((row) => [row.id, row.problem !== undefined])).toEqual([
      ['bug-fix', true],
      ['linked', true],
      ['nightly', false],
      ['older', false],
      ['wrong', true],
    ]);
    expect((await stage.call(workflowShow, { id: 'bug-fix' })).source).toBe('shipped');
    await expect(stage.call(workflowShow, { id: 'wrong' })).rejects.toMatchObject({ code: 'workflow_invalid' });
    await expect(stage.call(workflowShow, { id: 'linked' })).rejects.toMatchObject({ code: 'unsafe_path' });
    await expect(stage.call(workflowShow, { id: 'nightli' })).rejects.toMatchObject({ code: 'unknown_workflow' });
    const { tasks } = await stage.call(workflowRun, { id: 'bug-fix', dry_run: true, review_policy: 'mine' });
    expect(tasks?.map((task) => task.node)).toEqual(['triage', 'fix', 'verify', 'merge']);
    expect(await stage.call(workflowCheck, { id: 'older' })).toMatchObject({ ok: true, workflows: [{ tasks: 2 }] });
  },
);

test('an input that nobody said is asked for by its name, one that is unknown refused', async () => {
  const stage = new Works();
  put(stage, '.squad/workflows/nightly.yaml', NIGHTLY.replace('default: all', 'description: What to build'));
  const code = 'bad_input';
  await expect(stage.call(workflowRun, { id: 'nightly' })).rejects.toMatchObject({
    ...{ code, message: expect.stringContaining('--input what=') },
  });
  await expect(stage.call(workflowRun, { id: 'nightly', inputs: ['where=here'] })).rejects.toMatchObject({ code });
  expect((await stage.call(workflowRun, { id: 'nightly', inputs: ['what=all'] })).run).toBe('nightly');
});

test('the policy a project has chosen stands before the merge', async () => {
  const stage = new Works();
  put(stage, '.squad/config.json', '{"version":1,"review_policy":"default"}\n');
  const { tasks } = await stage.call(workflowRun, { id: 'bug-fix', dry_run: true });
  expect(tasks?.map((task) => task.node)).toEqual([
    ...['triage', 'fix', 'verify', 'policy-safety', 'policy-human-review', 'merge'],
  ]);
  put(stage, '.squad/config.json', '{"version":1,"review_policy":"../x"}\n');
  await expect(stage.call(workflowRun, { id: 'bug-fix', dry_run: true })).rejects.toMatchObject({
    code: 'catalog_invalid',
  });
});

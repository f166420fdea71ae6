import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LocalHandoffFolders } from '#adapters/roles/handoff-folders.js';
import { LOOK } from '#core/coordinator/formations.js';
import { doneTask, reopenTask } from '#core/graph/moves.js';
import { taskOf } from '#core/graph/task-of.js';
import { runFolder } from '#core/playbooks/formation.js';
import { passPhase, unrecordedPhases } from '#core/playbooks/hand-in.js';
import { checkedRecord } from '#core/playbooks/record.js';
import { timestamp } from '#kernel/clock.js';
import { sha256 } from '#kernel/hash.js';
import { Errands } from '#operations/coordinator/errands.js';
import { formationsHost } from '#operations/coordinator/formations-host.js';
import { checkHandoffs } from '#operations/formations/check-handoffs.js';
import { refuseHeldPhase } from '#operations/formations/dispatch-gate.js';
import { formationGo } from '#operations/formations/formation.js';
import { judgeCall } from '#operations/formations/gate-call.js';
import { inspectHandIn } from '#operations/formations/hand-in.js';
import { add } from '#operations/graph/tasks.js';
import { playbookStatus } from '#operations/playbooks/runs.js';
import { commitIn, worktreesOf } from '../../adapters/worktrees/place.js';
import { repository } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { Crews } from '../formations/crews.js';

/** A crew at work, and the host that sees to it; `write` puts a file into the folder of the run. */
async function atWork() {
  const stage = new Crews();
  const { run } = await stage.crew({ mode: 'autopilot', yes: true });
  const folder = path.join(stage.folder, runFolder('crew', run));
  mkdirSync(folder, { recursive: true });
  const faults: unknown[] = [];
  const errands = new Errands(() => undefined);
  const host = formationsHost({ errands, onError: (fault) => void faults.push(fault) }, stage.context());
  const write = (name: string, text: string) => writeFileSync(path.join(folder, name), text);
  return { stage, run, folder, faults, errands, host, write };
}

test('what was handed over for a plan that is no more is put aside, and what is missing is no fault', async () => {
  const { stage, run, folder, faults, host, write } = await atWork();
  write('CHANGES.md', 'old');
  const record = checkedRecord(await stage.view(), run);
  const decision = {
    do: 'climb',
    key: 'help',
    record,
    stale: ['CHANGES.md', 'QA.md'],
    reason: 'again',
    events: [],
  } as const;
  await host.carryOut.climb(decision, await stage.view());
  expect(existsSync(path.join(folder, 'CHANGES.md'))).toBe(false);
  expect(readFileSync(path.join(folder, 'stale/CHANGES.md'), 'utf8')).toBe('old');
  // A second plan takes the place of what lies there.
  write('CHANGES.md', 'older still');
  await host.carryOut.climb(decision, await stage.view());
  expect(readFileSync(path.join(folder, 'stale/CHANGES.md'), 'utf8')).toBe('older still');
  // Where it cannot be put aside, the ladder goes on all the same: its hash counts as stale.
  write('CHANGES.md', 'new');
  rmSync(path.join(folder, 'stale'), { recursive: true });
  writeFileSync(path.join(folder, 'stale'), 'no folder');
  await host.carryOut.climb(decision, await stage.view());
  expect(faults).toMatchObject([{ code: 'unsafe_path' }, { code: 'unsafe_path' }]);
  expect(readFileSync(path.join(folder, 'CHANGES.md'), 'utf8')).toBe('new');
});

verifies(
  'crew.handoff.file',
  'a phase that a person has done is looked at in the project, and what it left is remembered',
  async () => {
    const { stage, run, errands, host, write } = await atWork();
    write('PLAN.md', 'plan');
    write('CONTRACT.md', '## Done-criteria\n\n- CSV leaves\n');
    const id = `${run}-architect`;
    await stage.store.commit((view) => doneTask(view, id, { now: stage.now, by: { name: 'you' } }));
    const key = LOOK.key(id, '0', '');
    await host.carryOut['look-hand-in'](
      { do: 'look-hand-in', key, task: id, reason: 'done', events: [] },
      await stage.view(),
    );
    await errands.firstOf([key]);
    const answer = LOOK.answer(errands.facts(), key);
    expect(answer).toMatchObject({ of: 'hand-in', handIn: { handoffs: { 'PLAN.md': /^[0-9a-f]{64}$/ } } });
    if (answer?.of !== 'hand-in') return;
    await stage.store.commit((view) => ({
      events: passPhase(view, taskOf(view, id), timestamp(stage.now), answer.handIn),
      result: undefined,
    }));
    const { handoffs } = checkedRecord(await stage.view(), run);
    expect(Object.keys(handoffs).sort()).toEqual(['CONTRACT.md', 'PLAN.md']);
    await host.carryOut['note-hand-in']({ do: 'note-hand-in', key, reason: 'seen', events: [] }, await stage.view());
    expect(LOOK.answer(errands.facts(), key)).toBeUndefined();
  },
);

verifies('crew.qa.format', 'what dev hands in after a judgement is not what that judgement was about', async () => {
  const { stage, run, write } = await atWork();
  const judged = async (phase: string) => {
    const looked = await inspectHandIn(
      stage.context(),
      taskOf(await stage.view(), `${run}-${phase}`),
      undefined,
      undefined,
    );
    return Object.values(looked?.handIn.judged ?? {});
  };
  write('QA.md', 'old verdict');
  write('CHANGES.md', 'new changes');
  expect(await judged('dev')).toEqual([]);
  expect(await judged('qa')).toEqual([sha256('new changes')]);
  const record = await (await new LocalHandoffFolders().around(stage.folder))?.record(run);
  expect(record?.judged).toEqual(new Map([[sha256('old verdict'), sha256('new changes')]]));
});

/** Ends the phase as done by a person at this moment, and pins what lies in the project, as the coordinator would. */
async function pass({ stage, run }: Awaited<ReturnType<typeof atWork>>, phase: string): Promise<void> {
  const id = `${run}-${phase}`;
  stage.now += 1_000;
  const options = { now: stage.now, by: { name: 'you' } };
  if ((await stage.view()).task(id)?.status === 'done')
    await stage.store.commit((view) => reopenTask(view, id, options));
  await stage.store.commit((view) => doneTask(view, id, options));
  const unseen = [...unrecordedPhases(await stage.view())].map((task) => task.id);
  expect(unseen).toContain(id);
  const looked = await inspectHandIn(stage.context(), taskOf(await stage.view(), id), undefined, undefined);
  expect(looked?.refused).toBeUndefined();
  await stage.store.commit((view) => ({
    events: passPhase(view, taskOf(view, id), timestamp(stage.now), looked?.handIn ?? { handoffs: {} }),
    result: undefined,
  }));
  expect([...unrecordedPhases(await stage.view())].map((task) => task.id)).not.toContain(id);
}

verifies(
  'gate.pinned',
  'an accepted handoff that was changed or deleted refuses the next phase at every gate and the release, and is shown',
  async () => {
    const world = await atWork();
    const { stage, run, write, folder } = world;
    const contract = '## Done-criteria\n\n- 1 CSV leaves\n- 2 all tests pass\n';
    write('PLAN.md', 'A plan.\n');
    write('CONTRACT.md', contract);
    await pass(world, 'architect');
    const dispatched = async (phase: string) =>
      refuseHeldPhase(stage.context(), await stage.view(), taskOf(await stage.view(), `${run}-${phase}`), stage.folder);
    await dispatched('dev');
    const gates = async (phase: string) => {
      const payload = JSON.stringify({ tool_input: { subagent_type: `dc-${phase}` } });
      const hook = await judgeCall(new LocalHandoffFolders(), { payload, places: [stage.folder], run: undefined });
      const before = await stage.call(checkHandoffs, { run, phase, before: true });
      const { delivered } = await stage.call(playbookStatus, { run });
      return [hook.deny?.split(':')[0], before.denial?.code, delivered?.changed];
    };
    expect(await gates('dev')).toEqual([undefined, undefined, []]);
    // The builder lowers the bar.
    write('CONTRACT.md', '## Done-criteria\n\n- 1 a file exists\n');
    write('CHANGES.md', 'Little.\n');
    const changed = { phase: 'architect', file: 'CONTRACT.md', gone: false };
    expect(await gates('qa')).toEqual(['handoff_changed', 'handoff_changed', [changed]]);
    expect(await stage.call(checkHandoffs, { run, phase: 'dev' })).toMatchObject({
      ok: false,
      denial: { code: 'handoff_changed', missing: 'CONTRACT.md is not what architect handed over' },
    });
    await expect(dispatched('qa')).rejects.toMatchObject({
      code: 'handoff_denied',
      hint: expect.stringContaining(`troupe reopen ${run}-architect`),
      details: { code: 'handoff_changed' },
    });
    // A task that only has the tags of the phase pins nothing.
    await stage.call(add, { id: 'mine', title: 'Mine', tags: [`formation:${run}`, 'lane:crew', 'phase:architect'] });
    const mine = taskOf(await stage.view(), 'mine');
    expect(await inspectHandIn(stage.context(), mine, undefined, undefined)).toBeUndefined();
    expect(passPhase(await stage.view(), mine, 'now', { handoffs: { 'CONTRACT.md': sha256('mine') } })).toEqual([]);
    rmSync(path.join(folder, 'PLAN.md'));
    write('CONTRACT.md', contract);
    expect(await gates('dev')).toEqual([
      'handoff_missing',
      'handoff_missing',
      [{ phase: 'architect', file: 'PLAN.md', gone: true }],
    ]);
    // Its own phase hands it over again, also by a person.
    write('PLAN.md', 'Another plan.\n');
    await pass(world, 'architect');
    expect(await gates('dev')).toEqual([undefined, undefined, []]);
    for (const phase of ['dev', 'qa', 'deployer']) {
      write('QA.md', '- [PASS] 1 CSV leaves — out.csv\n- [PASS] 2 all tests pass — npm test, 12 passed\n');
      write('DEPLOY.md', '## Commands\n\n```\necho out\n```\n');
      await pass(world, phase);
    }
    await expect(stage.call(formationGo, { run })).rejects.toMatchObject({ code: 'confirmation_needed' });
    write('QA.md', '- [PASS] 1 CSV leaves — out.csv\n- [PASS] 2 all tests pass — all of it\n');
    await expect(stage.call(formationGo, { run, seen: sha256('echo out\n') })).rejects.toMatchObject({
      code: 'handoff_denied',
    });
  },
);

verifies(
  'gate.pinned',
  'where work is merged in worktrees, what was merged counts and not what lies in the project',
  async () => {
    const stage = new Crews(realpathSync(repository({ 'a.txt': 'a' })));
    const { run } = await stage.crew({ mode: 'autopilot', yes: true });
    const worktrees = worktreesOf(stage.folder);
    const contract = '## Done-criteria\n\n- CSV leaves\n';
    const handOver = async (attempt: number, text: string) => {
      const { folder } = await worktrees.create({ task: `${run}-architect`, attempt, fresh: true });
      commitIn(folder, { [`${runFolder('crew', run)}/CONTRACT.md`]: text });
      await worktrees.mergeBack({ task: `${run}-architect`, attempt, how: 'merge' });
    };
    await handOver(1, contract);
    await stage.store.commit((view) => ({
      events: passPhase(view, taskOf(view, `${run}-architect`), 'now', {
        handoffs: { 'CONTRACT.md': sha256(contract) },
      }),
      result: undefined,
    }));
    const changed = async () => (await stage.call(playbookStatus, { run })).delivered?.changed;
    expect(await changed()).toEqual([]);
    await handOver(2, '## Done-criteria\n\n- a file exists\n');
    expect(await changed()).toEqual([{ phase: 'architect', file: 'CONTRACT.md', gone: false }]);
  },
);

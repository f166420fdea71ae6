import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LocalHandoffFolders } from '#adapters/formations/handoff-folders.js';
import { LOOK } from '#core/coordinator/formations.js';
import { runFolder } from '#core/formations/formation.js';
import { passPhase } from '#core/formations/hand-in.js';
import { checkedRecord } from '#core/formations/record.js';
import { doneTask } from '#core/graph/moves.js';
import { taskOf } from '#core/graph/task-of.js';
import { sha256 } from '#kernel/hash.js';
import { Errands } from '#operations/coordinator/errands.js';
import { formationsHost } from '#operations/coordinator/formations-host.js';
import { lookAtHandIn } from '#operations/formations/hand-in.js';
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
  const decision = { do: 'climb', record, stale: ['CHANGES.md', 'QA.md'], reason: 'again', events: [] } as const;
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
      events: passPhase(view, taskOf(view, id), answer.handIn),
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
    const looked = await lookAtHandIn(
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

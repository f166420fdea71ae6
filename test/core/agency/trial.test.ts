import { expect, test } from 'vitest';
import { addTrial, isTrialOver, trialBasis, trialOrder } from '#core/agency/trial.js';
import { trialIdentity, trialRecords } from '#core/agency/trial-identity.js';
import { readiness } from '#core/graph/ready.js';
import { taskOf } from '#core/graph/task-of.js';
import { isTrialId, trialOf, trialsIn } from '#core/graph/trial.js';
import { verifies } from '../../verifies.js';
import { commit, graphOf, NOW } from '../graph/graph.js';
import { BOLD, BUILDER } from './stage.js';

const BASE = 'a'.repeat(40);
const DONE = { status: 'done' as const, evidence: { commit: 'b'.repeat(40), base: BASE } };

verifies('replay.run', 'only what an agent did with files, from a commit on record, is done again by a client', () => {
  const view = graphOf(
    { id: 'built', ...DONE },
    { id: 'plain', status: 'done' },
    { id: 'shell', ...DONE, exec: 'make' },
    { id: 'person', ...DONE, human: true },
    { id: 'talk', ...DONE, conversation: 'c1' },
  );
  const basis = (id: string, here = true) => trialBasis(taskOf(view, id), here);
  expect(basis('built')).toEqual({ base: BASE });
  expect(basis('built', false)).toEqual({ textOnly: 'Its agent no longer exists.' });
  for (const [id, why] of [
    ['plain', 'not recorded'],
    ['shell', 'command'],
    ['person', 'person'],
    ['talk', 'conversation'],
  ] as const)
    expect(basis(id)).toEqual({ textOnly: expect.stringContaining(why) });
});

verifies(
  'replay.run',
  'who goes first follows from the seed, and the name of a trial says nothing of whose it is',
  () => {
    const firsts = Array.from({ length: 40 }, (_, index) => trialOrder('parent child', `t${index}`)[0]);
    expect(new Set(firsts)).toEqual(new Set(['parent', 'child']));
    expect(trialOrder('parent child', 't1')).toEqual(trialOrder('parent child', 't1'));
  },
);

verifies('replay.run', 'a trial asks for the same, begins where the task began, and nobody waits for it', () => {
  const view = graphOf(
    { id: 'before', status: 'done' },
    { id: 'again', status: 'open' },
    {
      ...{ id: 'built', title: 'Build it', description: 'Well.', verify: 'It builds.', ...DONE },
      ...{ after: ['before', 'again'], agent: 'f'.repeat(64), verify_cmd: 'make', exec_mode: 'full', tags: ['x'] },
    },
    { id: 'next', after: ['built'] },
  );
  const wish = { base: BASE, identity: { role: BUILDER, tradeoff: BOLD }, now: NOW, actor: 'ann' };
  const { id } = commit(view, addTrial(view, taskOf(view, 'built'), { ...wish, name: 'first' }));
  expect(isTrialId(id)).toBe(true);
  const trial = taskOf(view, id);
  expect(trial).toMatchObject({
    ...{ title: 'Build it', description: 'Well.\n\nIt builds.', after: ['before'], verify_cmd: 'make' },
    ...{ agent: 'f'.repeat(64), exec_mode: 'full' },
  });
  expect([trial.tags, trial.verify]).toEqual([undefined, undefined]);
  expect(readiness(view, id, NOW).ready).toBe(true);
  expect(isTrialOver(trial)).toBe(false);
  expect(trialsIn(view)).toEqual([id]);
  const { base, ...identity } = trialOf(trial) ?? { base: '', role: undefined, tradeoff: undefined };
  expect(base).toBe(BASE);
  const read = trialIdentity({ base, ...identity });
  expect(read.role?.description).toBe(BUILDER.description);
  expect(read.tradeoff?.acceptable_tradeoffs).toEqual(BOLD.acceptable_tradeoffs);
  expect(commit(view, addTrial(view, taskOf(view, 'built'), { ...wish, name: 'second' })).id).not.toBe(id);
});

test('a trial that somebody wrote into a file is none, and who is not what they say is nobody', () => {
  const view = graphOf({ id: 'mine', trial: { base: BASE } }, { id: '.trial-x', trial: { base: '../HEAD' } });
  expect([trialOf(view.task('mine')), trialOf(view.task('.trial-x'))]).toEqual([undefined, undefined]);
  const { role } = trialRecords({ role: BUILDER, tradeoff: undefined });
  expect(
    trialIdentity({ base: BASE, role: { ...role, description: 'Other.' }, tradeoff: undefined }).role,
  ).toBeUndefined();
});

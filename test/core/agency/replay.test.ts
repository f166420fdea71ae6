import { expect } from 'vitest';
import { heldOut, verdictOf } from '#core/agency/replay.js';
import { scoresOfPrograms } from '#core/agency/scores.js';
import { withoutTasks } from '#core/agency/summary.js';
import { verifies } from '../../verifies.js';
import { agent } from '../agency/people.js';
import { graphOf } from '../graph/graph.js';
import { AGENCY, BOLD, BUILDER, CAREFUL, scored } from './stage.js';

const pairs = (...list: readonly (readonly [parent: number, child: number])[]) =>
  list.map(([parent, child], index) => ({
    ...{ task_id: `t${index}`, parent, child },
    ...{ kind: 'text' as const, why: '' },
  }));

verifies(
  'replay.hold',
  'finished and scored tasks are held out by a hash, at most every second, and shown to nobody',
  () => {
    const parent = scored(BUILDER, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9], BOLD.id);
    const agency = AGENCY.with([parent]);
    const statuses = ['done', 'failed', 'done', 'open', 'done', 'done', 'abandoned', 'done'] as const;
    const view = graphOf(...statuses.map((status, index) => ({ id: `t${index}`, status })));
    const wish = { seed: 'run-1', count: 2, people: new Set<string>() };
    const held = heldOut(agency, view, parent, wish);
    expect(held).toHaveLength(2);
    expect(heldOut(agency, view, parent, wish)).toEqual(held);
    for (const { task_id, partner_id } of held) {
      expect(['t0', 't1', 't2', 't4', 't5', 't7']).toContain(task_id);
      expect(partner_id).toBe(BOLD.id);
    }
    expect(heldOut(agency, view, parent, { ...wish, count: 50 })).toHaveLength(3);
    const others = new Set(
      Array.from({ length: 12 }, (_, seed) => heldOut(agency, view, parent, { ...wish, seed: `${seed}` })[0]?.task_id),
    );
    expect(others.size).toBeGreaterThan(1);
    const shown = withoutTasks(agency, new Set(held.map(({ task_id }) => task_id)));
    expect(shown.role(parent.id)?.performance.evaluations).toHaveLength(7);
    const gone = withoutTasks(AGENCY.with([{ ...parent, retired: true }]), new Set(['t1', 't8']));
    expect(gone.all('role', true).map(({ performance }) => performance.evaluations.length)).toEqual([7]);
    expect(withoutTasks(agency, new Set()).role(parent.id)).toEqual(parent);
    for (const { task_id } of held)
      expect(shown.role(parent.id)?.performance.evaluations.map((one) => one.task_id)).not.toContain(task_id);
  },
);

verifies(['replay.hold', 'agency.human-evals'], 'what a person did is not done again by anybody', () => {
  const person = agent('Ann', { role_id: BUILDER.id, tradeoff_id: CAREFUL.id, executor: 'email' });
  const parent = scored(BUILDER, [0.1, 0.2, 0.3, 0.4], CAREFUL.id);
  const agency = AGENCY.with([parent, person]);
  const view = graphOf(...[0, 1, 2, 3].map((index) => ({ id: `t${index}`, status: 'done' as const })));
  const wish = { seed: 's', count: 4, people: new Set([person.id]) };
  expect(scoresOfPrograms(agency, parent, wish.people)).toEqual([]);
  expect(heldOut(agency, view, parent, wish)).toEqual([]);
});

verifies('replay.rule', 'a change is adopted where nothing shows that it may be worse', () => {
  expect(verdictOf(pairs([0.5, 0.7], [0.6, 0.8], [0.4, 0.7]), 's')).toMatchObject({ adopted: true, reason: '' });
  expect(verdictOf(pairs([0.5, 0.5], [0.6, 0.6], [0.4, 0.4]), 's')).toMatchObject({ adopted: true, interval: [0, 0] });
  expect(verdictOf(pairs([0.5, 0.9], [0.5, 0.9]), 's')).toMatchObject({ adopted: false, gain: null, interval: null });
  const worse = verdictOf(pairs([0.5, 0.4], [0.6, 0.5], [0.4, 0.3]), 's');
  expect(worse).toMatchObject({ adopted: false, reason: expect.stringContaining('worse by 0.10') });
  const fallen = verdictOf(pairs([0.9, 0.65], [0.1, 0.9], [0.1, 0.9], [0.1, 0.9]), 's');
  expect(fallen).toMatchObject({ adopted: false, reason: 'It fell by more than 0.2 on t0.' });
  expect(verdictOf(pairs([0.9, 0.7], [0.1, 0.9], [0.1, 0.9], [0.1, 0.9]), 's').reason).not.toContain('fell');
  const unsure = verdictOf(pairs([0.5, 0.65], [0.5, 0.35], [0.5, 0.55]), 's');
  expect(unsure).toMatchObject({ adopted: false, reason: expect.stringContaining('It may be worse') });
  expect(unsure.gain).toBeGreaterThan(0);
  expect(unsure.interval?.[0]).toBeLessThan(0);
  expect(verdictOf(pairs([0.5, 0.65], [0.5, 0.35], [0.5, 0.55]), 's')).toEqual(unsure);
});

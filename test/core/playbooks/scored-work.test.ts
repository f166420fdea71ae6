import { expect } from 'vitest';
import { seatTags } from '#core/playbooks/formation.js';
import type { FormationRecord } from '#core/playbooks/record.js';
import { afterScores, poorRows, workScores } from '#core/playbooks/scored-work.js';
import { verifies } from '../../verifies.js';
import { graphOf } from '../graph/graph.js';

const runOf = (run: string): FormationRecord => ({
  ...{ formation: 'panel', run, goal: 'Decide', state: 'ended', at: '2026-11-23T10:00:00Z', seats: [{ name: 'cost' }] },
  ...{ tasks: [`${run}-cost`, `${run}-cost-2`], options: {}, kept: {}, defaults: [], stumbles: {}, notes: [] },
  ...{ handoffs: {}, judged: {}, stale: [] },
});
const RUNS = ['one', 'two', 'three', 'four'].map((word, at) => `2026112${at}-${word}-00ff`);
const [RUN = ''] = RUNS;
const tags = (run: string) => seatTags('panel', run, 'cost');
const said = (task_id: string, score: number, more: object = {}) => ({
  ...{ id: `e-${task_id}-${score}`, task_id, score, source: 'user:ann', timestamp: '2026-11-23T12:00:00Z', ...more },
});
const CLEAN = [{ name: 'cost', result: 'clean' as const }];
const graph = (fields: object = {}) =>
  graphOf(...RUNS.map((run) => ({ id: `${run}-cost`, tags: tags(run), status: 'done' as const, fence: 1, ...fields })));

verifies(
  'roles.life.auto',
  'scores of people and checks take a clean run away; what models say counts for nothing',
  () => {
    const view = graph();
    const result = (...records: object[]) =>
      afterScores(view, runOf(RUN), CLEAN, workScores(records as [], view))[0]?.result;
    const task = `${RUN}-cost`;
    expect(result()).toBe('clean');
    expect(result(said(task, 0.2))).toBe('neither');
    expect(result(said(task, 0.2, { source: 'llm' }), said(task, 0.1, { source: 'flip' }))).toBe('clean');
    expect(result(said(task, 0.2), said(task, 0.9, { source: 'ci:unit' }))).toBe('clean');
    // The latest word of each source, about the attempt that counts, of work that was done here.
    expect(result(said(task, 0.2), said(task, 0.8, { timestamp: '2026-11-23T13:00:00Z' }))).toBe('clean');
    expect(result(said(task, 0.2, { attempt: 0 }))).toBe('clean');
    expect(result(said(task, 0.2, { foreign: true }))).toBe('clean');
    expect(result(said('another-task', 0.2))).toBe('clean');
    // Good scores make nothing clean that was not.
    const scores = workScores([said(task, 1)], view);
    expect(afterScores(view, runOf(RUN), [{ name: 'cost', result: 'thin' }], scores)[0]?.result).toBe('thin');
  },
);

verifies('roles.life.auto', 'work that an acceptance sent back is not clean, whatever came of it in the end', () => {
  expect(afterScores(graph({ rejection_count: 1 }), runOf(RUN), CLEAN, new Map())[0]?.result).toBe('neither');
});

verifies('roles.life.auto', 'three judged runs in a row that did not do make a row one to retire', () => {
  const view = graph();
  const poor = (...scores: (number | undefined)[]) => {
    const records = scores.flatMap((score, at) => (score === undefined ? [] : [said(`${RUNS[at]}-cost`, score)]));
    return poorRows(view, RUNS.map(runOf), workScores(records as [], view));
  };
  expect(poor(0.2, 0.3)).toEqual([]);
  expect(poor(0.9, 0.2, 0.3, 0.4)).toEqual([{ lane: 'panel', name: 'cost', runs: 3, mean: expect.closeTo(0.3) }]);
  expect(poor(0.2, undefined, 0.3, 0.4)).toMatchObject([{ runs: 3 }]); // what nobody judged says nothing
  expect(poor(0.2, 0.3, 0.4, 0.9)).toEqual([]);
  const records = RUNS.map((run) => said(`${run}-cost`, 0.2));
  const open = RUNS.map(runOf).map((run, at) => (at < 2 ? { ...run, state: 'running' as const } : run));
  expect(poorRows(view, open, workScores(records as [], view)), 'of runs that are over').toEqual([]);
});

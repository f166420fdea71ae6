import { expect } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { verifies } from '../../verifies.js';
import { Play } from './graph.js';

/** The review cycle of the manual, by the commands it is made with. */
function reviewCycle(): Play {
  const play = new Play();
  const add = (id: string, after: string[], more: object = {}) =>
    play.move((view, { now }) => addTask(view, { title: id, id, after, ...more }, { now }));
  add('write-draft', ['revise-draft'], { max_iterations: 5, cycle_guard: 'task:review-draft=failed' });
  add('review-draft', ['write-draft']);
  add('revise-draft', ['review-draft']);
  add('publish', ['revise-draft']);
  return play;
}

verifies(['graph.cycle.walk', 'graph.cycle.when', 'graph.cycle.back-edge'], 'the review cycle, row by row', () => {
  const play = reviewCycle();
  const row = () => play.statuses('write-draft', 'review-draft', 'revise-draft');
  expect(play.ready()).toEqual(['write-draft']); // 1
  play.claim('write-draft');
  expect([row(), play.ready()]).toEqual(['in-progress, open, open', []]);
  play.done('write-draft'); // 2
  expect([row(), play.ready()]).toEqual(['done, open, open', ['review-draft']]);
  play.claim('review-draft'); // 3
  expect([row(), play.ready()]).toEqual(['done, in-progress, open', []]);
  play.fail('review-draft', 'the end is missing'); // 4
  expect([row(), play.ready()]).toEqual(['done, failed, open', ['revise-draft']]);
  expect(play.ops('cycle_restart')).toEqual([]);
  play.claim('revise-draft'); // 5
  expect(row()).toBe('done, failed, in-progress');
  expect(play.task('review-draft').failure_reason).toBe('the end is missing');
  const before = play.state.seq;
  play.done('revise-draft'); // 6 to 8, in one group
  expect(play.entries.filter((entry) => entry.seq > before).map(({ op, tx }) => [op, tx])).toEqual([
    ['done', [1, 2]],
    ['cycle_iterate', [2, 2]],
  ]);
  expect([row(), play.ready()]).toEqual(['open, open, open', ['write-draft']]);
  for (const id of ['write-draft', 'review-draft', 'revise-draft']) expect(play.task(id).loop_iteration).toBe(1);
  expect(play.task('review-draft')).not.toHaveProperty('failure_reason');
  for (const id of ['write-draft', 'review-draft']) {
    play.claim(id); // 9
    play.done(id);
  }
  expect([row(), play.ready()]).toEqual(['done, done, open', ['revise-draft']]);
  play.done('revise-draft'); // end: nobody failed, the guard is false
  expect([row(), play.ready()]).toEqual(['done, done, done', ['publish']]);
  expect(play.ops('cycle_iterate')).toHaveLength(1);
  expect(play.ops('cycle_end').map(({ detail }) => detail?.['reason'])).toEqual(['guard-false']);
  play.tick(play.now + 1_000);
  expect(play.ops('cycle_end')).toHaveLength(1);
});

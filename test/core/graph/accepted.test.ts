import { expect } from 'vitest';
import { gateEvents } from '#core/agency/evaluation-gate.js';
import { acceptedOf } from '#core/graph/acceptance.js';
import { abandonTask, failTask } from '#core/graph/moves.js';
import { acceptTask, approveTask, rejectTask } from '#core/graph/review.js';
import { holdUnmerged } from '#core/graph/unmerged.js';
import { verifies } from '../../verifies.js';
import { codeOf, NOW, Play } from './graph.js';

const ben = { name: 'ben' };
const by = { now: NOW, by: ben };
const no = { ...by, reason: 'no' };

/** Work of one attempt that waits for its review. */
function submitted(): Play {
  const play = new Play({ id: 'a', verify: 'read it' });
  play.claim('a');
  play.done('a');
  return play;
}

const accept = (play: Play, fence = 1) => play.move((view, options) => acceptTask(view, 'a', fence, options), ben);

verifies(
  ['graph.move.approve', 'tree.merge'],
  'work that was let pass and is being merged is not rejected, failed, given up or scored away; approving it goes on',
  () => {
    const play = submitted();
    accept(play);
    expect(play.task('a')).toMatchObject({ status: 'pending-validation', accepted: { by: 'ben', fence: 1 } });
    for (const move of [
      () => rejectTask(play.state, 'a', no),
      () => failTask(play.state, 'a', no),
      () => abandonTask(play.state, 'a', no),
    ])
      expect(codeOf(move)).toBe('wrong_status');
    const score = { task_id: 'a', source: 'llm', score: 0.1, attempt: 1 } as never;
    expect(gateEvents(play.state, score, ben, NOW, { threshold: 0.7, all: true })).toEqual([]);
    expect(acceptTask(play.state, 'a', 1, by).events).toEqual([]);
    play.move((view, options) => approveTask(view, 'a', options), ben);
    expect(play.task('a').status).toBe('done');
    expect(play.task('a')).not.toHaveProperty('accepted');
  },
);

verifies(
  ['graph.move.approve', 'tree.conflict'],
  'what cannot be merged after all is decided anew; what was rejected, or tried again, is not let pass',
  () => {
    const play = submitted();
    accept(play);
    const held = { now: NOW, by: { name: 'coordinator' }, conflict: undefined, reason: 'f.txt does not fit' };
    play.move((view) => holdUnmerged(view, 'a', held));
    expect(acceptedOf(play.task('a'))).toBeUndefined();
    expect(play.task('a').log?.at(-1)?.message).toBe('f.txt does not fit');
    accept(play);
    play.move((view) => holdUnmerged(view, 'a', held));
    expect(play.task('a')).not.toHaveProperty('accepted');
    expect(play.task('a').log?.filter(({ message }) => message === 'f.txt does not fit')).toHaveLength(1);
    play.move((view, options) => rejectTask(view, 'a', { ...options, reason: 'no' }), ben);
    expect(codeOf(() => acceptTask(play.state, 'a', 1, by))).toBe('wrong_status');
    play.claim('a');
    play.done('a');
    expect(codeOf(() => acceptTask(play.state, 'a', 1, by))).toBe('wrong_status');
    accept(play, 2);
    expect(codeOf(() => rejectTask(play.state, 'a', no))).toBe('wrong_status');
  },
);

import { describe, expect, test } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { editTask } from '#core/graph/edit.js';
import type { Plan } from '#core/graph/event.js';
import { reclaimTask, rescheduleTask } from '#core/graph/hand-over.js';
import {
  abandonTask,
  blockTask,
  claimTask,
  failTask,
  type Moved,
  type MoveOptions,
  reopenTask,
  retryTask,
} from '#core/graph/moves.js';
import { approveTask, rejectTask } from '#core/graph/review.js';
import { STATUSES, type Status } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { parseWait, waitTask } from '#core/graph/wait.js';
import { NO_COORDINATION } from '#core/insight/coordination.js';
import { whyFacts } from '#core/insight/why.js';
import { refusalOf } from '../../refusal.js';
import { verifies } from '../../verifies.js';
import { ann, codeOf, commit, graphOf, NOW, Play } from './graph.js';

const ben = { name: 'ben' };
const by = { now: NOW, by: ben };
const agent = { name: 'agent-7', taskId: 'a', fence: 1 };

type Move = (view: GraphView, id: string, options: MoveOptions) => Plan<Moved>;
const park: Move = (view, id, options) =>
  waitTask(view, id, parseWait(view, 'human-input', { now: NOW, files: new Map() }), options);

/** The rows of the table that `moves.test.ts` does not walk; `=` for nothing, ✗ for a refusal. */
const ROWS: readonly [string, Move, string][] = [
  ['block', blockTask, 'blocked ✗ ✗ ✗ = ✗ ✗ ✗'],
  ['reopen', reopenTask, '= ✗ ✗ ✗ open open open open'],
  ['approve', approveTask, '✗ ✗ ✗ done ✗ ✗ ✗ ✗'],
  ['reject', (view, id, options) => rejectTask(view, id, { ...options, reason: 'no' }), '✗ ✗ ✗ open ✗ ✗ ✗ ✗'],
  ['wait', park, '✗ waiting ✗ ✗ ✗ ✗ ✗ ✗'],
];

function walk(name: string): void {
  const [, move, cells] = ROWS.find(([row]) => row === name) ?? ['', blockTask, ''];
  STATUSES.forEach((status, index) => {
    const wanted = cells.split(' ')[index] as Status | '=' | '✗';
    const graph = graphOf({ id: 'a', status, ...(status === 'pending-validation' ? { assigned: 'ann' } : {}) });
    if (wanted === '✗') {
      expect(
        codeOf(() => move(graph, 'a', by)),
        `${name} of ${status}`,
      ).toBe('wrong_status');
      return;
    }
    expect(commit(graph, move(graph, 'a', by)).changed, `${name} of ${status}`).toBe(wanted !== '=');
    expect(graph.task('a')?.status, `${name} of ${status}`).toBe(wanted === '=' ? status : wanted);
  });
}

describe('the rest of the table of moves', () => {
  verifies('graph.move.block', 'block: only what is open', () => walk('block'));
  verifies('graph.move.reopen', 'reopen: what is over or blocked', () => walk('reopen'));
  verifies('graph.move.approve', 'approve: what was submitted', () => walk('approve'));
  verifies('graph.move.approve', 'reject: what was submitted', () => walk('reject'));
  verifies('graph.move.approve', 'wait: what is at work', () => walk('wait'));

  verifies('graph.seed.powers', 'runs do not block, open again or use force', () => {
    const graph = graphOf({ id: 'a', status: 'open', assigned: 'agent-7', fence: 1 });
    for (const move of [blockTask, reopenTask])
      expect(codeOf(() => move(graph, 'a', { now: NOW, by: agent }))).toBe('not_yours');
    const options = { now: NOW, by: agent, from: 'agent-7', to: 'x', at: NOW };
    expect(codeOf(() => reclaimTask(graph, 'a', options))).toBe('not_yours');
    expect(codeOf(() => rescheduleTask(graph, 'a', options))).toBe('not_yours');
    expect(codeOf(() => failTask(graph, 'a', { ...options, rejected: true }))).toBe('not_yours');
  });
});

describe('reviews', () => {
  const submitted = (more: object = {}) => {
    const play = new Play({ id: 'a', verify: 'read it', ...more });
    play.claim('a');
    play.done('a');
    return play;
  };

  verifies('graph.move.review', 'a rejection clears the holder, counts, keeps the reason; the third fails', () => {
    const play = submitted();
    for (const count of [1, 2]) {
      play.move((view, options) => rejectTask(view, 'a', { ...options, reason: `no ${count}` }), ben);
      expect(play.task('a')).toMatchObject({ status: 'open', rejection_count: count, failure_reason: `no ${count}` });
      expect(play.task('a')).not.toHaveProperty('assigned');
      play.claim('a');
      play.done('a');
    }
    play.move((view, options) => rejectTask(view, 'a', { ...options, reason: 'never' }), ben);
    expect(play.task('a')).toMatchObject({ status: 'failed', rejection_count: 3, failure_reason: 'never' });
    expect(play.task('a').log?.at(-1)?.message).toBe('Rejected (3/3): never');
    const once = submitted({ max_rejections: 1 });
    once.move((view, options) => rejectTask(view, 'a', { ...options, reason: 'no' }), ben);
    expect(once.task('a').status).toBe('failed');
  });

  verifies('graph.move.review', 'a rejection needs a reason', () => {
    const play = submitted();
    expect(codeOf(() => rejectTask(play.state, 'a', { ...by, reason: ' ' }))).toBe('usage');
  });

  verifies('graph.move.review', 'nobody approves their own work, nor the run that had it done', () => {
    const play = submitted({ created_by: 'agent-3' });
    expect(codeOf(() => approveTask(play.state, 'a', { now: NOW, by: ann }))).toBe('own_work');
    const parent = { name: 'agent-3', taskId: 'p', fence: 1 };
    expect(codeOf(() => approveTask(play.state, 'a', { now: NOW, by: parent }))).toBe('own_work');
    const nobodys = graphOf({ id: 'a', status: 'pending-validation', created_by: 'agent-3' });
    expect(refusalOf(() => approveTask(nobodys, 'a', { now: NOW, by: parent })).details).toEqual({
      id: 'a',
      assigned: null,
    });
    expect(codeOf(() => approveTask(play.state, 'a', { now: NOW, by: { ...parent, name: 'agent-9' } }))).toBe(
      'not_yours',
    );
    play.move((view, options) => approveTask(view, 'a', options), ben);
    expect(play.task('a')).toMatchObject({ status: 'done', completed_at: new Date(play.now).toISOString() });
  });

  verifies('graph.move.review', 'done without a claim is somebody’s work too', () => {
    const play = new Play({ id: 'a', verify: 'read it' });
    play.done('a');
    expect(codeOf(() => approveTask(play.state, 'a', { now: NOW, by: ann }))).toBe('own_work');
  });

  test('a run may review when that is its task', () => {
    const play = submitted();
    play.move((view, { now }) => addTask(view, { title: 'look', id: 'evaluate-a', after: ['a'] }, { now }));
    play.move((view, { now }) => ({
      events: [
        { op: 'x', patch: [{ id: 'evaluate-a', set: { status: 'in-progress', assigned: 'agent-5', fence: 2 } }] },
      ],
      result: [view.seq, now],
    }));
    const reviewer = { name: 'agent-5', taskId: 'evaluate-a', fence: 2 };
    expect(codeOf(() => approveTask(play.state, 'a', { now: NOW, by: { ...reviewer, fence: 1 } }))).toBe(
      'stale_attempt',
    );
    expect(codeOf(() => approveTask(play.state, 'a', { now: NOW, by: reviewer }))).toBe('none');
  });

  verifies('graph.move.verify', 'text and command bring the tag of the gate; the text alone asks for a review', () => {
    const play = new Play();
    play.move((view, { now }) => addTask(view, { title: 'a', id: 'a', verify: 'read', tags: ['x'] }, { now }));
    play.move((view, { now }) => addTask(view, { title: 'b', id: 'b' }, { now }));
    play.move((view, options) => editTask(view, 'b', { verify_cmd: 'npm test' }, options));
    expect(play.task('a').tags).toEqual(['x', 'eval-gate']);
    expect(play.task('b')).toMatchObject({ tags: ['eval-gate'], verify_cmd: 'npm test' });
    play.done('b');
    expect(play.task('b').status).toBe('done');
  });
});

describe('again', () => {
  verifies('graph.move.fail-retry', 'a failure counts and says why; a retry clears it, so often and no more', () => {
    const play = new Play({ id: 'a', max_retries: 0 });
    play.claim('a');
    play.fail('a', 'no disk');
    expect(play.task('a')).toMatchObject({ failure_reason: 'no disk', retry_count: 1 });
    expect(codeOf(() => play.move((view, options) => retryTask(view, 'a', options)))).toBe('retries_spent');
    play.move((view, options) => reopenTask(view, 'a', options));
    for (const field of ['failure_reason', 'assigned', 'started_at', 'completed_at'])
      expect(play.task('a')).not.toHaveProperty(field);
  });

  verifies('hold.retries', 'so many attempts may follow the first, and whoever asks is told the same number', () => {
    for (const most of [0, 1, 3]) {
      const play = new Play({ id: 'a', max_retries: most });
      const said = () => whyFacts(play.state, play.task('a'), NOW, NO_COORDINATION)[0]?.text;
      for (let left = most; left > 0; left--) {
        play.fail('a', 'no disk');
        const attempts = `${left} further attempt${left === 1 ? '' : 's'}`;
        expect(said()).toBe(`It failed: no disk; retry with \`troupe retry a\`, ${attempts} left.`);
        play.move((view, options) => retryTask(view, 'a', options));
      }
      play.fail('a', 'no disk');
      const attempts = { 0: 'no further attempt was', 1: 'only 1 further attempt was' }[most];
      const allowed = `${attempts ?? `only ${most} further attempts were`} allowed`;
      expect(said()).toBe(`It failed: no disk; ${allowed}, so a person reopens it with \`troupe reopen a\`.`);
      // Nothing else is named as help: a retry would be refused.
      expect(() => play.move((view, options) => claimTask(view, 'a', options))).toThrow(
        expect.objectContaining({ hint: 'Run `troupe reopen a` to do it again.' }),
      );
      const refused = () => play.move((view, options) => retryTask(view, 'a', options));
      expect(refused).toThrow(`${most + 1} attempt${most === 0 ? '' : 's'} of a failed; ${allowed}.`);
    }
  });

  test('an evaluation may fail what was done', () => {
    const play = new Play({ id: 'a' });
    play.done('a');
    play.move((view, options) => failTask(view, 'a', { ...options, rejected: true, reason: 'score 0.2' }));
    expect(play.task('a')).toMatchObject({ status: 'failed', failure_reason: 'score 0.2' });
  });

  verifies(
    'graph.move.cascade',
    'abandoning takes open meta-tasks along and links what takes its place, both ways',
    () => {
      const play = new Play(
        { id: 'a' },
        { id: 'evaluate-a', after: ['a'] },
        { id: '.verify-flip-a', after: ['a'], status: 'in-progress' },
        { id: 'evaluate-b', after: ['a'] },
        { id: 'n' },
        { id: 'm' },
      );
      play.move((view, options) => abandonTask(view, 'a', { ...options, superseded_by: ['n', 'm'] }));
      expect(play.statuses('a', 'evaluate-a', '.verify-flip-a', 'evaluate-b')).toBe(
        'abandoned, abandoned, in-progress, open',
      );
      expect(play.task('a').superseded_by).toEqual(['n', 'm']);
      expect([play.task('n').supersedes, play.task('m').supersedes]).toEqual(['a', 'a']);
      expect(codeOf(() => abandonTask(play.state, 'n', { ...by, superseded_by: ['ghost'] }))).toBe('unknown_task');
      expect(codeOf(() => abandonTask(play.state, 'n', { ...by, superseded_by: ['n'] }))).toBe('bad_input');
    },
  );
});

describe('claims handed over', () => {
  verifies('claim.release', 'from whom it is said to be; the fence rises', () => {
    const play = new Play({ id: 'a' });
    play.claim('a');
    const over = (from: string) =>
      play.move((view, options) => reclaimTask(view, 'a', { ...options, from, to: 'ben' }));
    expect(codeOf(() => over('bob'))).toBe('wrong_status');
    expect(over('ann').fence).toBe(2);
    expect(play.task('a')).toMatchObject({ assigned: 'ben', fence: 2, status: 'in-progress' });
  });

  test('another moment takes the place of the old one', () => {
    const play = new Play({ id: 'a', delay: '5m', not_before: '2030-01-01T00:00:00Z' });
    play.move((view, options) => rescheduleTask(view, 'a', { ...options, at: NOW + 60_000 }));
    expect(play.task('a').not_before).toBe('2026-03-21T10:01:00.000Z');
    expect(play.task('a')).not.toHaveProperty('delay');
    expect(play.ready()).toEqual([]);
    // A moment that has come is no bound: a leader whose clock is behind would wait for it.
    play.move((view, options) => rescheduleTask(view, 'a', { ...options, at: NOW }));
    expect(play.task('a')).not.toHaveProperty('not_before');
    expect(play.ready()).toEqual(['a']);
  });

  test('a task that pauses because its runs died begins at that moment, as `why` says', () => {
    const deaths = ['2026-03-21T09:58:00Z', '2026-03-21T09:59:00Z'];
    const play = new Play({ id: 'a', ready_after: '2026-03-21T10:01:00Z', deaths } as never);
    expect(play.ready()).toEqual([]);
    play.move((view, options) => rescheduleTask(view, 'a', { ...options, at: NOW }));
    expect(play.ready()).toEqual(['a']);
    expect(play.task('a')).toMatchObject({ deaths });
  });
});

import { describe, expect } from 'vitest';
import { movesTo } from '#core/graph/moves-to.js';
import type { ShownState } from '#core/graph/status-look.js';
import { STATUSES } from '#core/graph/task.js';
import { verifies } from '../../verifies.js';
import { graphOf, NOW } from './graph.js';

const options = { now: NOW, by: { name: 'ann' } };
const told = (graph: ReturnType<typeof graphOf>, state: ShownState, atWork?: string) =>
  Object.fromEntries(
    movesTo(graph, 'a', options, { state, atWork }).map(({ to, move, reason }) => [to, move ?? reason]),
  );

describe('where a task can be moved', () => {
  verifies('web.tasks.moves', 'the move of each pair of states, as the plans of the operations have it', () => {
    const rows = STATUSES.map((status) => {
      const graph = graphOf({ id: 'a', status, ...(status === 'pending-validation' ? { assigned: 'ben' } : {}) });
      const moves = movesTo(graph, 'a', options, { state: status, atWork: undefined });
      return `${status}: ${moves.flatMap(({ to, move }) => (move === undefined ? [] : [`${to} ${move}`])).join(', ')}`;
    });
    expect(rows).toEqual([
      'open: in-progress claim, blocked block, done done, failed fail, abandoned abandon',
      'in-progress: open unclaim, done done, failed fail, abandoned abandon, ready unclaim',
      'waiting: open resume, done done, failed fail, abandoned abandon, ready resume',
      'pending-validation: open reject, done approve, failed fail, abandoned abandon, ready reject',
      'blocked: open reopen, failed fail, abandoned abandon, ready reopen',
      'done: open reopen, ready reopen',
      'failed: open retry, abandoned abandon, ready retry',
      'abandoned: open reopen, ready reopen',
    ]);
  });

  verifies('web.tasks.moves', 'a move that is refused says why, in the words of its operation', () => {
    const graph = graphOf({ id: 'b', status: 'open' }, { id: 'a', status: 'open', after: ['b'] });
    expect(told(graph, 'open')).toMatchObject({
      done: 'a depends on unfinished tasks: b.',
      'in-progress': expect.stringContaining('a is not ready'),
      ready: 'It becomes ready when what it waits for has ended.',
      waiting: 'Only who works on it can say what it waits for.',
      'pending-validation': 'a depends on unfinished tasks: b.',
    });
    const spent = graphOf({ id: 'a', status: 'failed', retry_count: 2, max_retries: 1 });
    expect(told(spent, 'failed')).toMatchObject({ ready: 'reopen', done: 'a cannot be done: it is failed.' });
    const reviewed = graphOf({ id: 'a', status: 'open', verify: 'reads well' });
    expect(told(reviewed, 'ready')).toMatchObject({
      done: 'That would make it “needs review”.',
      'pending-validation': 'done',
      open: 'It waits for nothing. Pause it, or block it.',
    });
    const running = graphOf({ id: 'a', status: 'in-progress', assigned: 'agent-7', fence: 1 });
    expect(new Set(Object.values(told(running, 'in-progress', 'agent-7')))).toEqual(
      new Set(['agent-7 works on it: stop it first.']),
    );
    expect(graph.task('a')?.status).toBe('open');
  });
});

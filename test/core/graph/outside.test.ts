import { expect } from 'vitest';
import { noteOutside, OUTSIDE, type OutsideTraces, outsideText } from '#core/graph/outside.js';
import { taskOf } from '#core/graph/task-of.js';
import { acceptEdit, discardEdit } from '#core/graph/unverified-moves.js';
import { NO_COORDINATION } from '#core/insight/coordination.js';
import { problemsOf } from '#core/insight/problems.js';
import { verifies } from '../../verifies.js';
import { ann, commit, graphOf, NOW } from './graph.js';

const COMMIT = 'abcdef0123456789abcdef0123456789abcdef01';
const TRACES: OutsideTraces = {
  ...{
    from: 'wg/a/1',
    branch: 'main',
    commits: [COMMIT],
    before: COMMIT.replace('a', '1'),
    files: [],
    stashes: [],
    unsettled: [],
    switched: false,
  },
};
const FACTS = { coordination: NO_COORDINATION, live: new Set<string>(), stalled: new Map(), unmerged: [], awaited: [] };

verifies('door.branch', 'what a run left outside is a problem with the way back, until a person keeps it', () => {
  const state = graphOf({ id: 'a', status: 'done' });
  commit(state, noteOutside(state, 'a', TRACES));
  const row = () => problemsOf(state, { ...FACTS, toLand: 0 }, NOW).find(({ task }) => task === 'a');
  expect(row()).toMatchObject({
    kind: 'unverified',
    text: 'The run left its worktree: main has 1 commit of wg/a/1 that nobody landed (abcdef012345); `git reset --keep 1bcdef012345` goes back',
    command: 'troupe accept-edit a',
  });
  expect(() => discardEdit(state, 'a', { now: NOW, by: ann })).toThrow(/does not change your branch.*1bcdef012345/);
  expect(commit(state, acceptEdit(state, 'a', { now: NOW, by: ann }))).toMatchObject({ changed: true });
  expect(row()).toBeUndefined();
});

verifies('door.branch', 'the first look at an attempt counts: merged work cannot be told from what was left', () => {
  const state = graphOf({ id: 'a' });
  commit(state, noteOutside(state, 'a', TRACES));
  expect(noteOutside(state, 'a', { ...TRACES, commits: [], files: ['f'] }).events).toEqual([]);
  commit(
    state,
    noteOutside(state, 'a', { ...TRACES, from: 'wg/a/2', commits: [], files: ['f', 'g'], stashes: ['stash@{1}'] }),
  );
  expect(outsideText(taskOf(state, 'a'))).toBe(
    'The run left its worktree: 2 files of your checkout have its changes: f, g; `git diff` shows them. It stashed stash@{1} in your repository',
  );
  const moved = { ...TRACES, from: 'wg/a/3', commits: [], unsettled: ['f'], switched: true };
  commit(state, noteOutside(state, 'a', moved));
  expect(outsideText(taskOf(state, 'a'))).toBe(
    'The run left its worktree: git refused it a move of your checkout, but may have changed before: f; `git diff HEAD` shows them, `git restore --staged --worktree FILE` goes back. It switched your checkout, now at main; `git switch -` goes back',
  );
  expect(noteOutside(state, 'gone', TRACES).events).toEqual([]);
  const odd = graphOf(
    { id: 'a', outside: { from: 'x', branch: 1 } },
    { id: 'b', outside: { from: 'x', branch: 'y', files: [1] } },
  );
  expect([OUTSIDE.of(odd.task('a')), OUTSIDE.of(odd.task('b'))?.files]).toEqual([undefined, []]);
});

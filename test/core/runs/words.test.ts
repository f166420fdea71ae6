import { expect, test } from 'vitest';
import { conflictReason, leftoverMessage, takeOverMessage } from '#core/runs/commit-messages.js';
import { parseNumstat, parseStatus } from '#core/runs/git-output.js';
import { type LandingFacts, landingObstacle } from '#core/runs/landing.js';
import { nameOfFolder } from '#core/runs/names.js';
import { refusalOf } from '#core/runs/refusal.js';
import { decideRetention, type RetentionFacts } from '#core/runs/retention.js';
import { checkCommitted, listFiles, type TreeState } from '#core/runs/state.js';
import { templateFault } from '#core/settings/branch-template.js';
import { folderFault } from '#core/settings/layout.js';
import { notedProject, treesNote } from '#core/settings/trees-folder.js';
import { TroupeError } from '#kernel/errors.js';

const many = (count: number) => Array.from({ length: count }, (_, index) => `f${index}`);
const long = (most: number) => `${'x'.repeat(most - 1)}…`;
const X = 'x'.repeat(2_000);
const told = (work: () => unknown) => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    const { code, message, hint, details } = error;
    return { code, message, hint, details };
  }
};

test('commits say whose work they take over, in lines of a bounded length', () => {
  expect(takeOverMessage({ task: 'a', attempt: 2 }, 'abc')).toBe(
    'Merge a\n\nTroupe-Task: a\nTroupe-Attempt: 2\nTroupe-Head: abc\n',
  );
  expect(takeOverMessage({ task: ' a\nb ', attempt: 1, title: 'The title' }, 'abc')).toBe(
    'a b: The title\n\nTroupe-Task: a b\nTroupe-Attempt: 1\nTroupe-Head: abc\n',
  );
  expect(takeOverMessage({ task: X, attempt: 1 }, 'abc')).toBe(
    `${`Merge ${X}`.slice(0, 71)}…\n\nTroupe-Task: ${long(200)}\nTroupe-Attempt: 1\nTroupe-Head: abc\n`,
  );
  expect(leftoverMessage({ task: 'a', attempt: 3 })).toBe(
    'Commit what a left uncommitted\n\nAttempt 3 had changed these files when it ended.\n',
  );
  expect(conflictReason(many(20))).toBe(`merge conflict: ${many(20).join(', ')}`);
  expect(conflictReason([...many(20), 'g', 'h'])).toBe(`merge conflict: ${many(20).join(', ')} and 2 more`);
  expect(conflictReason([X])).toBe(`merge conflict: ${long(200)}`);
});

test('what git says of changes, whatever the names look like', () => {
  const of = (...entries: string[]) => parseStatus(entries.join('\0'));
  const [hash, renamed] = ['a'.repeat(40), '2 R. N... 100644 100644 100644 a b R100'];
  expect(of(`# branch.oid ${hash}`, '# branch.head main', `${renamed} new`, '? old', '? own', '')).toEqual({
    ...{ head: hash, branch: 'refs/heads/main', tracked: ['new'], untracked: ['own'], unmerged: [] },
  });
  expect(of('1 .M N... 1 2 3 h i  a b', 'u UU N... 1 2 3 4 h i j c', '! ignored')).toEqual({
    ...{ tracked: [' a b', 'c'], untracked: [], unmerged: ['c'] },
  });
  expect(of('# branch.oid (initial)', '# branch.head (detached)')).toEqual({
    tracked: [],
    untracked: [],
    unmerged: [],
  });
  expect(parseNumstat('1\t2\ta\0-\t-\tpicture\x003\t4\tb\0\0odd\0', 2)).toEqual({
    ...{ total: 3, added: 4, deleted: 6 },
    files: [{ path: 'a', added: 1, deleted: 2 }, { path: 'picture' }],
  });
});

test('a renamed file is one entry with both names, whatever these look like', () => {
  expect(parseNumstat('3\t4\t\0old\x001\t1\tnew\x000\t0\t\0a\0b\x005\t0\tc\0', 9)).toEqual({
    ...{ total: 3, added: 8, deleted: 4 },
    files: [
      { path: '1\t1\tnew', from: 'old', added: 3, deleted: 4 },
      { path: 'b', from: 'a', added: 0, deleted: 0 },
      { path: 'c', added: 5, deleted: 0 },
    ],
  });
  expect(parseNumstat('3\t4\t\0old\0', 9).total).toBe(0);
});

test('why an attempt stays, or what of it may go', () => {
  const tree = { clean: true, dirty: [], dirtyTotal: 0 } as unknown as TreeState;
  const dirty = { ...tree, clean: false, dirty: ['a'], dirtyTotal: 1 };
  const all: RetentionFacts = {
    ...{ inUse: true, foreign: true, readOnly: true, thrownAway: true, submodules: true, squashed: true },
    ...{ ahead: 1, branchStays: true, tree: { ...dirty, unfinished: 'rebase' }, containedIn: 'refs/heads/main' },
  };
  const steps: Partial<RetentionFacts>[] = [
    ...[
      {},
      { inUse: false },
      { foreign: false },
      { readOnly: false },
      { thrownAway: false },
      { tree: dirty },
      { tree },
    ],
    ...[{ submodules: false }, { containedIn: undefined as never }, { squashed: false }, { branchStays: false }],
    ...[{ ahead: 2 }, { tree: undefined as never }, { containedIn: 'refs/heads/main' }],
  ];
  let now = all;
  const texts = steps.map((step) => {
    now = { ...now, ...step };
    const { text, ...decision } = decideRetention(now);
    return `${Object.values(decision).join()}: ${text}`;
  });
  expect(texts).toMatchInlineSnapshot(`
    [
      "in-use: its task is still in progress or needs review",
      "foreign: the folder is not the worktree of this attempt",
      "tree-and-branch: it was read-only",
      "tree-and-branch: it was used for a trial, to be discarded",
      "unfinished: a rebase is in progress in it",
      "uncommitted: 1 file is not committed: a",
      "submodules: submodules were fetched into it; they may hold work",
      "tree-and-branch: its work is in main",
      "tree: its work was squashed; the branch keeps the single commits",
      "tree: its branch keeps the work",
      "unmerged: 1 commit of it is in no other branch",
      "unmerged: 2 commits of it are in no other branch",
      "unmerged: 2 commits of it are in no other branch",
      "tree-and-branch: its work is in main",
    ]
  `);
});

test('refusals name so much, and no more', () => {
  const state = { ahead: 1, clean: false, dirty: many(4), dirtyTotal: 9 };
  expect(told(() => checkCommitted(X, state))).toEqual({
    code: 'dirty_tree',
    message: `${long(120)} requires a commit, and 9 files are not committed: f0, f1, f2 and 6 more.`,
    hint: `Commit or revert it, then run \`troupe done ${long(120)}\` again.`,
    details: { id: X.slice(0, 120), ahead: 1, dirty: many(4) },
  });
  expect(listFiles([X, 'a', 'b'])).toBe(`${long(80)}, a, b`);
  const landing: LandingFacts = { relation: 'ahead', branch: 'main', dirty: [], filtered: [] } as never;
  const obstacle = (more: object) =>
    told(() => {
      throw landingObstacle({ ...landing, ...more });
    });
  expect(obstacle({ relation: 'diverged', branch: `refs/heads/${X}` })).toMatchObject({
    message: expect.stringMatching(/^.{119}… has commits/),
  });
  expect(obstacle({ dirty: many(101) })).toMatchObject({ details: { dirty: many(100) } });
  expect(obstacle({ dirty: many(1) })).toMatchObject({ message: '1 file of yours is not committed: f0.' });
  expect(obstacle({ filtered: many(101) })).toMatchObject({ details: { files: many(100) } });
  expect(refusalOf('push', 'fatal: odd')).toMatchObject({ code: 'git_failed', why: 'fatal: odd' });
  const remedy = (message: string) => {
    const { code, hint, why } = refusalOf('push', message);
    return [code, hint, why === message];
  };
  const fsck = 'Run `git fsck`: objects of the repository are missing or damaged.';
  expect(
    [
      `fatal: Unable to create '/p/${X}.lock': File exists.`,
      "fatal: Unable to create '/p/.git/index.lock': File exists.",
      'error: file write error: No space left on device',
      'DISK QUOTA EXCEEDED',
      "error: 'refs/heads/wg' exists; cannot create 'refs/heads/wg/a/1'",
      'error: could not write: Permission denied',
      'fatal: Unable to read x: permission denied',
      'Read-only file system',
      'error: bad object abc',
      'fatal: missing blob object',
      `error: unable to read ${'a'.repeat(40)}`,
      'error: object file .git/objects/ab/cd is empty',
    ].map(remedy),
  ).toEqual([
    ['git_failed', `If no git is running there, remove /p/${long(297)}.`, true],
    ['git_failed', 'If no git is running there, remove /p/.git/index.lock.', true],
    ['disk_full', 'Free some space, then run the command again.', true],
    ['disk_full', 'Free some space, then run the command again.', true],
    ['branch_in_use', 'Rename that branch: `git branch -m wg OTHER-NAME`.', true],
    ...Array(3).fill(['read_only', 'Check the permissions of the folder `.git`.', true]),
    ...Array(4).fill(['git_failed', fsck, true]),
  ]);
});

test('names of the longest kind, and those that are none', () => {
  const template = (folder: number) => `${'x'.repeat(folder)}/{task}/{attempt}`;
  const rest = template(0).length;
  expect([templateFault(template(100 - rest)), templateFault(template(101 - rest))]).toEqual([
    ...[undefined, 'must have at most 100 characters'],
  ]);
  expect(templateFault('agents')).toBe('must hold {task} once, or names would not be unique');
  expect([folderFault('x'.repeat(1_000)), folderFault('x'.repeat(1_001))]).toEqual([
    ...[undefined, 'must be the path of a folder'],
  ]);
  const names = ['build-2', 'build-12', 'a-1-3', 'build', '-2'].map(nameOfFolder);
  expect(names.map((name) => name && [name.slug, name.attempt])).toEqual([
    ...[['build', 2], ['build', 12], ['a-1', 3], undefined, undefined],
  ]);
});

test('a folder of worktrees tells which project it is for', () => {
  const note = treesNote('/p/shop', '/p/shop/.workgraph/worktrees', true);
  expect(note).toBe('# Worktrees of Troupe for ../..\n*\n');
  expect(notedProject(note, '/q/shop/.workgraph/worktrees')).toBe('/q/shop');
  const outside = treesNote('/p/shop', '/trees', false);
  expect([outside, notedProject(outside, '/trees')]).toEqual(['# Worktrees of Troupe for /p/shop\n*\n', '/p/shop']);
  expect(notedProject('*\n', '/trees')).toBeUndefined();
});

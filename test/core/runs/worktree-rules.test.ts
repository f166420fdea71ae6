import fc from 'fast-check';
import { expect, test } from 'vitest';
import { branchOf, nameOfBranch } from '#core/runs/branches.js';
import { conflictReason, takeOverMessage } from '#core/runs/commit-messages.js';
import { parseNumstat, parseStatus } from '#core/runs/git-output.js';
import { workplace } from '#core/runs/isolation.js';
import { landingObstacle, shownObstacle } from '#core/runs/landing.js';
import {
  attemptName,
  attemptOfBranch,
  isPlainSlug,
  nameOfFolder,
  removedRef,
  shortRef,
  taskSlug,
} from '#core/runs/names.js';
import { decideRetention, type RetentionFacts } from '#core/runs/retention.js';
import { checkCommitted, describeDirty, UNFINISHED } from '#core/runs/state.js';
import { BRANCH_TEMPLATE, templateFault } from '#core/settings/branch-template.js';
import { folderFault, leadsOutside } from '#core/settings/layout.js';
import { TREES_FOLDER } from '#core/settings/trees-folder.js';
import { anyText } from '../../any-text.js';
import { verifies } from '../../verifies.js';

const coded = (code: string) => expect.objectContaining({ code });

verifies(
  'tree.when',
  'auto: full runs in a repository with a commit; on: everybody, or nobody starts; off: nobody',
  () => {
    const modes = ['full', 'light', 'bare', 'shell'] as const;
    const kinds = ['none', 'bare', 'empty', 'work-tree'] as const;
    for (const mode of modes) {
      for (const repository of kinds) {
        const at = (isolation: 'auto' | 'on' | 'off') => workplace({ isolation, repository, mode, follows: false });
        expect(at('off')).toEqual({ place: 'project' });
        expect(at('auto')).toEqual({ place: mode === 'full' && repository === 'work-tree' ? 'worktree' : 'project' });
        const demanded = repository === 'work-tree' ? 'worktree' : 'nowhere';
        expect(at('on').place).toBe(mode === 'shell' ? 'project' : demanded);
      }
    }
    const on = (repository: (typeof kinds)[number]) =>
      workplace({ isolation: 'on', repository, mode: 'light', follows: true });
    expect(kinds.map(on)).toEqual([
      { place: 'nowhere', code: 'not_a_repository' },
      { place: 'nowhere', code: 'bare_repository' },
      { place: 'nowhere', code: 'empty_repository' },
      { place: 'worktree' },
    ]);
    const follows = (isolation: 'auto' | 'on' | 'off', repository: (typeof kinds)[number]) =>
      workplace({ isolation, repository, mode: 'shell', follows: true }).place;
    expect(kinds.map((kind) => follows('auto', kind))).toEqual(['project', 'project', 'project', 'worktree']);
    expect([follows('on', 'work-tree'), follows('on', 'none'), follows('off', 'work-tree')]).toEqual([
      'worktree',
      'project',
      'project',
    ]);
  },
);

verifies('done.commit', 'a commit first, then a clean tree', () => {
  const clean = { ahead: 1, clean: true, dirty: [], dirtyTotal: 0 };
  expect(() => checkCommitted('t', clean)).not.toThrow();
  expect(() => checkCommitted('t', { ...clean, ahead: 0 })).toThrow(coded('no_commit'));
  const dirty = { ...clean, clean: false, dirty: ['a', 'b\u001b[31m', 'c', 'd'], dirtyTotal: 7 };
  expect(() => checkCommitted('t', dirty)).toThrow(coded('dirty_tree'));
  expect(() => checkCommitted('t', dirty)).toThrow('7 files are not committed: a, b\\u{1b}[31m, c and 4 more');
  expect(() => checkCommitted('t', { ...dirty, ahead: 0 })).toThrow(coded('no_commit'));
});

verifies('graph.task.id-form', 'ids of any form stand in paths and branches as a safe slug, each its own', () => {
  expect(['build', 'a.b_c-1', 't2'].map(taskSlug)).toEqual(['build', 'a.b_c-1', 't2']);
  for (const id of [
    'Build',
    '-x',
    '../x',
    'a.lock',
    'a..b',
    'a.',
    '.x',
    'integration',
    'con',
    'nul.txt',
    'a b',
    'ü',
    '',
    'x'.repeat(101),
  ])
    expect(taskSlug(id), id).toMatch(/^[a-z0-9][a-z0-9-]{0,39}\+[0-9a-f]{12}$/);
  expect(taskSlug('Foo')).not.toBe(taskSlug('FOO'));
  expect(attemptName('a-1', 2)).toMatchObject({ folder: 'a-1-2' });
  expect(branchOf(attemptName('a-1', 2), BRANCH_TEMPLATE)).toBe('refs/heads/wg/a-1/2');
});

/** Any of these may have been in force before another. */
const TEMPLATES = [
  BRANCH_TEMPLATE,
  'agents/{task}/{attempt}',
  'agents/{task}/try-{attempt}',
  'agents/x/{task}/{attempt}',
];

verifies('tree.setup', 'a template of branches is refused with the reason where names would collide or be none', () => {
  for (const template of TEMPLATES) expect(templateFault(template), template).toBeUndefined();
  for (const [template, reason] of [
    ['agents/{task}', 'must hold {attempt} once'],
    ['agents/{attempt}', 'must hold {task} once'],
    ['agents/{task}/{task}/{attempt}', 'must hold {task} once'],
    ['agents/{task}/{attempt}/{user}', 'nothing else in braces'],
    ['agents/{task', 'nothing else in braces'],
    ['agents/{task}-{attempt}', 'a folder of their own'],
    ['agents/{attempt}/{task}', 'a folder of their own'],
    ['agents/{task}/2{attempt}', 'a folder of their own'],
    ['agents/x-{task}/{attempt}', 'a folder of their own'],
    ['{task}/{attempt}', 'must begin with a folder'],
    ['wg/integration/{task}/{attempt}', 'cannot begin with wg/'],
    ['wg/{task}/a{attempt}', 'cannot begin with wg/'],
    ['WG/{task}/{attempt}', 'that git allows'],
    ['/{task}/{attempt}', 'that git allows'],
    ['a//{task}/{attempt}', 'that git allows'],
    ['a.lock/{task}/{attempt}', 'that git allows'],
    ['../{task}/{attempt}', 'that git allows'],
    ['-x/{task}/{attempt}', 'that git allows'],
    ['a b/{task}/{attempt}', 'that git allows'],
    ['agents/{task}/a..{attempt}', 'that git allows'],
    [`${'a'.repeat(100)}/{task}/{attempt}`, 'at most'],
  ] as const)
    expect(templateFault(template), template).toContain(reason);
});

verifies('tree.setup', 'a folder for worktrees is refused with the reason where nothing else belongs', () => {
  for (const folder of [TREES_FOLDER, '.trees', 'build/trees/', '../shop-trees', '/srv/trees', '~/trees'])
    expect(folderFault(folder), folder).toBeUndefined();
  for (const [folder, reason] of [
    ['', 'must be the path'],
    ['a\nb', 'must be the path'],
    ['x'.repeat(1_001), 'must be the path'],
    ['.git', 'cannot be in .git'],
    ['a/.GIT/trees', 'cannot be in .GIT'],
    ['/srv/shop/.git/trees', 'cannot be in .git'],
    ['.workgraph', 'cannot be in .workgraph'],
    ['.workgraph/agents', 'cannot be in .workgraph'],
    ['a/../.workgraph/agents', 'cannot be in .workgraph'],
    ['.workgraph/worktrees/more', 'cannot be in .workgraph'],
    ['.claude/roles', 'cannot be in .claude'],
    ['.', 'a folder of its own'],
    ['a/..', 'a folder of its own'],
    ['..', 'a folder of its own'],
    ['../..', 'a folder of its own'],
    ['/', 'a folder of its own'],
    ['~', 'a home folder'],
    ['~/', 'a home folder'],
    ['~ann/trees', 'a home folder'],
  ] as const)
    expect(folderFault(folder), folder).toContain(reason);
  const outside = ['../x', 'a/../../x', '/srv/trees', '~/trees'];
  expect([...outside, '.trees', 'a/../b', TREES_FOLDER].filter(leadsOutside)).toEqual(outside);
});

test('slugs are safe, and an attempt is found again by its folder and by its branch', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 120 }), fc.integer({ min: 1, max: 999_999_999 }), (task, attempt) => {
      const name = attemptName(task, attempt);
      expect(name.folder).toMatch(/^[a-z0-9][a-z0-9._+-]*-\d+$/);
      expect(name.folder).not.toMatch(/\.\.|\.lock$/);
      expect(nameOfFolder(name.folder)).toEqual(name);
      for (const template of TEMPLATES) {
        const branch = branchOf(name, template);
        expect(nameOfBranch(branch, TEMPLATES)).toEqual(name);
        expect(attemptOfBranch(branch.slice('refs/heads/'.length))).toBe(attempt);
      }
    }),
  );
  for (const other of ['integration', '.bench-x', 'Foo-1', 'build', 'build-0', 'a..b-1', '.gitignore', 'integration-1'])
    expect(nameOfFolder(other), other).toBeUndefined();
  for (const other of [
    'refs/heads/main',
    'refs/heads/wg/integration',
    'refs/heads/wg/a/b/1',
    'refs/heads/wg/A/1',
    'refs/tags/wg/a/1',
  ])
    expect(nameOfBranch(other, [BRANCH_TEMPLATE]), other).toBeUndefined();
});

test('what git says of a tree is read whatever files are called', () => {
  const head = 'a'.repeat(40);
  const text = [
    ...[`# branch.oid ${head}`, '# branch.head wg/t/1'],
    ...[
      `1 .M N... 100644 100644 100644 ${head} ${head} a b\nc`,
      `u UU N... 100644 100644 100644 100644 ${head} ${head} ${head} -x`,
    ],
    ...[`2 R. N... 100644 100644 100644 ${head} ${head} R100 to`, 'from', '? ? new', '! ignored', ''],
  ].join('\0');
  expect(parseStatus(text)).toEqual({
    head,
    branch: 'refs/heads/wg/t/1',
    tracked: ['a b\nc', '-x', 'to'],
    untracked: ['? new'],
    unmerged: ['-x'],
  });
  expect(parseStatus('# branch.oid (initial)\0# branch.head (detached)\0')).toEqual({
    tracked: [],
    untracked: [],
    unmerged: [],
  });
  const odd = '1\t2\ttab\tand\nline\0-\t-\tbinary\0' + '5\t0\tlast\0';
  expect(parseNumstat(odd, 2)).toEqual({
    files: [{ path: 'tab\tand\nline', added: 1, deleted: 2 }, { path: 'binary' }],
    total: 3,
    added: 6,
    deleted: 2,
  });
});

test('only what is clean and in a branch that stays may go; force of reasons is in this order', () => {
  const tree = { path: '/p', head: 'h', base: 'b', ahead: 1, clean: true, dirty: [], dirtyTotal: 0, unmerged: [] };
  const facts: RetentionFacts = {
    inUse: false,
    tree,
    foreign: false,
    submodules: false,
    readOnly: false,
    thrownAway: false,
    squashed: false,
    ahead: 2,
    branchStays: false,
  };
  const judged = (more: Partial<RetentionFacts>) => {
    const verdict = decideRetention({ ...facts, ...more });
    return 'keep' in verdict ? verdict.keep : verdict.remove;
  };
  expect(judged({})).toBe('unmerged');
  const contained = { containedIn: 'refs/heads/wg/integration' };
  expect(judged(contained)).toBe('tree-and-branch');
  expect(judged({ squashed: true })).toBe('tree');
  expect(judged({ branchStays: true })).toBe('tree');
  expect(judged({ ...contained, submodules: true })).toBe('submodules');
  expect(judged({ ...contained, tree: { ...tree, clean: false, dirty: ['x'], dirtyTotal: 1 } })).toBe('uncommitted');
  expect(judged({ ...contained, tree: { ...tree, clean: false, unfinished: 'rebase' } })).toBe('unfinished');
  expect(judged({ ...contained, foreign: true })).toBe('foreign');
  expect(judged({ ...contained, inUse: true })).toBe('in-use');
});

test('a landing is held up by what would be lost or mixed up, and says what to do', () => {
  const facts = { branch: 'main', relation: 'ahead', dirty: [], filtered: [] } as const;
  expect(landingObstacle(facts)).toBeUndefined();
  expect(landingObstacle({ ...facts, relation: 'same', dirty: ['x'] })).toBeUndefined();
  expect(landingObstacle({ relation: 'ahead', dirty: [], filtered: [] })?.code).toBe('detached_head');
  expect(landingObstacle({ relation: 'ahead', dirty: [], filtered: [], unfinished: 'rebase' })?.hint).toContain(
    'git rebase --abort',
  );
  expect(landingObstacle({ ...facts, relation: 'diverged' })?.hint).toContain('git merge wg/integration');
  expect(landingObstacle({ ...facts, dirty: ['a\nb'] })?.message).toBe('1 file of yours is not committed: a b.');
  expect(landingObstacle({ ...facts, unfinished: 'merge' })?.hint).toContain('git merge --abort');
  expect(landingObstacle({ ...facts, filtered: ['big.bin'] })?.code).toBe('needs_filter');
  // The command to copy is the one that the hint names; where it names none, there is none.
  const command = (more: object) => {
    const obstacle = landingObstacle({ ...facts, ...more });
    return obstacle && shownObstacle(obstacle).command;
  };
  expect(command({ relation: 'diverged' })).toBe('git merge wg/integration');
  expect(command({ filtered: ['big.bin'] })).toBe('git merge --ff-only wg/integration');
  expect(command({ dirty: ['a.ts'] })).toBeNull();
});

test('messages and reasons are one line each, whatever they are about', () => {
  const message = takeOverMessage({ task: 't\nTroupe-Head: fake', attempt: 1, title: 'x'.repeat(200) }, 'h');
  expect(message.split('\n').filter((line) => line.startsWith('Troupe-Head:'))).toEqual(['Troupe-Head: h']);
  expect((message.split('\n')[0] ?? '').length).toBeLessThanOrEqual(72);
  expect(conflictReason(['f.txt'])).toBe('merge conflict: f.txt');
  expect(conflictReason(Array.from({ length: 30 }, (_, file) => `${file}`))).toMatch(
    /^merge conflict: 0, 1, .*, 19 and 10 more$/,
  );
});

test('what attempts are called in paths and refs', () => {
  const name = attemptName('build', 2);
  expect(name).toEqual({ slug: 'build', attempt: 2, folder: 'build-2' });
  expect([removedRef(name, 1), removedRef(name, 2)]).toEqual(['refs/wg/removed/build/2', 'refs/wg/removed/build/2-2']);
  expect([shortRef('refs/heads/wg/build/2'), shortRef('refs/wg/x')]).toEqual(['wg/build/2', 'refs/wg/x']);
  for (const attempt of [0, 1.5, 1_000_000_000, Number.NaN])
    expect(() => attemptName('build', attempt)).toThrow('Not the number of an attempt');
  expect(attemptName('build', 999_999_999).attempt).toBe(999_999_999);
  for (const plain of ['a', '0.1_b-c', 'x'.repeat(100)]) expect(taskSlug(plain)).toBe(plain);
  for (const odd of ['A', '.a', '-a', 'a..b', 'a.', 'a.lock', 'integration', 'con', 'nul.txt', 'com1', 'x'.repeat(101)])
    expect(taskSlug(odd), odd).toMatch(/^[a-z0-9-]{1,40}\+[0-9a-f]{12}$/);
  expect(taskSlug('Ä Ö!')).toMatch(/^task\+/);
  expect(taskSlug(`${'Ab '.repeat(30)}`)).toMatch(/^(ab-){13}a\+/);
  expect(taskSlug('integrations')).toBe('integrations');
  expect([isPlainSlug('a'), isPlainSlug(taskSlug('A'))]).toEqual([true, false]);
  expect(nameOfFolder('build-2')).toEqual(name);
  expect(nameOfFolder(`${taskSlug('A')}-1`)?.slug).toBe(taskSlug('A'));
  for (const odd of [
    'build',
    'build-0',
    'build-02',
    'Build-1',
    '-1',
    'a+b-1',
    'integration-1',
    `${'x'.repeat(41)}+${'0'.repeat(12)}-1`,
  ])
    expect(nameOfFolder(odd), odd).toBeUndefined();
  expect([attemptOfBranch('wg/build/2'), attemptOfBranch('team/build/try-2'), attemptOfBranch('build')]).toEqual([
    2,
    2,
    undefined,
  ]);
  expect(attemptOfBranch('wg/Build/2')).toBeUndefined();
});

test('what git can be in the middle of, and how a tree with changes is told', () => {
  expect(UNFINISHED).toEqual(['merge', 'rebase', 'cherry-pick', 'revert']);
  const told = (dirtyTotal: number, ...dirty: string[]) => describeDirty({ dirty, dirtyTotal });
  expect([
    told(0),
    told(1, 'a'),
    told(0, 'a'),
    told(3, 'a', 'b', 'c'),
    told(4, 'a', 'b', 'c', 'd'),
    told(9, 'a'),
  ]).toEqual([
    'a git operation is in progress in it',
    '1 file is not committed: a',
    '1 file is not committed: a',
    '3 files are not committed: a, b, c',
    '4 files are not committed: a, b, c and 1 more',
    '9 files are not committed: a and 8 more',
  ]);
});

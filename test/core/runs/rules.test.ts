import { describe, expect, test } from 'vitest';
import { bubblewrapWords } from '#core/runs/bubblewrap.js';
import { effective, type RunPlaces, sandboxRules } from '#core/runs/rules.js';
import { seatbeltProfile } from '#core/runs/seatbelt.js';
import { verifies } from '../../verifies.js';

const PLACES: RunPlaces = {
  home: '/home/ann',
  temporary: ['/tmp'],
  caches: ['/home/ann/.cache', '/home/ann/.claude'],
  settings: ['/home/ann/.claude/settings.json'],
  secret: ['/home/ann/.config/troupe'],
  opened: ['/srv/site'],
  project: '/home/ann/shop',
  checkout: '/home/ann/shop',
  tree: undefined,
  git: { common: '/home/ann/shop/.git', worktree: undefined },
  review: undefined,
  runFolder: '/home/ann/shop/.workgraph/agents/agent-1',
  service: ['/home/ann/shop/.workgraph/service'],
  door: '/home/ann/shop/.workgraph/agents/agent-1/service',
};
const TREE = '/home/ann/shop/.workgraph/worktrees/build-1';
const IN_TREE: RunPlaces = {
  ...PLACES,
  tree: TREE,
  git: {
    common: '/home/ann/shop/.git',
    worktree: { folder: '/home/ann/shop/.git/worktrees/build-1', branch: 'wg/build/1' },
  },
};

/** What holds of a path: the deepest rule above it, by the order in which rules are applied. */
function accessOf(places: RunPlaces, path: string): string {
  const { rules } = sandboxRules(places);
  const around = rules.filter(
    (rule) => path === rule.path || path.startsWith(rule.path === '/' ? '/' : `${rule.path}/`),
  );
  return around.at(-1)?.access ?? 'read';
}

describe('what a run may write to', () => {
  const shut = [
    ...['/home/ann/.bashrc', '/home/ann/.ssh/config', '/home/ann/.claude/settings.json', '/etc/passwd'],
    ...['/home/ann/shop/.workgraph/graph.jsonl', '/home/ann/shop/.workgraph/operations.jsonl'],
    ...['/home/ann/shop/.squad/team.md', '/home/ann/shop/.claude/roles/crew.md', '/home/ann/shop/.teaparty/x.yaml'],
    ...['/home/ann/shop/.workgraph/agents/agent-1/run.jsonl', '/home/ann/shop/.workgraph/agents/agent-2/x'],
    ...['/home/ann/shop/.git/hooks/pre-commit', '/home/ann/shop/.git/config', '/home/ann/shop/.git/info/attributes'],
  ];
  const open = ['/tmp/x', '/home/ann/.cache/x', '/home/ann/.claude/projects/x', '/srv/site/index.html'];

  test.each(shut)('%s is shut, in a worktree and in the project', (path) => {
    expect([accessOf(PLACES, path), accessOf(IN_TREE, path)]).toEqual(['read', 'read']);
  });

  test.each(open)('%s is open, in a worktree and in the project', (path) => {
    expect([accessOf(PLACES, path), accessOf(IN_TREE, path)]).toEqual(['write', 'write']);
  });

  verifies(
    'door.sandbox',
    'the folder of a review is open to its own steps, and what it set out to do to nobody',
    () => {
      const reports = '/home/ann/shop/.workgraph/reports';
      const step = { ...PLACES, review: `${reports}/review` };
      const files = ['review/evidence/big.json', 'review/report.html', 'review/plan.json', 'review-2/report.html'];
      const accesses = (places: RunPlaces) => files.map((file) => accessOf(places, `${reports}/${file}`));
      expect(accesses(step)).toEqual(['write', 'write', 'read', 'read']);
      expect(accesses(PLACES)).toEqual(['read', 'read', 'read', 'read']);
    },
  );

  verifies(
    'door.sandbox',
    'the checkout is open to a run in the project alone, a worktree with its branch to its own run',
    () => {
      const rows = [
        ['/home/ann/shop/src/a.ts', 'write', 'read'],
        ['/home/ann/shop/.git/index', 'write', 'read'],
        ['/home/ann/shop/.git/refs/heads/main', 'write', 'read'],
        ['/home/ann/shop/.git/refs/stash', 'write', 'read'],
        ['/home/ann/shop/.git/objects/ab/cd', 'write', 'write'],
        ['/home/ann/shop/.git/objects/info/alternates', 'write', 'read'],
        ['/home/ann/shop/.git/refs/heads/wg/build/1', 'write', 'write'],
        ['/home/ann/shop/.git/logs/refs/heads/wg/build/1', 'write', 'write'],
        ['/home/ann/shop/.git/refs/heads/wg/other/1', 'write', 'read'],
        ['/home/ann/shop/.git/worktrees/build-1/index', 'write', 'write'],
        ['/home/ann/shop/.git/worktrees/build-1/commondir', 'write', 'read'],
        ['/home/ann/shop/.git/worktrees/other-1/index', 'write', 'read'],
        [`${TREE}/src/a.ts`, 'read', 'write'],
        [`${TREE}/.git`, 'read', 'read'],
        ['/home/ann/.config/troupe/trust.json', 'hidden', 'hidden'],
        ['/home/ann/shop/.workgraph/agents/agent-1/notes.md', 'write', 'write'],
      ] as const;
      expect(rows.map(([path]) => [path, accessOf(PLACES, path), accessOf(IN_TREE, path)])).toEqual(rows);
    },
  );

  test('a home that is the project, and a home that is the root, keep what is special shut', () => {
    const atHome = { ...PLACES, project: '/home/ann', checkout: '/home/ann', git: undefined };
    expect(accessOf(atHome, '/home/ann/notes.md')).toBe('write');
    expect(accessOf(atHome, '/home/ann/.workgraph/graph.jsonl')).toBe('read');
    expect(accessOf({ ...PLACES, home: '/' }, '/home/ann/shop/a.ts')).toBe('write');
    expect(accessOf({ ...PLACES, home: '/' }, '/etc/passwd')).toBe('read');
  });
});

test('all rules of a run in a project below the top of its repository, and in a worktree of it', () => {
  const told = (places: RunPlaces) =>
    sandboxRules(places)
      .rules.map(({ path, access }) => `${access} ${path}`)
      .sort();
  const checkout = '/home/ann/shop';
  const [project, runFolder] = [`${checkout}/web`, `${checkout}/web/.workgraph/agents/agent-1`];
  expect(told({ ...PLACES, project, runFolder })).toMatchInlineSnapshot(`
    [
      "hidden /home/ann/.config/troupe",
      "read /home/ann",
      "read /home/ann/.claude/settings.json",
      "read /home/ann/shop/.claude/roles",
      "read /home/ann/shop/.git/config",
      "read /home/ann/shop/.git/config.worktree",
      "read /home/ann/shop/.git/hooks",
      "read /home/ann/shop/.git/info",
      "read /home/ann/shop/web/.claude/roles",
      "read /home/ann/shop/web/.squad",
      "read /home/ann/shop/web/.teaparty",
      "read /home/ann/shop/web/.workgraph",
      "read /home/ann/shop/web/.workgraph/agents/agent-1/heartbeat.json",
      "read /home/ann/shop/web/.workgraph/agents/agent-1/limit.json",
      "read /home/ann/shop/web/.workgraph/agents/agent-1/output.log",
      "read /home/ann/shop/web/.workgraph/agents/agent-1/plan.json",
      "read /home/ann/shop/web/.workgraph/agents/agent-1/prompt.txt",
      "read /home/ann/shop/web/.workgraph/agents/agent-1/result.json",
      "read /home/ann/shop/web/.workgraph/agents/agent-1/run.json",
      "read /home/ann/shop/web/.workgraph/agents/agent-1/run.jsonl",
      "read /home/ann/shop/web/.workgraph/agents/agent-1/run.sh",
      "read /home/ann/shop/web/.workgraph/agents/agent-1/sandbox.json",
      "read /home/ann/shop/web/.workgraph/agents/agent-1/service",
      "read /home/ann/shop/web/.workgraph/agents/agent-1/stream.jsonl",
      "write /home/ann/.cache",
      "write /home/ann/.claude",
      "write /home/ann/shop",
      "write /home/ann/shop/.git",
      "write /home/ann/shop/web",
      "write /home/ann/shop/web/.workgraph/agents/agent-1",
      "write /srv/site",
      "write /tmp",
    ]
  `);
  const inTree = told({ ...IN_TREE, project, runFolder, secret: [], temporary: [], caches: [], opened: [] });
  expect(inTree.filter((rule) => !rule.includes('/agent-1/'))).toMatchInlineSnapshot(`
    [
      "read /home/ann",
      "read /home/ann/.claude/settings.json",
      "read /home/ann/shop",
      "read /home/ann/shop/.claude/roles",
      "read /home/ann/shop/.git",
      "read /home/ann/shop/.git/config",
      "read /home/ann/shop/.git/config.worktree",
      "read /home/ann/shop/.git/hooks",
      "read /home/ann/shop/.git/info",
      "read /home/ann/shop/.git/objects/info",
      "read /home/ann/shop/.git/worktrees/build-1/commondir",
      "read /home/ann/shop/.git/worktrees/build-1/config.worktree",
      "read /home/ann/shop/.git/worktrees/build-1/gitdir",
      "read /home/ann/shop/.workgraph/worktrees/build-1/.git",
      "read /home/ann/shop/web",
      "read /home/ann/shop/web/.claude/roles",
      "read /home/ann/shop/web/.squad",
      "read /home/ann/shop/web/.teaparty",
      "read /home/ann/shop/web/.workgraph",
      "write /home/ann/shop/.git/lfs",
      "write /home/ann/shop/.git/logs/refs/heads/wg/build",
      "write /home/ann/shop/.git/objects",
      "write /home/ann/shop/.git/refs/heads/wg/build",
      "write /home/ann/shop/.git/reftable",
      "write /home/ann/shop/.git/worktrees/build-1",
      "write /home/ann/shop/.workgraph/worktrees/build-1",
      "write /home/ann/shop/web/.workgraph/agents/agent-1",
    ]
  `);
});

test('the folders of the service are replaced by that of the run, and general rules come first', () => {
  const { rules, replacements } = sandboxRules({ ...PLACES, service: ['/run/a', '/run/b'] });
  expect(replacements).toEqual([
    { path: '/run/a', by: PLACES.door },
    { path: '/run/b', by: PLACES.door },
  ]);
  const lengths = rules.map(({ path }) => path.length);
  expect(lengths).toEqual([...lengths].sort((left, right) => left - right));
  expect(new Set(rules.map(({ path }) => path)).size).toBe(rules.length);
  expect(sandboxRules({ ...PLACES, service: [] }).replacements).toEqual([]);
});

test('rules that repeat what stands above them are left out; a path within the same access is not', () => {
  const rule = (path: string, access: 'read' | 'write' | 'hidden') => ({ path, access });
  const rules = [
    rule('/', 'read'),
    rule('/tmp', 'write'),
    rule('/home', 'read'),
    rule('/tmp/home', 'read'),
    rule('/tmp/home/.cache', 'write'),
    rule('/tmp/home/.cache/deep', 'write'),
    rule('/run/user/7', 'hidden'),
    rule('/run/user/7/project', 'write'),
  ];
  expect(effective(rules).map(({ path }) => path)).toEqual([
    '/tmp',
    '/tmp/home',
    '/tmp/home/.cache',
    '/run/user/7',
    '/run/user/7/project',
  ]);
  expect(effective([rule('/', 'write'), rule('/tmp', 'write')]), 'everything is open').toEqual([rule('/', 'write')]);
});

describe('the words of bubblewrap', () => {
  const rules = {
    rules: [
      { path: '/tmp', access: 'write' as const },
      { path: '/tmp/home', access: 'read' as const },
      { path: '/run/user/7', access: 'hidden' as const },
    ],
    replacements: [{ path: '/tmp/p/service', by: '/tmp/p/agents/agent-1/service' }],
  };

  test('everything may be read, places are opened in order, and signals reach the program and not its watcher', () => {
    expect(bubblewrapWords(rules, { root: false })).toEqual([
      ...[
        'env',
        '--ignore-signal=TERM,INT,HUP',
        'bash',
        '--norc',
        '-p',
        '-c',
        expect.stringMatching(/start < 3;.*exec bwrap /s),
      ],
      ...['bubblewrap', '1', '/tmp/p/service', '--unshare-user', '--ro-bind', '/', '/'],
      ...['--dev-bind', '/dev', '/dev', '--bind', '/proc', '/proc'],
      ...['--bind-try', '/tmp', '/tmp', '--ro-bind-try', '/tmp/home', '/tmp/home', '--tmpfs', '/run/user/7'],
      ...['--tmpfs', '/tmp/p/service', '--bind-try', '/tmp/p/agents/agent-1/service', '/tmp/p/service'],
      ...['--remount-ro', '/run/user/7', '--', 'env', '--default-signal=TERM,INT,HUP'],
    ]);
  });

  test('root gets no devices and no settings of the kernel', () => {
    const words = bubblewrapWords(rules, { root: true }).join(' ');
    expect(words).toContain('--dev /dev --bind /proc /proc --ro-bind /proc/sys /proc/sys');
    expect(words).not.toContain('--dev-bind');
  });
});

verifies('door.sandbox', 'the profile of Seatbelt opens and shuts the same places, and quotes their names', () => {
  const rules = [
    { path: '/private/tmp', access: 'write' as const },
    { path: '/private/tmp/a "b\\', access: 'read' as const },
    { path: '/Users/ann/.config/troupe', access: 'hidden' as const },
  ];
  const replacements = [{ path: '/Users/ann/p/.workgraph/service', by: '/nowhere' }];
  expect(seatbeltProfile({ rules, replacements }).split('\n')).toEqual([
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    '(allow file-write* (subpath "/dev"))',
    '(allow file-write* (subpath "/private/tmp"))',
    '(deny file-write* (subpath "/private/tmp/a \\"b\\\\"))',
    '(deny file-read* file-write* (subpath "/Users/ann/.config/troupe"))',
    '(deny file-read-data (subpath "/Users/ann/p/.workgraph/service"))',
    '(allow file-read-data (literal "/Users/ann/p/.workgraph/service/daemon.sock"))',
    '',
  ]);
});

import { expect } from 'vitest';
import { gitEnvironment, gitWords, notStarted, runGit } from '#adapters/git/process.js';
import { receiverOf, senderOf, unreachable, wasMoved } from '#adapters/git/reach.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const OWN = {
  ...{ LC_ALL: 'C.UTF-8', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', GIT_CONFIG_NOSYSTEM: '1' },
  ...{ GIT_NO_LAZY_FETCH: '1', GIT_LFS_SKIP_SMUDGE: '1', GIT_ALLOW_PROTOCOL: 'none' },
};
const FIXED = [
  ...[
    'core.hooksPath=/dev/null',
    'core.fsmonitor=false',
    'core.sshCommand=false',
    'core.askPass=',
    'core.quotePath=false',
  ],
  ...['credential.helper=', 'diff.external=', 'gc.auto=0', 'maintenance.auto=false', 'log.showSignature=false'],
  ...['protocol.ext.allow=never', 'submodule.recurse=false'],
];

verifies('sec.git.env', 'git gets the environment without what redirects it, and our own settings', () => {
  const base = { PATH: '/bin', GIT_DIR: 'x', git_dir: 'x', SSH_ASKPASS: 'x', GIT_AUTHOR_NAME: 'Ann', MINE: '1' };
  const kept = { PATH: '/bin', MINE: '1' };
  expect(gitEnvironment(base, {})).toEqual({ ...kept, ...OWN });
  const settings = [
    ['a=b', '1'],
    ['c', '2'],
  ] as const;
  expect(gitEnvironment(base, { index: '/index', literalPaths: true, protocols: 'https', settings })).toEqual({
    ...{ ...kept, ...OWN, GIT_INDEX_FILE: '/index', GIT_LITERAL_PATHSPECS: '1', GIT_ALLOW_PROTOCOL: 'https' },
    ...{ GIT_CONFIG_COUNT: '2', GIT_CONFIG_KEY_0: 'a=b', GIT_CONFIG_VALUE_0: '1' },
    ...{ GIT_CONFIG_KEY_1: 'c', GIT_CONFIG_VALUE_1: '2' },
  });
  const { GIT_CONFIG_NOSYSTEM: _, ...remote } = OWN;
  const newObjects = { folder: '/new', existing: '/old:1' };
  expect(gitEnvironment(base, { remote: true, newObjects })).toEqual({
    ...{ ...kept, ...remote, GIT_OBJECT_DIRECTORY: '/new', GIT_ALTERNATE_OBJECT_DIRECTORIES: '"/old:1"' },
  });
  expect(gitEnvironment(base, { asPerson: true })).toEqual({
    ...{ ...kept, GIT_AUTHOR_NAME: 'Ann', GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: ':' },
  });
  const words = (settings: readonly string[]) => ['--no-pager', ...settings.flatMap((one) => ['-c', one]), 'log', '-1'];
  expect(gitWords(['log', '-1'], {})).toEqual(words(FIXED));
  expect(gitWords(['log', '-1'], { asPerson: true })).toEqual(words([]));
  expect(gitWords(['log', '-1'], { remote: true })).toEqual(
    words([
      ...FIXED.filter((one) => !['core.sshCommand=false', 'credential.helper='].includes(one)),
      ...['core.sshCommand=ssh -oBatchMode=yes -oConnectTimeout=20', 'credential.interactive=false'],
      ...['http.lowSpeedLimit=1', 'http.lowSpeedTime=30', 'fetch.recurseSubmodules=false'],
      ...['push.recurseSubmodules=no', 'push.gpgSign=false', 'transfer.unpackLimit=1'],
    ]),
  );
});

verifies(
  'sec.git.env',
  'what git prints is bounded, what it complains of is told, and its input is passed on',
  async () => {
    const folder = room();
    const run = (...[args, call]: [readonly string[], Parameters<typeof runGit>[3]?]) =>
      runGit(process.env, folder, args, call);
    expect(await run(['init', '--quiet'])).toEqual({ ok: true, text: '' });
    const input = 'x\n'.repeat(150_000);
    const much = await run(['cat-file', '--batch-check'], { input });
    expect(much.ok && much.text.length).toBe('x missing\n'.length * 150_000);
    expect(await run(['cat-file', '--batch-check'], { input, maxBytes: 1_000 })).toEqual({
      ...{ ok: false, code: undefined, message: 'it printed more than 1000 bytes' },
    });
    expect(await run(['rev-parse', '--verify', '--quiet', 'HEAD'])).toEqual({
      ...{ ok: false, code: 1, message: expect.stringContaining('Command failed') },
    });
    expect(await run(['no-such'])).toEqual({
      ok: false,
      code: 1,
      message: expect.stringMatching(/^git: 'no-such'.*\S$/s),
    });
    expect(await run(['cat-file', '--batch'], { timeoutMs: 1, input })).toMatchObject({ ok: false });
    const binary = await run(['hash-object', '-w', '--stdin'], { input: '\u00ff', bytes: true });
    const id = binary.ok ? binary.text.trim() : '';
    expect(await run(['cat-file', 'blob', id], { bytes: true })).toEqual({ ok: true, text: '\u00ff' });
    const failed = (code: string) => notStarted('/in\u0007side', Object.assign(new Error('x'), { code }));
    expect([failed('EACCES').code, failed('ENOENT').code]).toEqual(['unreadable', 'git_missing']);
    expect(failed('EACCES').message).not.toContain('\u0007');
  },
);

verifies('sec.git.env', 'the other side of a repository on this machine runs none of its programs', () => {
  const at = (protocols: string) => ({ protocols }) as Parameters<typeof senderOf>[0];
  expect([senderOf(at('https')), receiverOf(at('https'))]).toEqual([[], []]);
  expect([senderOf(at('file')), receiverOf(at('file'))]).toEqual([
    [expect.stringMatching(/^--upload-pack=.*protocol[.]allow=never.*upload-pack$/)],
    [
      '--receive-pack=git -c core.hooksPath=/dev/null -c core.alternateRefsCommand=true -c core.fsmonitor=false -c receive.denyCurrentBranch=refuse -c receive.autoGc=false receive-pack',
    ],
  ]);
  const told = ['! [rejected]', 'cannot lock ref', 'failed to update ref', 'incorrect old value', 'Permission denied'];
  expect(told.map(wasMoved)).toEqual([true, true, true, true, false]);
  const place = { address: 'https://box/\u0007team' } as Parameters<typeof unreachable>[0];
  const { code, why, hint } = unreachable(place, 'fatal: https://ann:secret@box refused', 'Ask.');
  expect([code, why, hint]).toEqual(['remote_unreachable', 'fatal: https://…@box refused', 'Ask.']);
  const usual = unreachable(place, 'x');
  expect([usual.hint === 'Ask.', usual.message.includes('\u0007'), usual.hint]).toEqual([
    ...[false, false, expect.any(String)],
  ]);
});

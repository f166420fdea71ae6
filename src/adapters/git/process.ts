import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { cut, inert } from '#kernel/text.js';

/** Settings that a repository must not override. Passed with every call, which takes precedence over all files. */
const FIXED_SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.sshCommand=false',
  'core.askPass=',
  'core.quotePath=false',
  'credential.helper=',
  'diff.external=',
  'gc.auto=0',
  'maintenance.auto=false',
  'log.showSignature=false',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
];

/** Settings for access to another repository: as configured by the person, but without prompts. */
const REMOTE_SETTINGS = [
  ...FIXED_SETTINGS.filter((setting) => !/^(?:core\.sshCommand|credential\.helper)=/.test(setting)),
  'core.sshCommand=ssh -oBatchMode=yes -oConnectTimeout=20',
  'credential.interactive=false',
  'http.lowSpeedLimit=1',
  'http.lowSpeedTime=30',
  'fetch.recurseSubmodules=false',
  'push.recurseSubmodules=no',
  'push.gpgSign=false',
  'transfer.unpackLimit=1',
];

export interface GitCall {
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
  /** Settings whose names contain `=` and thus cannot be passed with `-c`. */
  readonly settings?: readonly (readonly [key: string, value: string])[];
  /** Standard input. */
  readonly input?: string;
  /** Whether paths are literal instead of patterns. */
  readonly literalPaths?: boolean;
  /** Allowed protocols; none by default. */
  readonly protocols?: string;
  /** Alternative index file. */
  readonly index?: string;
  /** Folder for new objects; those of the repository are only read. */
  readonly newObjects?: { readonly folder: string; readonly existing: string };
  /** Whether the output is binary, one character per byte. */
  readonly bytes?: boolean;
  /** Whether it accesses another repository, with the person's credential helpers and proxies but without prompts. */
  readonly remote?: boolean;
  /** Whether it acts like a person's own commit: with hooks, their settings, and the identity from the environment. */
  readonly asPerson?: boolean;
}

/** Variables of the committer's identity, the only ones of git's variables passed on. */
const IDENTITY = ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL'];

export type GitAnswer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: number | undefined; readonly message: string };

/**
 * Environment for our git calls: the caller's without `GIT_*`, which redirect the repository, configuration, index or
 * programs, plus our own settings.
 */
export function gitEnvironment(base: NodeJS.ProcessEnv, call: GitCall): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(base)) {
    if (!name.toUpperCase().startsWith('GIT_') && name !== 'SSH_ASKPASS') environment[name] = value;
  }
  if (call.index !== undefined) environment['GIT_INDEX_FILE'] = call.index;
  if (call.newObjects) {
    environment['GIT_OBJECT_DIRECTORY'] = call.newObjects.folder;
    // quoted because a colon would separate paths
    environment['GIT_ALTERNATE_OBJECT_DIRECTORIES'] = JSON.stringify(call.newObjects.existing);
  }
  if (call.asPerson) {
    for (const name of IDENTITY) if (base[name] !== undefined) environment[name] = base[name];
    return { ...environment, GIT_TERMINAL_PROMPT: '0', GIT_EDITOR: ':' };
  }
  const settings = call.settings ?? [];
  return {
    ...environment,
    LC_ALL: 'C.UTF-8',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    ...(call.remote ? {} : { GIT_CONFIG_NOSYSTEM: '1' }),
    GIT_NO_LAZY_FETCH: '1',
    GIT_LFS_SKIP_SMUDGE: '1',
    GIT_ALLOW_PROTOCOL: call.protocols ?? 'none',
    ...(call.literalPaths ? { GIT_LITERAL_PATHSPECS: '1' } : {}),
    ...(settings.length === 0 ? {} : { GIT_CONFIG_COUNT: String(settings.length) }),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}

/** Arguments of a git process: our settings, then the command. */
export function gitWords(args: readonly string[], call: GitCall): string[] {
  const fixed = call.asPerson ? [] : call.remote ? REMOTE_SETTINGS : FIXED_SETTINGS;
  return ['--no-pager', ...fixed.flatMap((setting) => ['-c', setting]), ...args];
}

/** Runs one git process without a shell. A failure of git is returned as data. Errors: `git_missing`. */
export function runGit(
  base: NodeJS.ProcessEnv,
  folder: string,
  args: readonly string[],
  call: GitCall = {},
): Promise<GitAnswer> {
  const words = gitWords(args, call);
  const maxBytes = call.maxBytes ?? SURFACE_LIMITS.gitOutputBytes;
  const timeoutMs = call.timeoutMs ?? SURFACE_LIMITS.gitTimeoutMs;
  const { execFile } = process.getBuiltinModule('node:child_process'); // slow to load, and few looks need git
  return new Promise((resolve, reject) => {
    const child = execFile(
      'git',
      words,
      {
        cwd: folder,
        env: gitEnvironment(base, call),
        encoding: call.bytes ? 'latin1' : 'utf8',
        maxBuffer: maxBytes,
        timeout: timeoutMs,
        killSignal: 'SIGKILL',
        windowsHide: true,
      },
      (error, stdout, stderr) => {
        if (!error) return resolve({ ok: true, text: stdout });
        const code = (error as NodeJS.ErrnoException).code as string | number | undefined;
        if (code === 'ENOENT' || code === 'EACCES') return reject(notStarted(folder, error));
        if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') {
          return resolve({ ok: false, code: undefined, message: `it printed more than ${maxBytes} bytes` });
        }
        if (error.killed) return resolve({ ok: false, code: undefined, message: `it ran longer than ${timeoutMs} ms` });
        const message = cut(inert(stderr.trim() === '' ? error.message : stderr.trim()), 500);
        resolve({ ok: false, code: typeof code === 'number' ? code : undefined, message });
      },
    );
    // git may end without reading all input: only its exit code counts.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(call.input ?? '', call.bytes ? 'latin1' : 'utf8');
  });
}

/** Error for a failed start: ENOENT can refer to the program or the folder, with different remedies. */
export function notStarted(folder: string, cause: Error): TroupeError {
  if ((cause as NodeJS.ErrnoException).code === 'EACCES')
    return new TroupeError('unreadable', { what: `The folder ${inert(folder)} cannot be entered.`, cause });
  return new TroupeError('git_missing', { why: `git does not start, or ${inert(folder)} does not exist.`, cause });
}

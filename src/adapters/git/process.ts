import { execFile } from 'node:child_process';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';

/** What a repository's own configuration must not decide for us. Given on every call, so that it wins over every file. */
const FIXED_SETTINGS = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.sshCommand=false',
  'core.askPass=',
  'credential.helper=',
  'diff.external=',
  'gc.auto=0',
  'maintenance.auto=false',
  'log.showSignature=false',
  'protocol.ext.allow=never',
  'submodule.recurse=false',
];

/** What of them is different where another repository is reached: as the person reaches it, but never by asking. */
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
  /** Settings whose names cannot stand in `-c`, because they hold a `=`. */
  readonly settings?: readonly (readonly [key: string, value: string])[];
  /** Given to git on its standard input. */
  readonly input?: string;
  /** Paths mean themselves, whatever stars and colons they hold. */
  readonly literalPaths?: boolean;
  /** Protocols this call may use; none unless said. */
  readonly protocols?: string;
  /** Another index than that of the work tree. */
  readonly index?: string;
  /** New objects go there; those of the repository are only read. */
  readonly newObjects?: { readonly folder: string; readonly existing: string };
  /** Each byte of the answer is one character, also where it is no text. */
  readonly bytes?: boolean;
  /** It reaches another repository: the person's own credential helpers and proxies count, and nobody is asked. */
  readonly remote?: boolean;
  /** It runs the hooks of a person's own commit: their settings count, and so does who the environment says they are. */
  readonly asPerson?: boolean;
}

/** Who commits, where the environment says it; nothing else of git's own variables is passed on. */
const IDENTITY = ['GIT_AUTHOR_NAME', 'GIT_AUTHOR_EMAIL', 'GIT_COMMITTER_NAME', 'GIT_COMMITTER_EMAIL'];

export type GitAnswer =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly code: number | undefined; readonly message: string };

/**
 * The environment of our own git: the caller's, without any `GIT_*`, because those redirect the repository, the
 * configuration, the index or the programs git starts; then our own rules.
 */
export function gitEnvironment(base: NodeJS.ProcessEnv, call: GitCall): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {};
  for (const [name, value] of Object.entries(base)) {
    if (!name.toUpperCase().startsWith('GIT_') && name !== 'SSH_ASKPASS') environment[name] = value;
  }
  if (call.index !== undefined) environment['GIT_INDEX_FILE'] = call.index;
  if (call.newObjects) {
    environment['GIT_OBJECT_DIRECTORY'] = call.newObjects.folder;
    // In quotes a colon is part of the path.
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

/** The words of one git process: our settings first, then what it is to do. */
export function gitWords(args: readonly string[], call: GitCall): string[] {
  const fixed = call.asPerson ? [] : call.remote ? REMOTE_SETTINGS : FIXED_SETTINGS;
  return ['--no-pager', ...fixed.flatMap((setting) => ['-c', setting]), ...args];
}

/** One git process. Never a shell; the answer is data also when git refuses. Throws `git_missing` when there is no git. */
export function runGit(
  base: NodeJS.ProcessEnv,
  folder: string,
  args: readonly string[],
  call: GitCall = {},
): Promise<GitAnswer> {
  const words = gitWords(args, call);
  const maxBytes = call.maxBytes ?? LIMITS.gitOutputBytes;
  const timeoutMs = call.timeoutMs ?? LIMITS.gitTimeoutMs;
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
    // git may end without reading all of it: its exit code tells, not the pipe.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(call.input ?? '', call.bytes ? 'latin1' : 'utf8');
  });
}

/** ENOENT means the program or the folder; which one decides what a person must do. */
export function notStarted(folder: string, cause: Error): TroupeError {
  if ((cause as NodeJS.ErrnoException).code === 'EACCES')
    return new TroupeError('unreadable', { what: `The folder ${inert(folder)} cannot be entered.`, cause });
  return new TroupeError('git_missing', { why: `git does not start, or ${inert(folder)} does not exist.`, cause });
}

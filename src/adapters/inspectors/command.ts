import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { excerpt, judgeCommand, notRun } from '#core/review/command-findings.js';
import type { RecognisedCommand, ReviewPlan } from '#core/review/plan.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { InspectionResult } from '#ports/inspector.js';
import type { Programs } from '#ports/programs.js';

/**
 * Runs one recognised command in the scratch worktree. Its result is evidence in any case: a failing command does not
 * throw.
 */
export async function runCommand(
  plan: ReviewPlan,
  command: RecognisedCommand,
  worktree: string,
  environment: NodeJS.ProcessEnv,
  programs: Programs,
): Promise<InspectionResult> {
  const text = [command.program, ...command.args].join(' ');
  const cwd = await folderInside(worktree, command.folder);
  if (cwd === undefined) return skipped(text, command, 'There is no scratch copy to run it in.');
  if (command.needs !== undefined && !(await isInstalled(worktree, command.folder, command.needs))) {
    return skipped(text, command, `Its dependencies (${command.needs}) are not installed.`);
  }
  const timeMs = plan.run === 'all' ? SURFACE_LIMITS.commandAllMs : SURFACE_LIMITS.commandFastMs;
  const outcome = await programs.run(await programOf(command, worktree), command.args, {
    cwd,
    environment: programEnvironment(environment, path.join(worktree, 'node_modules', '.cache')),
    timeMs,
  });
  const output = excerpt(outcome.output);
  return {
    command: text,
    exit_code: outcome.code,
    output,
    findings: judgeCommand(command, { code: outcome.code, end: outcome.end, output, timeMs }),
    facts: { end: outcome.end, program_ms: outcome.durationMs, time_box_ms: timeMs },
  };
}

function skipped(text: string, command: RecognisedCommand, why: string): InspectionResult {
  return {
    command: text,
    exit_code: null,
    output: `Not run. ${why}`,
    findings: [notRun(command, why)],
    facts: { end: 'not-run' },
  };
}

/** Folder in which a command runs; undefined if it does not exist or a tracked link leads out of the worktree. */
async function folderInside(worktree: string, folder: string): Promise<string | undefined> {
  try {
    const top = await realpath(worktree);
    const at = await realpath(path.join(worktree, folder));
    return at === path.join(top, folder) ? at : undefined;
  } catch {
    return undefined;
  }
}

/** Whether dependencies are installed beside the manifest, or at the top, where workspaces keep shared ones. */
async function isInstalled(worktree: string, folder: string, needs: string): Promise<boolean> {
  for (const place of new Set([folder, ''])) {
    const stats = await lstat(path.join(worktree, place, needs)).catch(() => undefined);
    if (stats?.isDirectory()) return true;
  }
  return false;
}

/** Program to run. The project's own Python environment (as copied) takes precedence over the Python of the machine. */
async function programOf(command: RecognisedCommand, worktree: string): Promise<string> {
  if (command.program !== 'python3') return command.program;
  for (const name of ['.venv', 'venv']) {
    for (const place of new Set([command.folder, ''])) {
      const own = path.join(worktree, place, name, 'bin', 'python');
      if (await lstat(own).catch(() => undefined)) return own;
    }
  }
  return command.program;
}

/**
 * Environment variables that programs of the reviewed repository inherit. All others, in particular keys, are withheld.
 */
const PASSED_ON = [
  'PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'TEMP', 'TMP',
  'JAVA_HOME', 'M2_HOME', 'MAVEN_HOME', 'CARGO_HOME', 'RUSTUP_HOME', 'GOROOT', 'GOPATH', 'GOMODCACHE', 'GOCACHE',
  'PYENV_ROOT', 'NVM_DIR', 'PNPM_HOME', 'VOLTA_HOME', 'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'NODE_EXTRA_CA_CERTS',
  'WG_RUN', // not a secret: the mark by which leftovers of this run are found and ended
  'TROUPE_TEST_ROOM', // likewise, of our own tests
]; // biome-ignore format: a list to be read as a block

/**
 * Variables that tell tools to use no network, no colour and no prompts, and to leave no files outside the scratch
 * copy.
 */
const SAID_TO_TOOLS = {
  CI: '1',
  NO_COLOR: '1',
  FORCE_COLOR: '0',
  TERM: 'dumb',
  GIT_TERMINAL_PROMPT: '0',
  GIT_CONFIG_NOSYSTEM: '1',
  npm_config_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  npm_config_logs_max: '0',
  npm_config_loglevel: 'silent',
  COREPACK_ENABLE_NETWORK: '0',
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  YARN_ENABLE_NETWORK: 'false',
  YARN_ENABLE_TELEMETRY: 'false',
  PYTHONDONTWRITEBYTECODE: '1',
  PIP_NO_INDEX: '1',
  CARGO_NET_OFFLINE: 'true',
  RUSTUP_AUTO_INSTALL: '0',
  GOPROXY: 'off',
  GOSUMDB: 'off',
  GOTOOLCHAIN: 'local',
  NEXT_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
} as const;

/**
 * Environment of a program of the reviewed repository: an allowlist, and a PATH of absolute folders only. `scratch` is
 * a folder for files that package managers would otherwise keep in the user's home.
 */
export function programEnvironment(base: NodeJS.ProcessEnv, scratch: string): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = {};
  for (const name of PASSED_ON) if (base[name] !== undefined) environment[name] = base[name];
  environment['PATH'] = (base['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .join(path.delimiter);
  return { ...environment, ...SAID_TO_TOOLS, npm_config_cache: path.join(scratch, 'npm') };
}

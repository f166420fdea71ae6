import path from 'node:path';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { RunPlan } from '#ports/run-host.js';
import { guardFolder } from './git-guard.js';
import type { PlacedClient, PlacedPlan } from './placed-plan.js';

/**
 * Variables that commands inherit. All others are withheld: keys, tokens, and the variables of a client that started
 * us.
 */
export const PASSED = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TERM', 'TZ', 'TMPDIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'NODE_EXTRA_CA_CERTS'],
  ...['ALL_PROXY', 'all_proxy', 'SSL_CERT_FILE', 'SSL_CERT_DIR'],
  ...['TROUPE_TEST_ROOM', 'TROUPE_DEBUG', 'JAVA_HOME', 'GOPATH', 'GOCACHE', 'CARGO_HOME', 'RUSTUP_HOME'],
];
const INPUT_NAME = /^IN_[A-Z][A-Z0-9_]{0,60}$/;

/** Names of variables whose values are redacted from everything that is written. */
const KEY_NAME = /KEY|TOKEN|SECRET|PASSWORD|PASSPHRASE|HEADERS?$|AUTHORIZATION|CREDENTIAL|COOKIE/i;
/** Names of variables that hold the location of a secret, which is not secret itself. */
const PLACE_NAME = /_(FILE|PATH|DIR|URI|URL)$|^GOOGLE_APPLICATION_CREDENTIALS$/i;

/** Whether the value of a variable with this name must not be written anywhere. */
export function isSecretName(name: string): boolean {
  return KEY_NAME.test(name) && !PLACE_NAME.test(name);
}

/** Values of the secret variables in an environment. */
export function secretValues(ours: NodeJS.ProcessEnv): string[] {
  return Object.entries(ours).flatMap(([name, value]) => (isSecretName(name) && value !== undefined ? [value] : []));
}

/** Variables shared by all runs of a project: the inherited ones, and those with paths of the project. */
export function sharedEnvironment(
  ours: NodeJS.ProcessEnv,
  place: { readonly projectFolder: string; readonly command: string },
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of PASSED) {
    const value = ours[name];
    if (value !== undefined) environment[name] = value;
  }
  return {
    ...environment,
    TROUPE_BIN: place.command,
    WG_EXECUTOR_TYPE: 'shell',
    WG_PROJECT_ROOT: place.projectFolder,
  };
}

/** Names of the variables with the inputs of a task. */
export function inputsOf(plan: Pick<RunPlan, 'environment'>): string[] {
  return Object.entries(plan.environment)
    .filter(([name, value]) => INPUT_NAME.test(name) && !value.includes('\0'))
    .map(([name]) => name);
}

/**
 * Variables of a single run, as `NAME=value`: its identity and token, the inputs of its task, and the variables its
 * client may have.
 */
export function ownVariables(plan: PlacedPlan, runFolder: string, token: string): string[] {
  const { client, executor, tree } = plan;
  return [
    // First, so that the variables of the run override variables of the person with the same names.
    ...Object.entries(client?.here.passed ?? {}).map(([name, value]) => `${name}=${value}`),
    ...inputsOf(plan).map((name) => `${name}=${plan.environment[name]}`),
    `WG_TASK_ID=${plan.taskId}`,
    `WG_AGENT_ID=${plan.id}`,
    `WG_ATTEMPT=${plan.fence}`,
    `WG_FENCE=${plan.fence}`,
    `WG_RUN=${runFolder}`,
    `WG_RUN_TOKEN=${token}`,
    ...(executor === undefined ? [] : [`WG_EXECUTOR_TYPE=${executor}`]),
    ...(tree === undefined ? [] : inTree(plan.id, tree)),
    ...(client ? ofClient(client) : []),
    ...gitSettings(plan, runFolder),
  ];
}

/**
 * Variables for a worktree: its path, its branch, and the first port of a range for servers, so that concurrent runs
 * use different ports.
 */
function inTree(id: string, { path, branch }: NonNullable<PlacedPlan['tree']>): string[] {
  const { first, each, runs } = WORK_LIMITS.runPorts;
  const port = first + (Number(id.replace(/\D/g, '')) % runs) * each;
  return [`WG_WORKTREE_PATH=${path}`, `WG_BRANCH=${branch}`, `TROUPE_PORT_BASE=${port}`];
}

/** Names of the variables that configure the git of a run. */
export const GIT_SETTINGS_PASSED = [
  'GIT_CONFIG_COUNT',
  ...[0, 1].flatMap((at) => [`GIT_CONFIG_KEY_${at}`, `GIT_CONFIG_VALUE_${at}`]),
];

/**
 * Git settings of a run. A client's run cannot push: every push URL is rewritten to an invalid one, except a `pushurl`
 * of a remote. In a worktree, hooks refuse changes to refs that all worktrees share.
 */
function gitSettings({ client, tree }: PlacedPlan, runFolder: string): string[] {
  const settings = [
    ...(client ? [['url.runs-do-not-push://.pushInsteadOf', '']] : []),
    ...(tree ? [['core.hooksPath', guardFolder(path.dirname(runFolder))]] : []),
  ];
  if (settings.length === 0) return [];
  const pairs = settings.flatMap(([key, value], at) => [
    `GIT_CONFIG_KEY_${at}=${key}`,
    `GIT_CONFIG_VALUE_${at}=${value}`,
  ]);
  return [`GIT_CONFIG_COUNT=${settings.length}`, ...pairs];
}

function ofClient({ request: { model, provider } }: PlacedClient): string[] {
  return [
    ...(model === undefined ? [] : [`WG_MODEL=${model}`]),
    ...(provider === undefined ? [] : [`WG_LLM_PROVIDER=${provider}`]),
    `TROUPE_NODE=${process.execPath}`,
  ];
}

import type { RunPlan } from '#ports/run-host.js';

/** What a command may know of our environment. Everything else stays with us: keys, tokens, the client that started us. */
const PASSED = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TERM', 'TZ', 'TMPDIR'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'NODE_EXTRA_CA_CERTS'],
  ...['TROUPE_TEST_ROOM', 'TROUPE_DEBUG', 'JAVA_HOME', 'GOPATH', 'GOCACHE', 'CARGO_HOME', 'RUSTUP_HOME'],
];
const INPUT_NAME = /^IN_[A-Z][A-Z0-9_]{0,60}$/;

/** The environment of a run: an allow-list of ours, the task's inputs, and who and where it is. */
export function runEnvironment(
  ours: NodeJS.ProcessEnv,
  plan: RunPlan,
  place: { readonly projectFolder: string; readonly runFolder: string; readonly command: string },
): Record<string, string> {
  const environment: Record<string, string> = {};
  for (const name of PASSED) {
    const value = ours[name];
    if (value !== undefined) environment[name] = value;
  }
  for (const [name, value] of Object.entries(plan.environment)) {
    if (INPUT_NAME.test(name) && !value.includes('\0')) environment[name] = value;
  }
  return {
    ...environment,
    TROUPE_BIN: place.command,
    WG_TASK_ID: plan.taskId,
    WG_AGENT_ID: plan.id,
    WG_ATTEMPT: String(plan.fence),
    WG_FENCE: String(plan.fence),
    WG_RUN: place.runFolder,
    WG_EXECUTOR_TYPE: 'shell',
    WG_PROJECT_ROOT: place.projectFolder,
  };
}

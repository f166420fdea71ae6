import path from 'node:path';

/** What a program of the reviewed repository may know of ours. Everything else, keys above all, stays here. */
const PASSED_ON = [
  'PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR', 'TEMP', 'TMP',
  'JAVA_HOME', 'M2_HOME', 'MAVEN_HOME', 'CARGO_HOME', 'RUSTUP_HOME', 'GOROOT', 'GOPATH', 'GOMODCACHE', 'GOCACHE',
  'PYENV_ROOT', 'NVM_DIR', 'PNPM_HOME', 'VOLTA_HOME', 'ASDF_DIR', 'ASDF_DATA_DIR', 'MISE_DATA_DIR', 'NODE_EXTRA_CA_CERTS',
  'WG_RUN', // not a secret: the mark by which leftovers of this run are found and ended
  'TROUPE_TEST_ROOM', // likewise, of our own tests
]; // biome-ignore format: a list to be read as a block

/** No network, no colour, no questions, no traces outside the scratch copy, as far as tools can be told. */
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
 * The environment of a program of the reviewed repository: an allow-list, and only absolute folders to find programs in.
 * `scratch` is where package managers may keep what they would else leave in the user's home.
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

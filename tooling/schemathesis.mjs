// npm run test:api [-- --max-examples 20]: has schemathesis send what the OpenAPI document allows, and what it does not, to a service of a
// throw-away project. Needs schemathesis on the PATH (pip install schemathesis). On Linux with bubblewrap nothing outside of the project can be
// written, and no network but loopback is there.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { HOME } from './prepare.mjs';

const CLI = path.join(HOME, 'dist/cli.cjs');
const INSIDE = '--inside';

/** Addresses that end the service, the login or no request at all; their own tests hold them. */
const LEFT_OUT = ['/api/service/stop', '/api/session', '/api/events'];

/**
 * Rules between fields are not in the document, so that what it allows may be refused with 400 or 422; and what is not
 * there, such as a model, is said with a status from 500 on. An internal error fails the run all the same.
 */
const SETTINGS = `[checks]
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", 501, 502, 503, 504]
positive_data_acceptance.expected-statuses = ["2xx", 400, 401, 403, 404, 409, 413, 422, 429, "5xx"]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 431, "5xx"]
`;

/**
 * The document with pairs as lists of either kind: schemathesis rewrites `prefixItems` as draft 7 did, and then refuses
 * what it wrote.
 */
function withoutPairs(text) {
  return JSON.stringify(JSON.parse(text), (_, value) => {
    if (!Array.isArray(value?.prefixItems)) return value;
    const { prefixItems, ...rest } = value;
    return { ...rest, items: { anyOf: prefixItems } };
  });
}

function outside(words) {
  if (spawnSync('schemathesis', ['--version']).status !== 0) {
    process.stderr.write('schemathesis is not on the PATH. Install it with: pip install schemathesis\n');
    return 1;
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'troupe-schemathesis-'));
  const again = [process.execPath, fileURLToPath(import.meta.url), INSIDE, folder, ...words];
  const walls = ['--ro-bind', '/', '/', '--bind', folder, folder, '--dev', '/dev', '--proc', '/proc'];
  const sandboxed = ['bwrap', ...walls, '--unshare-net', '--unshare-pid', '--die-with-parent', ...again];
  const [program, ...rest] = spawnSync('bwrap', ['--version']).status === 0 ? sandboxed : again;
  try {
    return spawnSync(program, rest, { stdio: 'inherit', cwd: folder }).status ?? 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs in the folder, which is the only place that may be written. */
async function inside(folder, words) {
  const [project, home] = ['project', 'home'].map((name) => path.join(folder, name));
  for (const place of [project, home]) mkdirSync(place);
  const identity = { GIT_AUTHOR_NAME: 'Test', GIT_AUTHOR_EMAIL: 'test@example.org' };
  const committer = { GIT_COMMITTER_NAME: 'Test', GIT_COMMITTER_EMAIL: 'test@example.org' };
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: folder, LANG: 'C.UTF-8', ...identity, ...committer };
  const run = (program, args) => {
    const { status, stderr } = spawnSync(program, args, { cwd: project, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
  };
  const troupe = (...args) => run(process.execPath, [CLI, ...args]);
  run('git', ['init', '--quiet', '--initial-branch=main']);
  writeFileSync(path.join(project, 'README.md'), '# Sample\n');
  run('git', ['add', '--all']);
  run('git', ['commit', '--quiet', '-m', 'first']);
  troupe('init');
  troupe('add', 'Alpha');
  troupe('add', 'Beta', '--after', 'alpha');
  troupe('service', 'start', '--executor', 'shell');
  troupe('service', 'pause'); // commands that are made up are never started
  troupe('dashboard');
  const service = path.join(project, '.workgraph/service');
  const { http_port: port } = JSON.parse(readFileSync(path.join(service, 'state.json'), 'utf8'));
  const token = readFileSync(path.join(service, 'http-token'), 'utf8');
  writeFileSync(path.join(folder, 'schemathesis.toml'), SETTINGS);
  const leftOut = LEFT_OUT.flatMap((address) => ['--exclude-path', address]);
  // Wrong tokens, which it would send as well, make the service refuse every token from here for a while: other tests hold that.
  const checks = ['--checks', 'all', '--exclude-checks', 'ignored_auth'];
  const given = ['--header', `Authorization: Bearer ${token}`, ...checks, '--request-timeout', '30'];
  const url = `http://127.0.0.1:${port}`;
  const told = await fetch(`${url}/api/openapi.json`, { headers: { authorization: `Bearer ${token}` } });
  const document = path.join(folder, 'openapi.json');
  writeFileSync(document, withoutPairs(await told.text()));
  try {
    const options = { cwd: folder, env, stdio: 'inherit' };
    return (
      spawnSync('schemathesis', ['run', document, '--url', url, ...given, ...leftOut, ...words], options).status ?? 1
    );
  } finally {
    troupe('service', 'stop');
  }
}

const [first, ...others] = process.argv.slice(2);
process.exitCode = first === INSIDE ? await inside(others[0], others.slice(1)) : outside(process.argv.slice(2));

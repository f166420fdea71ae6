import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { LocalGit } from '#adapters/git/local-git.js';
import { RemoteExchange } from '#adapters/git/remote-exchange.js';
import { LocalPrograms } from '#adapters/processes/local-programs.js';
import type { GitPlace } from '#core/agency/remote-address.js';
import { writesBeside } from '#main/worker-remote.js';
import { git, repository } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const HOOK = path.resolve(import.meta.dirname, '../../../docs/deploy/git-update-hook');

/** As over the network: what the server has of hooks is run. */
const served = (address: string) => ({ address, protocols: 'file:ssh' as GitPlace['protocols'] });

verifies(
  'fleet.git',
  'a worker finds out whether its key may write more than it needs, and leaves nothing',
  async () => {
    const clone = realpathSync(repository({ 'f.txt': 'one\n' }));
    const bare = path.join(realpathSync(room('server')), 'hub.git');
    git(clone, 'clone', '--quiet', '--bare', '--', clone, bare);
    const environment = { ...process.env };
    const local = new LocalGit(environment);
    const programs = new LocalPrograms({ projectFolder: clone, environment: { PATH: process.env['PATH'] ?? '' } });
    const exchange = new RemoteExchange({ environment, programs, git: local, folder: clone, at: served(bare) });
    const refs = () => git(bare, 'for-each-ref', '--format=%(refname)');
    const [before, commit] = [refs(), git(clone, 'rev-parse', 'HEAD').trim()];
    expect([await writesBeside(exchange, 'troupe-probe-box', commit), refs()]).toEqual([true, before]);
    const hook = `#!/bin/sh\nexport TROUPE_WORKER=box\nexec ${HOOK} "$@"\n`;
    writeFileSync(path.join(bare, 'hooks/update'), hook, { mode: 0o755 });
    expect([await writesBeside(exchange, 'troupe-probe-box', commit), refs()]).toEqual([false, before]);
    expect(await exchange.publish('refs/wg/probe/box', commit)).toBe(true);
  },
);

verifies('fleet.git', 'the hook for plain git servers keeps the keys of workers to their refs, and no others', () => {
  const clone = realpathSync(repository({ 'f.txt': 'one\n' }));
  const bare = path.join(realpathSync(room('server')), 'hub.git');
  git(clone, 'clone', '--quiet', '--bare', '--', clone, bare);
  copyFileSync(HOOK, path.join(bare, 'hooks/update'));
  chmodSync(path.join(bare, 'hooks/update'), 0o755);
  const pushed = (worker: string, ...specs: string[]) => {
    const env = { ...process.env, TROUPE_WORKER: worker };
    const { status, stderr } = spawnSync('git', ['push', '--quiet', bare, ...specs], { cwd: clone, env });
    return status === 0 ? 'pushed' : (/box may not \w+ \S+/.exec(String(stderr))?.[0] ?? String(stderr));
  };
  const branch = git(clone, 'symbolic-ref', '--short', 'HEAD').trim();
  git(clone, 'commit', '--quiet', '--allow-empty', '-m', 'second');
  for (const ref of ['refs/heads/wg/build/1', 'refs/wg/park/agent-1', 'refs/wg/probe/box-1'])
    expect(pushed('box', `HEAD~1:${ref}`), ref).toBe('pushed');
  expect(pushed('box', 'HEAD:refs/heads/wg/build/1'), 'it goes on').toBe('pushed');
  expect(pushed('box', ':refs/wg/probe/box-1'), 'a probe is taken back').toBe('pushed');
  for (const ref of [`refs/heads/${branch}`, 'refs/heads/new', 'refs/heads/wg/integration', 'refs/tags/v1', 'refs/x/y'])
    expect(pushed('box', `HEAD:${ref}`), ref).toBe(`box may not write ${ref}`);
  expect(pushed('box', '+HEAD~1:refs/heads/wg/build/1')).toBe('box may not rewrite refs/heads/wg/build/1');
  expect(pushed('box', ':refs/heads/wg/build/1')).toBe('box may not remove refs/heads/wg/build/1');
  expect(pushed('', `HEAD:refs/heads/${branch}`, 'HEAD:refs/heads/wg/integration'), 'others may').toBe('pushed');
  expect(readFileSync(HOOK, 'utf8')).toContain('authorized_keys');
});

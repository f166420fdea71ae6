import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { RemoteRepositories } from '#adapters/git/remote-repositories.js';
import { LocalPrograms } from '#adapters/processes/local-programs.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import type { GitSnapshot } from '#ports/git-remotes.js';
import { commitAll, git, repository, write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const coded = (code: string) => expect.objectContaining({ code });

function remotes(more: { environment?: NodeJS.ProcessEnv; remoteBytes?: number; remoteLookMs?: number } = {}) {
  const { environment = process.env, ...bounds } = more;
  const cache = room();
  let now = Date.parse('2026-03-01T10:00:00Z');
  const own = new RemoteRepositories({
    ...{
      environment,
      cache,
      clock: { now: () => now },
      programs: new LocalPrograms({ projectFolder: cache, environment: {} }),
    },
    bounds: { ...AGENCY_LIMITS, ...bounds },
  });
  const pass = (milliseconds: number) => {
    now += milliseconds;
  };
  return { own, cache, pass };
}

function bare() {
  const folder = path.join(room(), 'hub.git');
  mkdirSync(folder);
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main');
  return folder;
}

const at = (address: string) => ({ address, protocols: 'file' as const });
const files = (all: Readonly<Record<string, string | undefined>>) => new Map(Object.entries(all));

async function textsOf(snapshot: GitSnapshot | undefined, folder: string, most = 1_000) {
  const entries = (await snapshot?.list(folder)) ?? [];
  const texts: [string, string | number][] = [];
  let number = 0;
  for await (const text of snapshot?.texts(
    entries.map(({ object }) => object),
    most,
  ) ?? [])
    texts.push([entries[number++]?.name ?? '', text]);
  return texts;
}

verifies(
  ['fed.remote', 'fed.atomic'],
  'a branch is read commit by commit, and written by one commit on top of what was read, never by force',
  async () => {
    const hub = bare();
    const { own, cache, pass } = remotes();
    expect(await own.snapshot(at(hub), 'troupe/agency')).toBeUndefined();
    const first = await own.push(
      at(hub),
      'troupe/agency',
      undefined,
      files({ 'roles/a.yaml': 'A ü\n', b: 'B\n' }),
      'One',
    );
    const seen = await own.snapshot(at(hub), 'troupe/agency');
    expect(seen?.commit).toBe(first);
    expect((await seen?.list(''))?.map(({ name, kind }) => `${name} ${kind}`)).toEqual(['b file', 'roles folder']);
    expect(await textsOf(seen, 'roles')).toEqual([['a.yaml', 'A ü\n']]);
    expect(await textsOf(seen, 'roles', 2)).toEqual([['a.yaml', 5]]);
    expect(await seen?.list('nobody')).toEqual([]);
    // what somebody else has pushed meanwhile is neither lost nor written over
    const second = await own.push(at(hub), 'troupe/agency', seen, files({ c: 'C\n', b: undefined }), 'Two');
    expect(await own.push(at(hub), 'troupe/agency', seen, files({ d: 'D\n' }), 'Three')).toBeUndefined();
    expect(await own.push(at(hub), 'troupe/agency', undefined, files({ d: 'D\n' }), 'Three')).toBeUndefined();
    const latest = await own.snapshot(at(hub), 'troupe/agency');
    expect(latest?.commit).toBe(second);
    expect((await latest?.list(''))?.map(({ name }) => name)).toEqual(['c', 'roles']);
    expect(git(hub, 'log', '--format=%an <%ae> %s', 'troupe/agency').trim().split('\n')).toEqual([
      'Troupe <troupe@localhost> Two',
      'Troupe <troupe@localhost> One',
    ]);
    expect(await own.holds(at(hub), 'troupe/agency', first ?? '')).toBe(true);
    git(hub, 'update-ref', 'refs/heads/troupe/agency', first ?? '');
    expect(await own.holds(at(hub), 'troupe/agency', second ?? '')).toBe(false);
    expect(await own.holds(at(hub), 'troupe/agency', '--output=x')).toBe(false);
    // copies of what was read, nothing half made; old ones go
    const [place = ''] = readdirSync(cache);
    expect(readdirSync(path.join(cache, place)).sort()).toEqual([first, second].sort());
    git(hub, 'update-ref', 'refs/heads/troupe/agency', second ?? '');
    pass(2 * AGENCY_LIMITS.remoteCopyMs + Date.now()); // the copies were made by the clock of the machine
    const third = await own.push(
      at(hub),
      'troupe/agency',
      await own.snapshot(at(hub), 'troupe/agency'),
      files({ e: 'E\n' }),
      'E',
    );
    await own.snapshot(at(hub), 'troupe/agency');
    expect(readdirSync(path.join(cache, place))).toContain(third);
    expect(readdirSync(path.join(cache, place))).not.toContain(first);
  },
);

verifies(
  ['sec.git.env', 'sec.inert'],
  'of a repository on this machine neither hooks nor what its configuration names are run, and nothing of ours is redirected',
  async () => {
    const hub = bare();
    const marks = room();
    const trap = (name: string) => `touch ${path.join(marks, name)}`;
    for (const hook of [
      'pre-receive',
      'update',
      'post-receive',
      'post-update',
      'reference-transaction',
      'proc-receive',
    ]) {
      writeFileSync(path.join(hub, 'hooks', hook), `#!/bin/sh\n${trap(hook)}\nexit 1\n`);
      chmodSync(path.join(hub, 'hooks', hook), 0o755);
    }
    const other = bare();
    writeFileSync(path.join(hub, 'objects/info/alternates'), `${other}/objects\n`);
    for (const [key, value] of [
      ['core.alternateRefsCommand', trap('alternates')],
      ['uploadpack.packObjectsHook', trap('pack-objects')],
      ['core.fsmonitor', trap('fsmonitor')],
      ['core.sshCommand', trap('ssh')],
      ['gc.auto', '1'],
    ])
      git(hub, 'config', key ?? '', value ?? '');
    const environment = {
      ...process.env,
      GIT_DIR: other,
      GIT_SSH_COMMAND: trap('env-ssh'),
      GIT_TRACE: path.join(marks, 'trace'),
    };
    const { own } = remotes({ environment });
    const pushed = await own.push(at(hub), 'troupe/agency', undefined, files({ a: 'A\n' }), 'One');
    const seen = await own.snapshot(at(hub), 'troupe/agency');
    expect(seen?.commit).toBe(pushed);
    await own.push(at(hub), 'troupe/agency', seen, files({ a: 'B\n' }), 'Two');
    expect(readdirSync(marks)).toEqual([]);
    expect(git(other, 'for-each-ref')).toBe('');
    await expect(own.snapshot({ address: 'ext::sh -c id', protocols: 'file' }, 'a')).rejects.toThrow(
      coded('remote_unreachable'),
    );
    // a checkout of somebody is not written below their hands
    const checkout = repository({ a: 'a\n' });
    const main = await own.snapshot(at(checkout), 'main');
    await expect(own.push(at(checkout), 'main', main, files({ a: 'b\n' }), 'No')).rejects.toThrow(
      coded('remote_unreachable'),
    );
  },
);

verifies(
  ['fed.pull', 'sec.git.env'],
  'ssh is asked without a terminal; a remote that hangs, breaks off or sends too much is a coded error, and nothing stays',
  async () => {
    const hub = bare();
    const bin = room();
    const ssh = (script: string) => {
      writeFileSync(path.join(bin, 'ssh'), `#!/bin/sh\n${script}\n`);
      chmodSync(path.join(bin, 'ssh'), 0o755);
    };
    const environment = { ...process.env, PATH: `${bin}:${process.env['PATH']}`, SSH_ASKPASS: 'x' };
    const over = { address: `ssh://git@example.org${hub}`, protocols: 'https:ssh' as const };
    const { own, cache } = remotes({ environment, remoteLookMs: 60_000 });
    const said = path.join(bin, 'said');
    ssh(`printf '%s ' "$SSH_ASKPASS" "$@" >> ${said}; for last; do :; done; eval "exec $last"`);
    const pushed = await own.push(over, 'troupe/agency', undefined, files({ 'roles/a': 'A\n' }), 'One');
    expect((await own.snapshot(over, 'troupe/agency'))?.commit).toBe(pushed);
    expect(readFileSync(said, 'utf8')).toMatch(/^ -oBatchMode=yes .*git-receive-pack/);
    // it hangs
    ssh('echo $$ > "$0.pid"; exec sleep 600');
    const hasty = remotes({ environment, remoteLookMs: 300 }).own;
    await expect(hasty.snapshot(over, 'x')).rejects.toThrow(coded('remote_unreachable'));
    const pid = Number(readFileSync(path.join(bin, 'ssh.pid'), 'utf8'));
    await expect.poll(() => existsSync(`/proc/${pid}/cmdline`), { timeout: 5_000 }).toBe(false);
    // it breaks off in the middle of what it sends, or sends no git at all
    ssh('printf 003f1234567');
    const work = repository({});
    write(work, { 'roles/b': 'x'.repeat(50_000) });
    commitAll(work, 'more');
    git(work, 'push', '--quiet', hub, 'main:troupe/agency', '--force');
    await expect(own.snapshot(over, 'troupe/agency')).rejects.toThrow(coded('remote_unreachable'));
    ssh('head -c 100000 /dev/urandom');
    await expect(own.snapshot(over, 'troupe/agency')).rejects.toThrow(coded('remote_unreachable'));
    // it sends more than is taken
    ssh(`for last; do :; done; eval "exec $last"`);
    for (const name of ['a', 'b']) writeFileSync(path.join(work, name), randomBytes(1024 * 1024));
    commitAll(work, 'large');
    git(work, 'push', '--quiet', hub, 'main:troupe/agency', '--force');
    const bounded = remotes({ environment, remoteBytes: 1024 * 1024 });
    await expect(bounded.own.snapshot(over, 'troupe/agency')).rejects.toThrow(coded('too_large'));
    for (const folder of [cache, bounded.cache])
      expect(
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.includes('.part-')),
      ).toEqual([]);
  },
);

verifies('fed.remote', 'as much as is allowed is read, to the byte', async () => {
  const hub = bare();
  const work = repository({ a: 'x' });
  git(work, 'push', '--quiet', hub, 'main:troupe/agency');
  const measured = remotes();
  await measured.own.snapshot(at(hub), 'troupe/agency');
  const [place = ''] = readdirSync(measured.cache);
  const [commit = ''] = readdirSync(path.join(measured.cache, place));
  const packs = path.join(measured.cache, place, commit, 'objects/pack');
  const remoteBytes = readdirSync(packs).reduce((sum, name) => sum + statSync(path.join(packs, name)).size, 0);
  expect(remoteBytes).toBeGreaterThan(0);
  expect((await remotes({ remoteBytes }).own.snapshot(at(hub), 'troupe/agency'))?.commit).toBe(commit);
  const less = remotes({ remoteBytes: remoteBytes - 1 });
  await expect(less.own.snapshot(at(hub), 'troupe/agency')).rejects.toThrow(coded('too_large'));
});

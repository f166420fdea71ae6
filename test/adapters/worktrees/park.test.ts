import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { git, write } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { apart, exchangeOver } from './apart.js';
import { portsOf } from './place.js';

const PARKED = 'refs/wg/park/agent-1';

verifies(
  'fleet.code',
  'all that an attempt has is set aside under a ref, and nothing of it is changed where it was made',
  async () => {
    const { folder, worker, remote } = apart('bare');
    const { integration } = portsOf(folder, { exchange: exchangeOver(folder, remote) });
    const { trees } = portsOf(worker, { exchange: exchangeOver(worker, remote) });
    const key = { task: 'build', attempt: 1 };
    expect(await trees.park(key, PARKED), 'there is nothing').toBe(false);
    const { path: tree } = await trees.create({ ...key, base: await integration.base() });
    expect(await trees.park(key, PARKED), 'nothing was made').toBe(false);
    write(tree, { 'f.txt': 'mine\n', 'new.txt': 'new\n', '.workgraph/config.toml': '# mine\n' });
    expect(await trees.park(key, PARKED)).toBe(true);
    expect(git(remote, 'show', `${PARKED}:f.txt`)).toBe('mine\n');
    expect(git(remote, 'show', `${PARKED}:new.txt`)).toBe('new\n');
    expect(git(remote, 'ls-tree', '-r', '--name-only', PARKED)).not.toContain('.workgraph');
    expect(git(tree, 'status', '--porcelain', '--', 'f.txt', 'new.txt')).toBe(' M f.txt\n?? new.txt\n');

    // In the middle of a merge with a conflict nothing can be published.
    git(tree, 'commit', '--quiet', '--all', '-m', 'mine');
    git(tree, 'branch', 'other', 'HEAD~1');
    git(tree, 'stash', '--quiet', '--include-untracked');
    git(tree, 'checkout', '--quiet', '--detach', 'other');
    write(tree, { 'f.txt': 'theirs\n' });
    git(tree, 'commit', '--quiet', '--all', '-m', 'theirs');
    const theirs = git(tree, 'rev-parse', 'HEAD').trim();
    git(tree, 'checkout', '--quiet', 'wg/build/1');
    expect(() => git(tree, 'merge', theirs)).toThrow();
    writeFileSync(path.join(tree, 'half.txt'), 'half\n');
    expect(await trees.publish(key)).toMatchObject({ outcome: 'kept', reason: 'unfinished' });
    expect(await trees.park(key, 'refs/wg/park/agent-2')).toBe(true);
    expect(git(remote, 'show', 'refs/wg/park/agent-2:f.txt')).toContain('<<<<<<<');
    expect(git(remote, 'show', 'refs/wg/park/agent-2:half.txt')).toBe('half\n');
    expect(existsSync(path.join(tree, 'half.txt'))).toBe(true);
    await expect(trees.park(key, PARKED), 'nothing is forced').rejects.toMatchObject({ code: 'remote_went_back' });
  },
);

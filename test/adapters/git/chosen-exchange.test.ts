import { realpathSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { ChosenExchange, gitRemoteOf } from '#adapters/git/chosen-exchange.js';
import { LocalGit } from '#adapters/git/local-git.js';
import { ONE_REPOSITORY } from '#adapters/git/one-repository.js';
import { INTEGRATION } from '#core/runs/names.js';
import { git, repository } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { exchangeOver } from '../worktrees/apart.js';

verifies('fleet.code', 'a remote is a name of this clone, and an address that git may be told', async () => {
  const folder = realpathSync(repository({ 'f.txt': 'one\n' }));
  const local = new LocalGit(process.env);
  git(folder, 'remote', 'add', 'hub', '/srv/hub of ours.git');
  git(folder, 'remote', 'add', 'beside', '../beside.git');
  git(folder, 'remote', 'add', 'ssh', 'git@example.org:team/shop.git');
  git(folder, 'remote', 'add', 'shell', 'ext::sh -c true');
  expect(await gitRemoteOf(local, folder, 'hub')).toEqual({
    address: 'file:///srv/hub%20of%20ours.git',
    protocols: 'file',
  });
  expect((await gitRemoteOf(local, folder, 'beside')).address).toBe(
    pathToFileURL(path.join(path.dirname(folder), 'beside.git')).href,
  );
  expect((await gitRemoteOf(local, folder, 'ssh')).protocols).toBe('https:ssh');
  await expect(gitRemoteOf(local, folder, 'shell')).rejects.toMatchObject({ code: 'bad_input' });
  await expect(gitRemoteOf(local, folder, 'origin')).rejects.toMatchObject({ code: 'bad_config' });
});

verifies('fleet.code', 'an exchange is chosen once for all steps of a call, when the first needs it', async () => {
  const folder = realpathSync(repository({ 'f.txt': 'one\n' }));
  const hub = path.join(realpathSync(room('hub')), 'hub.git');
  git(path.dirname(hub), 'clone', '--quiet', '--bare', '--', folder, hub);
  const head = git(folder, 'rev-parse', 'HEAD').trim();
  let chosen = ONE_REPOSITORY;
  let choices = 0;
  const newExchange = () =>
    new ChosenExchange(async () => {
      choices++;
      return chosen;
    });
  const [early, exchange] = [newExchange(), newExchange()];
  expect(choices).toBe(0);
  expect(await early.publish(INTEGRATION, head)).toBe(true);
  chosen = exchangeOver(folder, hub);
  expect(await early.follow(INTEGRATION), 'still the first').toBeUndefined();
  expect(await exchange.follow(INTEGRATION), 'nothing was pushed before').toBeUndefined();
  expect(await exchange.publish(INTEGRATION, head)).toBe(true);
  expect(await exchange.follow(INTEGRATION)).toBe(head);
  await exchange.bring(head, INTEGRATION);
  await exchange.withdraw(INTEGRATION, head);
  expect(await exchange.follow(INTEGRATION)).toBeUndefined();
  expect(choices).toBe(2);
});

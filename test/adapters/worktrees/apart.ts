import { mkdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { LocalGit } from '#adapters/git/local-git.js';
import { ONE_REPOSITORY } from '#adapters/git/one-repository.js';
import { RemoteExchange } from '#adapters/git/remote-exchange.js';
import { LocalPrograms } from '#adapters/processes/local-programs.js';
import { git, repository } from '../../repository.js';
import { room } from '../../room.js';
import { type JoinedPorts, joined, ownOf, portsOf } from './place.js';

/** Exchanges a folder through a repository on this machine. */
export function exchangeOver(folder: string, remote: string, environment: NodeJS.ProcessEnv = process.env) {
  return new RemoteExchange({
    environment,
    programs: new LocalPrograms({ projectFolder: folder, environment: {} }),
    git: new LocalGit(environment),
    folder,
    at: { address: remote, protocols: 'file' },
  });
}

/** Attempts and their results in two repositories that exchange through a bare one or through the person's. */
export interface Apart {
  /** The person's project. */
  readonly folder: string;
  /** The repository of the attempts: a clone without checked-out files. */
  readonly worker: string;
  readonly remote: string;
  readonly worktrees: JoinedPorts;
  own(): Record<string, string>;
}

export function apart(over: 'bare' | 'person', files: Readonly<Record<string, string>> = { 'f.txt': 'one\n' }): Apart {
  const folder = realpathSync(repository(files));
  const above = realpathSync(room('apart'));
  const hub = path.join(above, 'hub.git');
  if (over === 'bare') git(above, 'clone', '--quiet', '--bare', '--', folder, hub);
  const remote = over === 'bare' ? hub : folder;
  const worker = path.join(above, 'worker');
  git(above, 'clone', '--quiet', '--no-checkout', '--', remote, worker);
  for (const project of [folder, worker]) mkdirSync(path.join(project, '.workgraph'));
  return { folder, worker, remote, worktrees: joinedOver({ folder, worker, remote }), own: () => ownOf(folder) };
}

/** The ports of both sides, as on two machines. */
export function joinedOver(
  { folder, worker, remote }: Pick<Apart, 'folder' | 'worker' | 'remote'>,
  environment: NodeJS.ProcessEnv = process.env,
): JoinedPorts {
  const over = (from: string) => (from === remote ? ONE_REPOSITORY : exchangeOver(from, remote, environment));
  const { trees } = portsOf(worker, { environment, exchange: over(worker) });
  const { integration } = portsOf(folder, { environment, exchange: over(folder) });
  return joined({ trees, integration });
}

import { ChosenExchange, gitRemoteOf } from '#adapters/git/chosen-exchange.js';
import { ONE_REPOSITORY } from '#adapters/git/one-repository.js';
import { projectFolderOf } from '#main/project.js';
import type { Exchange } from '#ports/exchange.js';
import type { Git } from '#ports/git.js';
import type { Programs } from '#ports/programs.js';
import type { Project } from '#ports/project.js';

interface ExchangeParts {
  readonly git: Git;
  programs(): Promise<Programs>;
  /** Name of the configured git remote; undefined if none is set. */
  remote(): Promise<string | undefined>;
}

/**
 * Returns a function that creates the commit exchange between the machines of a project, for the steps of one call. Only
 * a project in a database spans several machines, and only with a configured remote.
 */
export function projectExchange(project: Project, { git, programs, remote }: ExchangeParts): () => Exchange {
  if (project.store.kind === 'files') return () => ONE_REPOSITORY;
  const folder = projectFolderOf(project);
  const chosen = async () => {
    const name = await remote();
    if (name === undefined) return ONE_REPOSITORY;
    const { RemoteExchange } = await import('#adapters/git/remote-exchange.js');
    const at = await gitRemoteOf(git, folder, name);
    return new RemoteExchange({ environment: process.env, programs: await programs(), git, folder, at });
  };
  return () => new ChosenExchange(chosen);
}

import { ForgeProgram, forgeEnvironment } from '#adapters/forges/forge-program.js';
import { GitHubApi } from '#adapters/forges/github.js';
import { GitLabApi } from '#adapters/forges/gitlab.js';
import { RepositoryForge } from '#adapters/forges/repository-forge.js';
import { gitRemoteOf } from '#adapters/git/chosen-exchange.js';
import { RemoteExchange } from '#adapters/git/remote-exchange.js';
import { LocalClientPrograms } from '#adapters/processes/local-client-programs.js';
import { sharedEnvironment } from '#adapters/runs/environment.js';
import { type ForgeAddress, type ForgeName, forgeAddress, remoteAddress } from '#core/imports/forges.js';
import { systemClock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { PLACES } from '#main/places.js';
import { projectFolderOf } from '#main/project.js';
import type { Forge } from '#ports/forge.js';
import type { Git } from '#ports/git.js';
import type { Processes } from '#ports/processes.js';
import type { Programs } from '#ports/programs.js';
import type { Project } from '#ports/project.js';

interface Parts {
  readonly git: Git;
  readonly programs: Programs;
  readonly processes: Processes;
}

interface Wanted {
  readonly name: ForgeName;
  readonly repository: string | undefined;
  /** Ends the program early. */
  readonly signal: AbortSignal | undefined;
}

/** Remote of the clone that is the repository at the forge. */
const REMOTE = 'origin';

/** A forge, as the person's own program shows it. `repository` is a name; by default that of the remote `origin`. */
export async function forgeOf(
  project: Project,
  { name, repository, signal }: Wanted,
  { git, programs, processes }: Parts,
): Promise<Forge> {
  const folder = projectFolderOf(project);
  const environment = forgeEnvironment(
    sharedEnvironment(process.env, { projectFolder: folder, command: PLACES.command }),
    process.env,
  );
  const at = repository === undefined ? await addressOfRemote(git, folder, name) : forgeAddress(name, repository);
  const program = await new LocalClientPrograms(folder, process.env).find(name === 'github' ? 'gh' : 'glab');
  const api = new ForgeProgram(name, { programs, program, environment, folder, host: at.host, signal });
  return new RepositoryForge(name, {
    api: name === 'github' ? new GitHubApi(api) : new GitLabApi(api),
    wanted: at.name,
    lock: processes.lock(project.layout.forgeLock, systemClock),
    exchange: async () => {
      const place = await gitRemoteOf(git, folder, REMOTE);
      return new RemoteExchange({ environment: process.env, programs, git, folder, at: place });
    },
  });
}

async function addressOfRemote(git: Git, folder: string, name: ForgeName): Promise<ForgeAddress> {
  const url = (await git.tryOutput(folder, ['remote', 'get-url', REMOTE]))?.trim() ?? '';
  const found = remoteAddress(name, url);
  if (found !== undefined) return found;
  throw new TroupeError('forge_failed', {
    what: `The remote ${REMOTE} of this clone does not name a repository of ${name === 'github' ? 'GitHub' : 'GitLab'}.`,
    hint: 'Name it: `--repo owner/name`.',
  });
}

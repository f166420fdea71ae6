import path from 'node:path';
import { RemoteAgencies } from '#adapters/agency/remote-agencies.js';
import { homeFolder } from '#adapters/disk/home-folder.js';
import { systemClock } from '#kernel/clock.js';
import { freshId } from '#kernel/hash.js';
import type { JsonObject } from '#kernel/json.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { projectAt } from '#main/project.js';
import { serviceAt } from '#main/service-at.js';
import type { Context } from '#operations/operation.js';
import type { AgencyRemotes } from '#ports/agency-remotes.js';
import type { Caller } from '#ports/callers.js';
import type { Processes } from '#ports/processes.js';
import type { Programs } from '#ports/programs.js';
import type { Project } from '#ports/project.js';

interface Parts {
  readonly processes: Processes;
  programs(): Promise<Programs>;
  /** Opens a project that has no service. */
  open(project: Project): { context(caller: Caller): Context; close(): Promise<void> };
}

/** Agencies of other projects of this machine. Each is changed by its running service, otherwise in this process. */
export function agencyRemotes({ processes, programs, open }: Parts): AgencyRemotes {
  const environment = process.env;
  const call = async (folder: string, person: string, operation: string, input: JsonObject) => {
    const caller = { kind: 'person', name: person } as const;
    const project = projectAt(folder);
    const reply = await serviceAt(project).ask({ cmd: 'operation', name: operation, input, request_id: freshId() });
    if (reply.state === 'answered') return reply.result;
    const [{ OPERATIONS }, { callOperation }] = await Promise.all([
      import('#operations/table.js'),
      import('#operations/call.js'),
    ]);
    const spec = OPERATIONS.find(({ name }) => name === operation);
    if (!spec) throw new Error(`no operation ${operation}`);
    const opened = open(project);
    try {
      return await callOperation(spec, opened.context(caller), input);
    } finally {
      await opened.close();
    }
  };
  const git = async () => {
    const { RemoteRepositories } = await import('#adapters/git/remote-repositories.js');
    return new RemoteRepositories({
      programs: await programs(),
      environment,
      cache: cacheFolder(environment),
      clock: systemClock,
      bounds: AGENCY_LIMITS,
    });
  };
  return new RemoteAgencies({ processes, clock: systemClock, git, call });
}

/** Cache folder for clones of other repositories. A relative `XDG_CACHE_HOME` is ignored. */
function cacheFolder(environment: NodeJS.ProcessEnv): string {
  const named = environment['XDG_CACHE_HOME'];
  return path.join(named && path.isAbsolute(named) ? named : path.join(homeFolder(), '.cache'), 'troupe', 'remotes');
}

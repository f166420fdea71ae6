import { RemoteAgencies } from '#adapters/agency/remote-agencies.js';
import { LocalGit } from '#adapters/git/local-git.js';
import { RemoteRepositories } from '#adapters/git/remote-repositories.js';
import { RepositoryInspector } from '#adapters/inspectors/repository-inspector.js';
import { LocalPrograms } from '#adapters/processes/local-programs.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { type Entity, shortId } from '#core/agency/entities.js';
import { fileText } from '#core/agency/entity-text.js';
import { systemClock } from '#kernel/clock.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { agencyPull } from '#operations/agency/pull.js';
import type { AgencyFile } from '#ports/agency.js';
import { room } from '../../room.js';
import { stage } from './place.js';

type Stage = Awaited<ReturnType<typeof stage>>;

/** Two projects on one machine; the other one is changed by its own operations. */
export async function twoProjects() {
  const places = new Map<string, Stage>();
  const cache = room();
  const remotes = new RemoteAgencies({
    ...{ processes: new ProcessTable(), clock: systemClock },
    git: async () =>
      new RemoteRepositories({
        environment: process.env,
        programs: new LocalPrograms({ projectFolder: cache, environment: {} }),
        cache,
        clock: systemClock,
        bounds: AGENCY_LIMITS,
      }),
    call: async (folder, _person, name, input) => {
      const other = places.get(folder);
      if (!other || name !== 'agency.pull') throw new Error(`nobody answers ${name} in ${folder}`);
      return await other.call(agencyPull, input);
    },
  });
  const environment = { ROUTE_PASSWORD: 'quite-an-ordinary-passphrase' };
  const inspector = new RepositoryInspector({
    ...{ projectFolder: cache, git: new LocalGit(process.env), environment },
    programs: new LocalPrograms({ projectFolder: cache, environment: {} }),
  });
  const make = async () => {
    const own = await stage({
      agencyRemotes: async () => remotes,
      inspector: async () => inspector,
      skills: async () => ({ resolve: async () => [] }) as never,
    });
    places.set(own.project, own);
    return own;
  };
  const [here, there] = [await make(), await make()];
  return { here, there, close: async () => await Promise.all([here.store.close(), there.store.close()]) };
}

/** Adds files to an agency as if they had always been there. */
export async function fill({ agency }: Stage, entities: readonly Entity[], more: readonly AgencyFile[] = []) {
  const files = entities.map((entity) => ({
    ...{ kind: entity.kind, id: entity.id, retired: entity.retired === true, text: fileText(entity) },
  }));
  await agency.change(
    async () => true,
    async (_records, write) => await write([...files, ...more], 0, async () => true),
  );
}

export const names = (rows: readonly { kind: string; id: string; action: string }[]) =>
  rows.map(({ kind, id, action }) => `${action} ${kind} ${shortId(id)}`).sort();

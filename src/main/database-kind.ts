import type { DatabasePlace } from '#main/database-place.js';
import { PLACES } from '#main/places.js';
import type { StoreKind } from '#ports/graph-store.js';
import type { Processes } from '#ports/processes.js';
import type { Project } from '#ports/project.js';

/** Store of a project in the database that the person chose on this machine. The choice is read on the first call. */
export function databaseStoreKind(project: Project, name: string, processes: () => Promise<Processes>): StoreKind {
  let opening: Promise<StoreKind> | undefined;
  const kind = () => {
    opening ??= (async () => {
      const { chosenPlace } = await import('#main/database-place.js');
      return await databaseKind(chosenPlace(project, name, await processes()), project);
    })();
    return opening;
  };
  return {
    initialise: async () => (await kind()).initialise(),
    open: async (stopWaiting) => (await kind()).open(stopWaiting),
    turn: (stopWaiting) => ({
      isFree: () => false,
      exclusively: async (work) => (await kind()).turn(stopWaiting).exclusively(work),
    }),
    hold: async (options) => (await kind()).hold(options),
    holder: async () => (await kind()).holder(),
    doctor: async () => (await kind()).doctor(),
    async *lines() {
      yield* (await kind()).lines();
    },
    receive: async (lines) => (await kind()).receive(lines),
  };
}

export async function databaseKind({ address, name }: DatabasePlace, { layout }: Project): Promise<StoreKind> {
  const { postgresStoreKind } = await import('#adapters/store/postgres/postgres-store-kind.js');
  const { processInWords } = await import('#main/database-place.js');
  return postgresStoreKind({
    address,
    project: name,
    migrations: PLACES.database,
    folder: layout.folder,
    who: processInWords(),
  });
}

import { FileRunFolders } from '#adapters/runs/run-outputs.js';
import { type GraphLayout, runsFoldersOf } from '#kernel/graph-folder.js';
import type { Processes } from '#ports/processes.js';
import type { RunFolders } from '#ports/run-folders.js';

/** The part of what is known of runs that tells who somebody is. */
export type KnownRuns = Pick<RunFolders, 'identity' | 'atWork' | 'named' | 'prompt'>;

/**
 * The runs of a project that work at this machine, by their folders: those of its service, and those that it carries out as a worker. None
 * of them is a person, whichever of the two it is asked of.
 */
export function runsKnownHere(layout: GraphLayout, processes: () => Promise<Processes>): KnownRuns {
  return knownTogether(runsFoldersOf(layout).map((folder): KnownRuns => new FileRunFolders(folder, processes)));
}

/** What several places know of runs, as one: the first that knows of a run tells. */
export function knownTogether(places: readonly KnownRuns[]): KnownRuns {
  const first = async <Value>(ask: (place: KnownRuns) => Promise<Value | undefined>): Promise<Value | undefined> => {
    for (const place of places) {
      const value = await ask(place);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  return {
    identity: (run) => first((place) => place.identity(run)),
    prompt: (run, maxBytes) => first((place) => place.prompt(run, maxBytes)),
    atWork: async () => (await Promise.all(places.map((place) => place.atWork()))).flat(),
    named: (folder) => places.map((place) => place.named(folder)).find((run) => run !== undefined),
  };
}

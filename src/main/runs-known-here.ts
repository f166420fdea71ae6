import { FileRunFolders } from '#adapters/runs/run-outputs.js';
import { type GraphLayout, runsFoldersOf } from '#kernel/graph-folder.js';
import type { Processes } from '#ports/processes.js';
import type { RunFolders } from '#ports/run-folders.js';

/** The part of `RunFolders` that serves to identify callers. */
export type KnownRuns = Pick<RunFolders, 'identity' | 'atWork' | 'named' | 'prompt'>;

/**
 * Runs of a project on this machine, from their folders: those of its service and those it executes as a worker. Both
 * are included for either caller, so that a run of one kind never passes for a person with the other.
 */
export function runsKnownHere(layout: GraphLayout, processes: () => Promise<Processes>): KnownRuns {
  return knownTogether(runsFoldersOf(layout).map((folder): KnownRuns => new FileRunFolders(folder, processes)));
}

/** Combines several sources; the first that knows a run answers. */
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

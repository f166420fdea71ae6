import type { Git } from '#ports/git.js';
import type { Processes } from '#ports/processes.js';
import { findPlace, type Place } from './place.js';
import { Refs } from './refs.js';
import { Workshop } from './workshop.js';

/** What every step works with, for one call. */
export interface Workbench {
  readonly git: Git;
  readonly processes: Processes;
  readonly place: Place;
  /** The project from the top of the repository. */
  readonly below: string;
  readonly refs: Refs;
  readonly workshop: Workshop;
}

export async function openWorkbench(git: Git, processes: Processes, projectFolder: string): Promise<Workbench> {
  const place = await findPlace(git, projectFolder);
  return {
    git,
    processes,
    place,
    below: place.below,
    refs: new Refs(git, place.top),
    workshop: new Workshop(git, processes, place),
  };
}

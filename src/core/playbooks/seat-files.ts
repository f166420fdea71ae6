// Files that a seat of a formation hands in.
import type { Task } from '#core/graph/task.js';
import { isInside } from '#kernel/paths.js';
import { FORMATIONS, placeOf } from './formation.js';

/** Deliverables of a seat: paths from the root of the project, by name within the folder of the run. */
export interface SeatFiles {
  readonly run: string;
  readonly files: ReadonlyMap<string, string>;
}

/** Undefined for a task that is not a seat, or has no deliverables. */
export function seatFilesOf(task: Pick<Task, 'tags' | 'deliverables'>): SeatFiles | undefined {
  const place = placeOf(task.tags);
  const formation = Object.values(FORMATIONS).find(({ lane }) => lane === place?.lane);
  if (place === undefined || formation === undefined) return undefined;
  const folder = `${formation.folder}/runs/${place.run}`;
  const files = (task.deliverables ?? []).filter((file) => isInside(folder, file) && file !== folder);
  if (files.length === 0) return undefined;
  return { run: place.run, files: new Map(files.map((file) => [file.slice(folder.length + 1), file])) };
}

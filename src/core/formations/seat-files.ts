// The files that a seat of a formation hands in.
import type { Task } from '#core/graph/task.js';
import { isInside } from '#kernel/paths.js';
import { FORMATIONS, placeOf } from './formation.js';

/** What a seat hands in: paths from the top of the project by their names within the folder of the run. */
export interface SeatFiles {
  readonly run: string;
  readonly files: ReadonlyMap<string, string>;
}

/** Undefined of a task that is no seat of a formation, or that hands in nothing. */
export function seatFilesOf(task: Pick<Task, 'tags' | 'deliverables'>): SeatFiles | undefined {
  const place = placeOf(task.tags);
  const formation = Object.values(FORMATIONS).find(({ lane }) => lane === place?.lane);
  if (place === undefined || formation === undefined) return undefined;
  const folder = `${formation.folder}/runs/${place.run}`;
  const files = (task.deliverables ?? []).filter((file) => isInside(folder, file) && file !== folder);
  if (files.length === 0) return undefined;
  return { run: place.run, files: new Map(files.map((file) => [file.slice(folder.length + 1), file])) };
}

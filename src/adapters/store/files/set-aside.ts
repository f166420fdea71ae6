import { existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { timestamp } from '#kernel/clock.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { storeError } from './disk.js';

/**
 * Puts the files of a graph that is kept elsewhere from now on out of the way, with the tables beside it. Nothing is removed. To be called
 * by the holder of the write lock. Answers their new folder.
 */
export function setGraphAside(paths: GraphLayout, at: number): string {
  const { log, graph, pieces, archive, teams, mark, base, kept, answers, outline, lostAndFound } = paths;
  const folder = path.join(lostAndFound, `moved-${timestamp(at).replaceAll(/[:.]/g, '-')}`);
  // The log last: until it is gone, whoever finds the others missing makes them again from it.
  const files = [
    outline,
    answers,
    base,
    mark,
    `${teams}-shm`,
    `${teams}-wal`,
    teams,
    archive,
    pieces,
    graph,
    kept,
    log,
  ];
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const file of files) if (existsSync(file)) renameSync(file, path.join(folder, path.basename(file)));
  } catch (error) {
    throw storeError(error, folder);
  }
  return folder;
}

import { existsSync, mkdirSync, renameSync } from 'node:fs';
import path from 'node:path';
import { timestamp } from '#kernel/clock.js';
import { PRIVATE_FOLDER } from '#kernel/file-modes.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { storeError } from './disk.js';

/**
 * Moves the graph files and the tables beside them aside after the graph has moved to another store. Deletes nothing.
 * Requires the write lock. Returns the new folder.
 */
export function setGraphAside(paths: GraphLayout, at: number): string {
  const { log, graph, pieces, archive, teams, mark, base, kept, answers, outline, lostAndFound } = paths;
  const folder = path.join(lostAndFound, `moved-${timestamp(at).replaceAll(/[:.]/g, '-')}`);
  // The log goes last: as long as it exists, missing files are rebuilt from it.
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
    mkdirSync(folder, { recursive: true, mode: PRIVATE_FOLDER });
    for (const file of files) if (existsSync(file)) renameSync(file, path.join(folder, path.basename(file)));
  } catch (error) {
    throw storeError(error, folder);
  }
  return folder;
}

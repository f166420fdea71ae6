import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import type { Entry } from '#core/graph/event.js';
import { isOneLine, mainLine } from '#core/history/log-history.js';
import { TroupeError } from '#kernel/errors.js';
import { SHARED_FILE } from '#kernel/file-modes.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { parseForeignObject } from '#kernel/json.js';
import { isHistoryOnly, parseEntry } from '../log-line.js';
import { readText, storeError, writeFully } from './disk.js';
import { initialiseStore } from './initialise.js';
import { legacyFiles, legacyText } from './legacy-log.js';
import { bytesFrom } from './log-file.js';
import { piecesBefore, presentLine, unpacked } from './log-pieces.js';

const CHARACTERS_PER_WRITE = 1024 * 1024;
/** Predecessor of the first entry of a log. */
const BEGINNING = { seq: 0, id: undefined };

/**
 * Yields the log with its closed segments, one entry a line as stored, without line ends, preceded by another tool's
 * history. Entries of merged branches are left out: the main line contains the same changes. Errors: `corrupt` if an
 * entry is missing.
 */
export async function* logFileLines(paths: GraphLayout): AsyncIterable<string> {
  yield* foreignLines(paths);
  const present = bytesFrom(paths.log, 0);
  const pieces = piecesBefore(paths, presentLine(paths)[0]?.seq ?? 1);
  let last: Pick<Entry, 'seq' | 'id'> | undefined;
  for (const data of [
    ...pieces.map(
      ({ file }) =>
        () =>
          unpacked(file),
    ),
    () => present,
  ]) {
    const lines = entryLines(data().toString('utf8'));
    const entries = lines.map(({ entry }) => entry);
    if (!isOneLine(entries, last ?? BEGINNING)) throw missing(last?.seq ?? 0);
    for (const { text } of lines) yield text;
    last = entries.at(-1) ?? last;
  }
}

/**
 * Creates the log of a graph from the lines of another store, where no graph exists. Atomic: a killed process leaves
 * none or all of the lines. Errors: `store_not_empty`, `disk_full`, `read_only`, `disk_failed`.
 */
export async function receiveLogFile(paths: GraphLayout, lines: AsyncIterable<string>): Promise<void> {
  if ((readText(paths.log) ?? '') !== '' || (readText(paths.graph) ?? '') !== '')
    throw new TroupeError('store_not_empty', { what: `${paths.folder} holds a graph already.` });
  initialiseStore(paths.folder);
  try {
    const descriptor = openSync(paths.logDraft, 'w', SHARED_FILE);
    try {
      let text = '';
      for await (const line of lines) {
        text += `${line}\n`;
        if (text.length < CHARACTERS_PER_WRITE) continue;
        writeFully(descriptor, Buffer.from(text));
        text = '';
      }
      writeFully(descriptor, Buffer.from(text));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(paths.logDraft, paths.log);
  } catch (error) {
    rmSync(paths.logDraft, { force: true });
    throw storeError(error, paths.log);
  }
}

async function* foreignLines(paths: GraphLayout): AsyncIterable<string> {
  for (const source of legacyFiles(paths)) {
    const { text, problem } = await legacyText(source);
    if (problem !== undefined) throw new TroupeError('corrupt', { what: `${source.file} ${problem}.` });
    for (const line of text.split('\n')) {
      const value = line.trim() === '' ? undefined : parseForeignObject(line);
      if (value !== undefined && typeof value !== 'string' && isHistoryOnly(value)) yield line;
    }
  }
}

/** Entries of one segment that belong to its main line, with their texts. */
function entryLines(text: string) {
  const read = text.split('\n').flatMap((line) => {
    const entry = line.trim() === '' ? undefined : parseEntry(line);
    return entry === undefined ? [] : [{ entry, text: line }];
  });
  const inLine = new Set(mainLine(read.map(({ entry }) => entry)).map(({ id }) => id));
  return read.filter(({ entry }) => inLine.delete(entry.id));
}

function missing(seq: number): TroupeError {
  return new TroupeError('corrupt', {
    what: `The log has no entry after ${seq} that follows it: a segment is missing or damaged.`,
  });
}

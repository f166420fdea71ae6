import {
  chmodSync,
  closeSync,
  copyFileSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { codeOf, isMissing } from '#adapters/disk/safe-path.js';
import { TroupeError } from '#kernel/errors.js';
import type { FileChange } from '#kernel/file-change.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import { freshId, sha256 } from '#kernel/hash.js';
import { parseJsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { type ChangeRecord, parentsOf, type RecordedFile } from './change-record.js';

/** Called with a step name before every disk operation. Tests stop a process there. */
export type StepHook = (step: string) => void | Promise<void>;

/** Location of a change's files and of their backups. */
export interface FilePlaces {
  /** Absolute; paths of changes are relative to it. */
  readonly base: string;
  /** Folder of the change. */
  readonly folder: string;
  /** Permissions of a new file. Its folder is searchable for everyone who may read it. */
  modeOf(file: string): number;
}

/** Thrown if another program changed a file between the decision and its replacement. */
export class FileConflict extends Error {}

/** Folder permissions for files with this mode. */
export const folderMode = (mode: number) => mode | ((mode & 0o444) >> 2);

const NO_LINKS = new Set<unknown>(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);
const kept = ({ folder }: FilePlaces, index: number) => path.join(folder, `before-${index}`);

/** Digests of each file before and after. Backups are hard links where possible, so undo needs no disk space. */
export function recordFiles(
  places: FilePlaces,
  changes: readonly FileChange[],
): Pick<ChangeRecord, 'files' | 'newFolders'> {
  const newFolders = parentsOf(changes).filter((parent) => statOf(path.join(places.base, parent)) === undefined);
  const files = changes.map((change, index) => {
    const target = path.join(places.base, change.path);
    const present = contentOf(target);
    const before = present === undefined ? null : sha256(present);
    if (change.kind === 'replace') refuseOvertaken(change, present);
    const wanted = wantedText(change, present);
    const after = wanted === null ? null : wanted === undefined ? before : sha256(wanted);
    if (before !== null && before !== after) keep(target, kept(places, index));
    return { change, before, after };
  });
  return { files, newFolders };
}

/** Whether each file is flushed before the rename. With many files, only the record is flushed, which has all of it. */
export const isFlushed = ({ boot, files }: ChangeRecord): boolean =>
  boot === '' || files.length <= TEAM_LIMITS.flushedFiles;

/** Writes every file of the change. Errors: `FileConflict`. */
export async function writeRecordedFiles(places: FilePlaces, record: ChangeRecord, step: StepHook): Promise<void> {
  const flushed = isFlushed(record);
  for (const [index, { change, before, after }] of record.files.entries()) {
    const present = contentOf(path.join(places.base, change.path));
    if (before !== after) await put(places, change, { present, flushed, step });
    if (index % TEAM_LIMITS.filesAtOnce === TEAM_LIMITS.filesAtOnce - 1) await new Promise(setImmediate);
  }
}

/** Repeats writes lost when the machine stopped. Files that others have changed since stay as they are. */
export async function redo(places: FilePlaces, record: ChangeRecord, step: StepHook): Promise<void> {
  for (const [index, file] of record.files.entries()) {
    const state = stateOf(places, file);
    if (file.before === file.after || state === 'after' || state === 'other') continue;
    const target = path.join(places.base, file.change.path);
    const present = contentOf(state === 'torn' ? kept(places, index) : target);
    // The file is unchanged or torn, so no check for a conflict is needed.
    const change = file.change.kind === 'replace' ? ({ ...file.change, kind: 'write' } as const) : file.change;
    await put(places, change, { present, flushed: isFlushed(record), step });
  }
}

/** Restores every file and removes the created folders. Can be interrupted and repeated. */
export async function undo(places: FilePlaces, { files, newFolders }: ChangeRecord, step: StepHook): Promise<void> {
  for (const [index, file] of [...files.entries()].reverse()) {
    if (file.before === file.after) continue;
    const target = path.join(places.base, file.change.path);
    await step(`restore ${file.change.path}`);
    const state = stateOf(places, file);
    // Changes that others made meanwhile are kept.
    if (state !== 'after' && state !== 'torn') continue;
    if (file.before === null) rmSync(target, { force: true });
    else restore(kept(places, index), target);
  }
  for (const folder of [...newFolders].reverse()) removeEmpty(path.join(places.base, folder));
}

/** Flushes the folders of the changed files, so that their names survive a power failure. */
export function flushFolders({ base }: FilePlaces, { files }: ChangeRecord): void {
  const changed = files.filter(({ before, after }) => before !== after);
  const folders = changed.map(({ change }) => path.dirname(path.join(base, change.path)));
  for (const folder of new Set(folders)) flush(folder);
}

/** Writes a file and flushes it to disk. */
export function writeFlushed(file: string, text: string): void {
  writeFileSync(file, text, { mode: PRIVATE_FILE });
  flush(file);
}

/** Flushes a file or folder to disk; does nothing if it is gone. */
export function flush(place: string): void {
  let handle: number;
  try {
    handle = openSync(place, 'r');
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

export function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (error) {
    if (!isMissing(error) && codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
  }
}

type FileState = 'before' | 'after' | 'torn' | 'other';

/** Compares a file with its record. After a power failure, unwritten content may be missing or read as zeros (torn). */
function stateOf({ base }: FilePlaces, { change, before, after }: RecordedFile): FileState {
  const present = contentOf(path.join(base, change.path));
  const digest = present === undefined ? null : sha256(present);
  if (digest === after) return 'after';
  if (digest === before) return 'before';
  return present === undefined || present.length === 0 || present.includes(0) ? 'torn' : 'other';
}

/** Applies one change. Idempotent: a write repeats the same content, an append skips existing lines. */
async function put(
  places: FilePlaces,
  change: FileChange,
  { present, flushed, step }: { present: Buffer | undefined; flushed: boolean; step: StepHook },
): Promise<void> {
  const target = path.join(places.base, change.path);
  await step(`${change.kind} ${change.path}`);
  const wanted = wantedText(change, present);
  if (wanted === undefined) return;
  if (wanted === null) {
    rmSync(target, { force: true });
    removeEmpty(path.dirname(target));
    return;
  }
  mkdirSync(path.dirname(target), { recursive: true, mode: folderMode(places.modeOf(change.path)) });
  const part = path.join(places.folder, 'part');
  writeFileSync(part, wanted, { mode: places.modeOf(change.path) });
  const mode = statOf(target)?.mode;
  if (mode !== undefined) chmodSync(part, mode & 0o777);
  if (flushed) flush(part);
  await step(`put ${change.path}`);
  if (change.kind === 'replace') refuseOvertaken(change, contentOf(target));
  moveTo(part, target);
}

function refuseOvertaken({ path: file, was }: Extract<FileChange, { kind: 'replace' }>, present: Buffer | undefined) {
  if ((present === undefined ? null : sha256(present)) !== was) throw new FileConflict(file);
}

/** New text of the file; null to remove it, undefined to leave it unchanged. */
function wantedText(change: FileChange, present: Buffer | undefined): string | null | undefined {
  if (change.kind === 'write' || change.kind === 'replace') return change.text;
  if (change.kind === 'remove') return null;
  if (change.kind === 'append') return withLines(present?.toString('utf8') ?? '', change.lines, change.idField);
  return present === undefined ? change.text : undefined;
}

function withLines(before: string, lines: readonly string[], idField: string): string | undefined {
  const present = new Set(before.split('\n').map((line) => parseJsonObject(line)?.[idField]));
  const missing = lines.filter((line) => !present.has(parseJsonObject(line)?.[idField]));
  if (missing.length === 0) return undefined;
  const ended = before === '' || before.endsWith('\n') ? before : `${before}\n`;
  return ended + missing.map((line) => `${line}\n`).join('');
}

function contentOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

function statOf(file: string) {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Creates a hard link; copies the file if the disk or its owner does not allow links. */
function keep(file: string, place: string): void {
  try {
    linkSync(file, place);
  } catch (error) {
    if (!NO_LINKS.has(codeOf(error))) throw error;
    copyFileSync(file, place);
  }
}

function restore(place: string, target: string): void {
  // The backup folder is inside the repository: a planted link must not become a project file.
  const stats = statOf(place);
  if (stats === undefined) return;
  if (!stats.isFile()) throw new TroupeError('unsafe_path', { what: 'A kept file of a change is not a regular file.' });
  mkdirSync(path.dirname(target), { recursive: true });
  moveTo(place, target);
}

/** Renames a file to its target atomically; from another disk, copies it beside the target first. */
function moveTo(file: string, target: string): void {
  try {
    renameSync(file, target);
  } catch (error) {
    if (codeOf(error) !== 'EXDEV') throw error;
    const beside = path.join(path.dirname(target), `.${freshId()}.draft`);
    copyFileSync(file, beside);
    renameSync(beside, target);
    rmSync(file, { force: true });
  }
}

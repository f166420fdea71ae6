import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { FileChange } from '#core/team/file-change.js';
import { isSquadFile } from '#core/team/squad-paths.js';
import { TroupeError } from '#kernel/errors.js';
import { parseJsonObject } from '#kernel/json.js';
import { cut, inert } from '#kernel/text.js';
import type { TeamNews } from '#ports/squad-files.js';
import { type Before, isBefore, keepBefore, putBack } from './rollback.js';
import { codeOf, diskError, isMissing, safePath } from './safe-path.js';
import type { Following, Marks } from './squad-reader.js';

const ROOM = '.squad/.scratch/txn';
/** The record of a write that is finished by whoever comes next, and of one that is put back by whoever comes next. */
const FORWARD = 'commit.json';
const BACK = 'put-back.json';
/** Stands beside a record whose files are written: they are not written again, somebody may have edited them since. */
const WRITTEN = 'written';

/** Called before every step that touches the disk, with a name for it. Tests stop a process there. */
export type StepHook = (step: string) => void | Promise<void>;

/** Whether a write is under way or was cut off. */
export async function hasPending(project: string): Promise<boolean> {
  return (await operations(project)).length > 0;
}

/** What a write needs besides its changes. */
export interface Writing {
  readonly step: StepHook;
  readonly following: Following;
}

/**
 * Writes all changes or none. They are first put into one record beside the team; renaming that record is the moment of
 * commitment; from then on they are carried out, by us or by whoever comes next. With `restore` it is the other way round: what
 * was there is kept, and until the last change stands a failure or an end of ours puts all of it back. Needs the lock.
 */
export async function writeAll(
  project: string,
  changes: readonly FileChange[],
  { step, following }: Writing,
  restore = false,
): Promise<TeamNews> {
  await checkTargets(project, changes);
  const marks = await following.prepare(changes);
  const folder = path.join(path.dirname(await safePath(project, `${ROOM}/operation`)), randomUUID());
  let before: Before | undefined;
  await step('make folder');
  try {
    await mkdir(folder, { recursive: true });
    await step('stage');
    if (restore) before = await keepBefore(project, folder, changes);
    await writeThrough(path.join(folder, 'staged.json'), JSON.stringify({ changes, before, marks }));
    await step('commit');
    await rename(path.join(folder, 'staged.json'), path.join(folder, restore ? BACK : FORWARD));
    await flushFolder(folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    await tidy(project);
    throw diskError(error);
  }
  if (before === undefined) return await finish(project, folder, { changes, marks }, { step, following });
  try {
    await carryOut(project, folder, changes, step);
    await step('keep');
    // From here on it is no longer put back: what follows it is finished by whoever comes next.
    await writeThrough(path.join(folder, WRITTEN), '');
    await rename(path.join(folder, BACK), path.join(folder, FORWARD));
  } catch (error) {
    await takeBack(project, folder, changes, before, step);
    throw diskError(error, 'The change could not be written completely: everything was restored.');
  }
  return await finish(project, folder, { changes, marks }, { step, following }).catch(() => ({ tasks: [] }));
}

const UNFINISHED = 'The change is not complete: the next command that can write finishes it.';

/**
 * Finishes what was committed, puts back what was cut off, and throws away what was not begun. Needs the lock. `toRead`: whoever
 * only reads is not held up by followers who cannot follow now; the record stays for those who come next.
 */
export async function recover(project: string, writing: Writing, toRead: boolean): Promise<void> {
  const pending = await operations(project);
  for (const name of pending) {
    const folder = path.join(path.dirname(await safePath(project, `${ROOM}/operation`)), name);
    const record = (await recordIn(folder, BACK)) ?? (await recordIn(folder, FORWARD));
    if (record === undefined) {
      await rm(folder, { recursive: true, force: true });
      continue;
    }
    const { changes, before } = record;
    await checkTargets(project, changes);
    if (before) {
      await takeBack(project, folder, changes, before, writing.step);
      continue;
    }
    try {
      await finish(project, folder, record, writing);
    } catch (error) {
      if (!toRead || !(await isWritten(folder))) throw error;
    }
  }
  if (pending.length > 0) await tidy(project);
}

/** The files, then those who follow them, then the record goes: what is cut off is begun again. */
async function finish(
  project: string,
  folder: string,
  { changes, marks }: Pick<Recorded, 'changes' | 'marks'>,
  { step, following }: Writing,
): Promise<TeamNews> {
  try {
    if (!(await isWritten(folder))) await carryOut(project, folder, changes, step);
  } catch (error) {
    throw diskError(error, UNFINISHED);
  }
  const news = await following.follow(changes, marks, step).catch(async (error: unknown) => {
    await writeThrough(path.join(folder, WRITTEN), '');
    throw diskError(error, UNFINISHED);
  });
  try {
    await step('clean up');
    // Without its record the write is over, whatever becomes of the rest.
    await rm(path.join(folder, FORWARD));
  } catch (error) {
    throw diskError(error, UNFINISHED);
  }
  await discard(project, folder);
  return news;
}

async function isWritten(folder: string): Promise<boolean> {
  try {
    return (await lstat(path.join(folder, WRITTEN))).isFile();
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function takeBack(
  project: string,
  folder: string,
  changes: readonly FileChange[],
  before: Before,
  step: StepHook,
): Promise<void> {
  try {
    await putBack(project, folder, changes, before, step);
    await rm(path.join(folder, BACK));
  } catch (error) {
    throw diskError(error, 'The change could not be written completely: the next command that can write restores it.');
  }
  await discard(project, folder);
}

/**
 * A record of a hostile repository must not make us write where code is found and run (`.git/hooks`, a script): only
 * the files of a squad are ever written.
 */
async function checkTargets(project: string, changes: readonly FileChange[]): Promise<void> {
  for (const { path: target } of changes) {
    await safePath(project, target);
    if (!isSquadFile(target)) {
      throw new TroupeError('unsafe_path', {
        what: `${cut(inert(target), 200)} is not a team file: nothing was changed.`,
      });
    }
  }
}

async function operations(project: string): Promise<string[]> {
  const room = path.dirname(await safePath(project, `${ROOM}/operation`));
  try {
    return (await readdir(room)).sort();
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

interface Recorded {
  readonly changes: readonly FileChange[];
  readonly marks: Marks;
  readonly before?: Before | undefined;
}

async function recordIn(folder: string, file: typeof FORWARD | typeof BACK): Promise<Recorded | undefined> {
  let text: string;
  try {
    text = await readFile(path.join(folder, file), 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const { changes, before, marks: recordedMarks }: Readonly<Record<string, unknown>> = parseJsonObject(text) ?? {};
  if (!Array.isArray(changes) || !changes.every(isChange)) throw noRecord(folder, file);
  const marks = marksIn(recordedMarks);
  if (file === FORWARD) return { changes, marks };
  if (!isBefore(before, changes)) throw noRecord(folder, file);
  return { changes, marks, before };
}

function marksIn(value: unknown): Marks {
  const marks = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return Object.fromEntries(marks.filter(([, mark]) => Number.isSafeInteger(mark)));
}

function noRecord(folder: string, file: string): TroupeError {
  return new TroupeError('corrupt', {
    what: `${ROOM}/${path.basename(folder)}/${file} is not a record of Troupe.`,
    hint: 'Remove the folder that holds it.',
  });
}

/** A record is a file in the repository and may have been put there: it is believed in its form only, never in its paths. */
function isChange(value: unknown): value is FileChange {
  if (typeof value !== 'object' || value === null) return false;
  const change = value as Record<string, unknown>;
  if (typeof change['path'] !== 'string') return false;
  if (change['kind'] === 'write' || change['kind'] === 'create') return typeof change['text'] === 'string';
  const { lines } = change;
  if (change['kind'] === 'append') {
    return (
      typeof change['idField'] === 'string' && Array.isArray(lines) && lines.every((line) => typeof line === 'string')
    );
  }
  return change['kind'] === 'remove';
}

/** Every change can be made twice: a write writes the same again, an append passes over lines that are there. */
async function carryOut(
  project: string,
  folder: string,
  changes: readonly FileChange[],
  step: StepHook,
): Promise<void> {
  for (const change of changes) {
    const target = path.join(project, change.path);
    await step(`${change.kind} ${change.path}`);
    if (change.kind === 'remove') {
      await rm(target, { force: true });
      await removeEmpty(path.dirname(target));
      continue;
    }
    const text = await textFor(target, change);
    if (text === undefined) continue;
    await mkdir(path.dirname(target), { recursive: true });
    const part = path.join(folder, 'part');
    await writeThrough(part, text);
    await step(`put ${change.path}`);
    await rename(part, target);
  }
}

/** What is left of a write that is over; what cannot be removed now is removed with the next write. */
async function discard(project: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  await tidy(project).catch(() => undefined);
}

/** What shall stand in the file; undefined where it may stay as it is. */
async function textFor(target: string, change: Exclude<FileChange, { kind: 'remove' }>): Promise<string | undefined> {
  if (change.kind === 'write') return change.text;
  if (change.kind === 'append') return await withLines(target, change.lines, change.idField);
  try {
    await lstat(target);
    return undefined;
  } catch (error) {
    if (isMissing(error)) return change.text;
    throw error;
  }
}

async function withLines(target: string, lines: readonly string[], idField: string): Promise<string | undefined> {
  let before = '';
  try {
    before = await readFile(target, 'utf8');
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  const present = new Set(before.split('\n').map((line) => parseJsonObject(line)?.[idField]));
  const missing = lines.filter((line) => !present.has(parseJsonObject(line)?.[idField]));
  if (missing.length === 0) return undefined;
  const ended = before === '' || before.endsWith('\n') ? before : `${before}\n`;
  return ended + missing.map((line) => `${line}\n`).join('');
}

async function writeThrough(file: string, text: string): Promise<void> {
  const handle = await open(file, 'w');
  try {
    await handle.writeFile(text, 'utf8');
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** The folders of the transaction go when nothing else is in them, up to `.squad` itself. */
async function tidy(project: string): Promise<void> {
  for (const folder of [ROOM, path.dirname(ROOM), path.dirname(path.dirname(ROOM))])
    await removeEmpty(path.join(project, folder));
}

async function removeEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder);
  } catch (error) {
    if (!isMissing(error) && codeOf(error) !== 'ENOTEMPTY' && codeOf(error) !== 'EEXIST') throw error;
  }
}

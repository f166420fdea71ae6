import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { FileChange } from '#core/casting/file-change.js';
import { isSquadFile } from '#core/casting/squad-paths.js';
import { TroupeError } from '#kernel/errors.js';
import { parseJsonObject } from '#kernel/json.js';
import { cut, inert } from '#kernel/text.js';
import { type Before, isBefore, keepBefore, putBack } from './put-back.js';
import { codeOf, diskError, isMissing, safePath } from './safe-path.js';

const ROOM = '.squad/.scratch/txn';
/** The record of a write that is finished by whoever comes next, and of one that is put back by whoever comes next. */
const FORWARD = 'commit.json';
const BACK = 'put-back.json';

/** Called before every step that touches the disk, with a name for it. Tests stop a process there. */
export type StepHook = (step: string) => void | Promise<void>;

/** Whether a write is under way or was cut off. */
export async function hasPending(project: string): Promise<boolean> {
  return (await operations(project)).length > 0;
}

/**
 * Writes all changes or none. They are first put into one record beside the team; renaming that record is the moment of
 * commitment; from then on they are carried out, by us or by whoever comes next. With `restore` it is the other way round: what
 * was there is kept, and until the last change stands a failure or an end of ours puts all of it back. Needs the lock.
 */
export async function writeAll(
  project: string,
  changes: readonly FileChange[],
  step: StepHook,
  restore = false,
): Promise<void> {
  await checkTargets(project, changes);
  const folder = path.join(path.dirname(await safePath(project, `${ROOM}/operation`)), randomUUID());
  const file = restore ? BACK : FORWARD;
  let before: Before | undefined;
  await step('make folder');
  try {
    await mkdir(folder, { recursive: true });
    await step('stage');
    if (restore) before = await keepBefore(project, folder, changes);
    await writeThrough(path.join(folder, 'staged.json'), JSON.stringify({ changes, before }));
    await step('commit');
    await rename(path.join(folder, 'staged.json'), path.join(folder, file));
    await flushFolder(folder);
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    await tidy(project);
    throw diskError(error);
  }
  try {
    await carryOut(project, folder, { file, changes, before }, step);
  } catch (error) {
    if (before === undefined) throw diskError(error, UNFINISHED);
    await takeBack(project, folder, changes, before, step);
    throw diskError(error, 'The change could not be written whole: everything was put back as it was.');
  }
}

const UNFINISHED = 'The change was decided but is not complete: it is finished with the next command that can write.';

/** Finishes what was committed, puts back what was cut off, and throws away what was not begun. Needs the lock. */
export async function recover(project: string, step: StepHook): Promise<void> {
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
    if (before) await takeBack(project, folder, changes, before, step);
    else
      await carryOut(project, folder, record, step).catch((error: unknown) => {
        throw diskError(error, UNFINISHED);
      });
  }
  if (pending.length > 0) await tidy(project);
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
    throw diskError(error, 'The change could not be written whole: the next command that can write puts it back.');
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
        what: `${cut(inert(target), 200)} is no file of the team: nothing was changed.`,
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
  readonly file: typeof FORWARD | typeof BACK;
  readonly changes: readonly FileChange[];
  readonly before?: Before | undefined;
}

async function recordIn(folder: string, file: Recorded['file']): Promise<Recorded | undefined> {
  let text: string;
  try {
    text = await readFile(path.join(folder, file), 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const { changes, before }: Readonly<Record<string, unknown>> = parseJsonObject(text) ?? {};
  if (!Array.isArray(changes) || !changes.every(isChange)) throw noRecord(folder, file);
  if (file === FORWARD) return { file, changes };
  if (!isBefore(before, changes)) throw noRecord(folder, file);
  return { file, changes, before };
}

function noRecord(folder: string, file: Recorded['file']): TroupeError {
  return new TroupeError('corrupt', {
    what: `${ROOM}/${path.basename(folder)}/${file} is no record of Troupe's.`,
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
async function carryOut(project: string, folder: string, { file, changes }: Recorded, step: StepHook): Promise<void> {
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
  await step('clean up');
  // Without its record the write is over, whatever becomes of the rest.
  await rm(path.join(folder, file));
  await discard(project, folder);
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

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '#adapters/disk/safe-path.js';
import { TroupeError } from '#kernel/errors.js';
import type { FileChange } from '#kernel/file-change.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';

/** Change of one file, with the SHA-256 of its content before and after; null if there is no file. */
export interface RecordedFile {
  readonly change: FileChange;
  readonly before: string | null;
  readonly after: string | null;
}

/** Recorded change of several files. */
export interface ChangeRecord {
  /** Name, also used in the log. */
  readonly name: string;
  /** Log position after which an entry of this name commits it; null if the record itself does. */
  readonly from: number | null;
  /** Boot id of the machine when the files were written; empty if the system provides none. */
  readonly boot: string;
  readonly files: readonly RecordedFile[];
  /** Folders created by the change, relative to the base, outermost first. */
  readonly newFolders: readonly string[];
}

/** File names of a record. Without a log, the second name commits the change. */
export const RECORD_PHASES = { staged: 'staged.json', committed: 'committed.json' } as const;
export type RecordPhase = keyof typeof RECORD_PHASES;

/** Reads the record in a change folder, with its phase; undefined before it was staged. Errors: `corrupt`. */
export async function readRecord(folder: string): Promise<{ record: ChangeRecord; phase: RecordPhase } | undefined> {
  for (const phase of ['committed', 'staged'] as const) {
    const text = await textOf(path.join(folder, RECORD_PHASES[phase]));
    if (text === undefined) continue;
    const record = recordIn(text);
    if (record !== undefined) return { record, phase };
    throw new TroupeError('corrupt', {
      what: `${path.basename(folder)}/${RECORD_PHASES[phase]} is not a record of a change by Troupe.`,
      hint: `Remove ${folder}.`,
    });
  }
  return undefined;
}

async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Validates the form of a record, which may come from a repository. Its paths are checked before use. */
function recordIn(text: string): ChangeRecord | undefined {
  const { name, from, boot, files, newFolders } = parseJsonObject(text) ?? {};
  if (typeof name !== 'string' || typeof boot !== 'string' || !Array.isArray(files)) return undefined;
  if (from !== null && !(typeof from === 'number' && Number.isSafeInteger(from))) return undefined;
  const recorded = files.flatMap((file) => recordedFile(file) ?? []);
  if (recorded.length !== files.length) return undefined;
  const parents = new Set<unknown>(parentsOf(recorded.map(({ change }) => change)));
  // Only parent folders of the changed files are accepted, because undo removes empty ones.
  if (!Array.isArray(newFolders) || !newFolders.every((folder) => typeof folder === 'string' && parents.has(folder)))
    return undefined;
  return { name, from, boot, files: recorded, newFolders: newFolders.map(String) };
}

function recordedFile(value: unknown): RecordedFile | undefined {
  if (!isJsonObject(value)) return undefined;
  const { change, before, after } = value;
  return isChange(change) && isDigest(before) && isDigest(after) ? { change, before, after } : undefined;
}

const isDigest = (value: unknown): value is string | null =>
  value === null || (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value));

function isChange(value: unknown): value is FileChange {
  if (!isJsonObject(value) || typeof value['path'] !== 'string') return false;
  const { kind, text, was, idField, lines } = value;
  if (kind === 'replace') return typeof text === 'string' && isDigest(was);
  if (kind === 'write' || kind === 'create') return typeof text === 'string';
  if (kind !== 'append') return kind === 'remove';
  return typeof idField === 'string' && Array.isArray(lines) && lines.every((line) => typeof line === 'string');
}

/** All parent folders of the targets, outermost first. */
export function parentsOf(changes: readonly FileChange[]): string[] {
  const folders = new Set<string>();
  for (const change of changes) {
    const parts = change.path.split('/').slice(0, -1);
    for (const index of parts.keys()) folders.add(parts.slice(0, index + 1).join('/'));
  }
  return [...folders].sort();
}

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '#adapters/disk/safe-path.js';
import { TroupeError } from '#kernel/errors.js';
import type { FileChange } from '#kernel/file-change.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';

/** One change of a file, with the SHA-256 of its content before and after; null stands for no file. */
export interface RecordedFile {
  readonly change: FileChange;
  readonly before: string | null;
  readonly after: string | null;
}

/** A change of several files as its record has it. */
export interface ChangeRecord {
  /** Its name, also in the log. */
  readonly name: string;
  /** Position in the log after which an entry of this name commits it; null: the record itself does. */
  readonly from: number | null;
  /** The boot of the machine in which the files were written; empty where the system does not tell. */
  readonly boot: string;
  readonly files: readonly RecordedFile[];
  /** Folders that were not there, relative to the base, the outermost first. */
  readonly newFolders: readonly string[];
}

/** Names of the record's file. Where no log commits a change, the second name does. */
export const RECORD_PHASES = { staged: 'staged.json', committed: 'committed.json' } as const;
export type RecordPhase = keyof typeof RECORD_PHASES;

/** The record in the folder of a change, and how far that change got; undefined before it was staged. Errors: `corrupt`. */
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

/** A record may have been put there by a repository: only its form is trusted, never its paths. */
function recordIn(text: string): ChangeRecord | undefined {
  const { name, from, boot, files, newFolders } = parseJsonObject(text) ?? {};
  if (typeof name !== 'string' || typeof boot !== 'string' || !Array.isArray(files)) return undefined;
  if (from !== null && !(typeof from === 'number' && Number.isSafeInteger(from))) return undefined;
  const recorded = files.flatMap((file) => recordedFile(file) ?? []);
  if (recorded.length !== files.length) return undefined;
  const parents = new Set<unknown>(parentsOf(recorded.map(({ change }) => change)));
  // A record names no other folders than those of its files: empty ones are removed.
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

/** Every folder above a target, the outermost first. */
export function parentsOf(changes: readonly FileChange[]): string[] {
  const folders = new Set<string>();
  for (const change of changes) {
    const parts = change.path.split('/').slice(0, -1);
    for (const index of parts.keys()) folders.add(parts.slice(0, index + 1).join('/'));
  }
  return [...folders].sort();
}

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { folderTexts } from '#adapters/disk/folder-texts.js';
import { isPlainFolder } from '#adapters/disk/plain-files.js';
import type { Tag } from '#adapters/disk/strict-yaml.js';
import { UnreadableData } from '#adapters/disk/unreadable-data.js';
import { KINDS, SKILL_KINDS } from '#core/agency/entities.js';
import type { AgencyRecord } from '#core/agency/read.js';
import { ownRecord } from '#core/agency/record-text.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { inSentence } from '#kernel/text.js';
import type { AgencyRecords, Notes, ShippedAgency } from '#ports/agency.js';

/**
 * Folders of entities, in order of precedence: if two files have the same id, the first counts. The later folders are
 * older layouts.
 */
const PLACES: readonly (readonly [string, AgencyRecord['kind']])[] = [
  ['roles', 'role'],
  ['cache/roles', 'role'],
  ['tradeoffs', 'tradeoff'],
  ['motivations', 'tradeoff'],
  ['primitives/tradeoffs', 'tradeoff'],
  ['agents', 'agent'],
  ['cache/agents', 'agent'],
  ['primitives/components', 'component'],
  ['primitives/outcomes', 'outcome'],
];
const NAME = /^([0-9a-f]{64})\.yaml(\.retired)?$/;
const NOTE = /^run-[A-Za-z0-9-]{1,80}\.yaml$/;

/** Policy for reading the files of an agency. */
export interface ReadingRules {
  /**
   * Parses a text. Throws `UnreadableData` for an unparsable text (it is skipped with a warning), and a `TroupeError`
   * to stop reading.
   */
  parse(text: string): Promise<unknown>;
  /** Called when a file disappeared between listing and reading, or cannot be accessed (`why`). */
  gone(what: string, why?: TroupeError): void;
}

/** Policy for our own files: their number is bounded by what we wrote, and a file that disappears has been replaced. */
export const OWN_FILES: ReadingRules = { parse: parseRecord, gone: () => undefined };

/** Reads all entities; each is one file. */
export async function readAgency(tree: FileTree, reading: ReadingRules): Promise<AgencyRecords> {
  const records = new Map<string, AgencyRecord>();
  const warnings: string[] = [];
  for (const [place, kind] of PLACES) {
    const names = await namesIn(tree, place, warnings, reading);
    let count = 0;
    for await (const { name, text } of tree.texts(place, names, TEAM_LIMITS.agencyFileBytes)) {
      count++;
      const [, id = '', retired] = NAME.exec(name) ?? [];
      const file = `${place}/${name}`;
      if (records.has(`${kind} ${id}`)) continue;
      await readOne({ file, text, most: TEAM_LIMITS.agencyFileBytes, reading, warnings }, (value) => {
        records.set(`${kind} ${id}`, { kind, id, file, retired: retired !== undefined, value });
      });
    }
    if (count < names.length) reading.gone(place);
  }
  for await (const { text: state } of tree.texts('', ['state.yaml'], TEAM_LIMITS.agencyFileBytes)) {
    if (state instanceof TroupeError) throw state;
    const value = typeof state === 'string' ? parseJsonObject(state) : undefined; // ours, in the part of YAML that is JSON
    records.set('state', { kind: 'state', id: 'state', file: 'state.yaml', retired: false, value });
  }
  return { records: [...records.values()], warnings };
}

/** Evolution records of one folder, by id. The id is the file name without extension. */
export async function readNotes(folder: string, place: string): Promise<Notes> {
  const records: { id: string; value: unknown }[] = [];
  const warnings: string[] = [];
  if (!(await isPlainFolder(folder)) || !(await isPlainFolder(path.join(folder, place)))) return { records, warnings };
  const files = (await readdir(path.join(folder, place))).filter((name) => NOTE.test(name));
  const ids = files.map((name) => name.slice(0, -'.yaml'.length)).sort();
  if (ids.length > TEAM_LIMITS.agencyFiles)
    warnings.push(`${place}: only the latest ${TEAM_LIMITS.agencyFiles} files are read`);
  const latest = ids.slice(-TEAM_LIMITS.agencyFiles).map((id) => `${id}.yaml`);
  for await (const { name, text } of folderTexts(path.join(folder, place), latest, TEAM_LIMITS.agencyFileBytes)) {
    const one = { file: `${place}/${name}`, text, most: TEAM_LIMITS.agencyFileBytes, reading: OWN_FILES, warnings };
    await readOne(one, (value) => {
      records.push({ id: name.slice(0, -'.yaml'.length), value });
    });
  }
  return { records, warnings };
}

interface OneFile {
  readonly file: string;
  readonly text: string | number | TroupeError;
  readonly most: number;
  readonly reading: ReadingRules;
  readonly warnings: string[];
}

/** Passes the data of one file to `take`. An unreadable file becomes a warning with file and line. */
async function readOne(
  { file, text, most, reading, warnings }: OneFile,
  take: (value: unknown) => void,
): Promise<void> {
  try {
    if (text instanceof TroupeError) throw text;
    if (typeof text === 'number') throw new UnreadableData(`larger than ${most} bytes`);
    take(await reading.parse(text));
  } catch (error) {
    if (error instanceof TroupeError && error !== text) throw error;
    const line = error instanceof UnreadableData ? (error.line ?? 1) : 1;
    const why = error instanceof UnreadableData ? error.message : asTroupeError(error).message;
    warnings.push(`${file}:${line}: ${inSentence(why)}`);
  }
}

/** Storage of the files of an agency. */
export interface FileTree {
  /**
   * Names in a folder, relative to the top of the agency; empty if the folder does not exist. Errors: `unsafe_path` for
   * a link to a folder.
   */
  names(place: string): Promise<readonly string[]>;
  /** Same as `folderTexts` for that folder. */
  texts(
    place: string,
    names: readonly string[],
    most: number,
  ): AsyncGenerator<{ readonly name: string; readonly text: string | number | TroupeError }>;
}

/** An agency on disk. */
export class FolderTree implements FileTree {
  private readonly top: string;

  constructor(top: string) {
    this.top = top;
  }

  async names(place: string): Promise<readonly string[]> {
    let current = this.top;
    for (const part of place.split('/')) {
      current = path.join(current, part);
      if (!(await isPlainFolder(current))) return [];
    }
    return await readdir(current);
  }

  texts(place: string, names: readonly string[], most: number): ReturnType<FileTree['texts']> {
    return folderTexts(path.join(this.top, place), names, most);
  }
}

async function namesIn(tree: FileTree, place: string, warnings: string[], reading: ReadingRules): Promise<string[]> {
  try {
    const names = (await tree.names(place)).filter((name) => NAME.test(name)).sort();
    if (names.length > TEAM_LIMITS.agencyFiles)
      warnings.push(`${place}: only ${TEAM_LIMITS.agencyFiles} files are read`);
    return names.slice(0, TEAM_LIMITS.agencyFiles);
  } catch (error) {
    reading.gone(place, asTroupeError(error));
    warnings.push(`${place}: ${asTroupeError(error).message}`);
    return [];
  }
}

/** Reads `data/agency`: one file per kind with a list of entities, and a folder of guides. */
export async function readShipped(folder: string): Promise<ShippedAgency> {
  const entities: { kind: (typeof KINDS)[number]; value: unknown }[] = [];
  for (const kind of KINDS) {
    if (kind === 'agent') continue;
    const value = await parseRecord(await readFile(path.join(folder, `${kind}s.yaml`), 'utf8'));
    const items = isJsonObject(value) ? value['entities'] : undefined;
    for (const item of Array.isArray(items) ? items : []) entities.push({ kind, value: item });
  }
  const guides = path.join(folder, 'guides');
  const names = (await readdir(guides)).filter((name) => name.endsWith('.md')).sort();
  return {
    entities,
    guides: await Promise.all(
      names.map(async (name) => ({
        id: name.slice(0, -'.md'.length),
        text: await readFile(path.join(guides, name), 'utf8'),
      })),
    ),
  };
}

/** YAML tags of skills: `!name x`, `!file p`. Older tools wrote the kinds with a capital. */
const TAGS: readonly Tag[] = SKILL_KINDS.flatMap((kind) =>
  [kind, `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`].map((word) => ({
    tag: `!${word}`,
    resolve: (value: string) => ({ [kind]: value }),
  })),
);

/** Parses a record of the agency. Throws `UnreadableData`. */
export async function parseRecord(text: string): Promise<unknown> {
  const own = ownRecord(text);
  if (own) return own;
  const { strictYaml } = await import('#adapters/disk/strict-yaml.js');
  return strictYaml(text, TAGS).value;
}

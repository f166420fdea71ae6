import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { strictYaml } from '#adapters/disk/strict-yaml.js';
import { rejectionIn } from '#adapters/disk/unreadable-data.js';
import type { CatalogFile } from '#core/catalog/catalog-file.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { ParsedAhead } from './parsed-ahead.js';

/** Text of a catalog file with LF line ends; undefined if it does not exist. `name` is relative to the folder. */
export async function readCatalogText(folder: string, name: string): Promise<string | undefined> {
  let bytes: Buffer;
  try {
    bytes = await readFile(path.join(folder, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new TroupeError('unreadable', { what: `The catalog file ${name} cannot be read.`, cause: error });
  }
  if (bytes.length > TEAM_LIMITS.catalogFileBytes) {
    throw new TroupeError('catalog_invalid', { what: `${name}: larger than ${TEAM_LIMITS.catalogFileBytes} bytes` });
  }
  return bytes.toString('utf8').replace(/\r\n/g, '\n');
}

/** A text file as lines. Errors: `catalog_invalid` if it is missing, `unreadable`. */
export async function readLines(folder: string, name: string): Promise<CatalogFile> {
  const text = await readCatalogText(folder, name);
  if (text === undefined) throw new TroupeError('catalog_invalid', { what: `${name}: the file is missing` });
  return { name, value: text.split('\n'), lineOf: ([index]) => (typeof index === 'number' ? index + 1 : undefined) };
}

/** Parses a YAML file strictly. Errors: `catalog_invalid` with the line of the fault, `unreadable`. */
export async function readYaml(folder: string, name: string, ahead: ParsedAhead): Promise<CatalogFile> {
  const text = await readCatalogText(folder, name);
  if (text === undefined) throw new TroupeError('catalog_invalid', { what: `${name}: the file is missing` });
  if (text.startsWith('\ufeff')) refuse(name, 1, 'begins with a byte order mark');
  const known = ahead.of(text);
  if (known !== undefined) return { name, ...known, lineOf: (field) => strictYaml(text).lineOf(field) };
  try {
    return { name, ...strictYaml(text) };
  } catch (error) {
    const rejection = rejectionIn(error);
    return refuse(name, rejection.line, rejection.message);
  }
}

function refuse(name: string, line: number | undefined, message: string): never {
  throw new TroupeError('catalog_invalid', {
    what: `${line === undefined ? name : `${name}:${line}`}: ${message}`,
    details: { file: name, ...(line === undefined ? {} : { line }) },
  });
}

/** Texts by id; missing ones are left out. */
export async function textsById(
  ids: readonly string[],
  read: (id: string) => Promise<string | undefined>,
): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(ids.map(async (id) => [id, await read(id)] as const));
  return new Map(texts.flatMap(([id, text]) => (text === undefined ? [] : [[id, text]])));
}

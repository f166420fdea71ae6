import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { isPlainFolder } from '#adapters/disk/plain-folder.js';
import { boundedText } from '#adapters/disk/plain-text.js';
import { UnreadableData } from '#adapters/disk/unreadable-data.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';
import type { Records } from '#ports/trace-files.js';

/** Every record of a folder, one a file, in YAML or JSON. A file that cannot be understood never keeps the others back. */
export async function readRecords(folder: string): Promise<Records> {
  if (!(await isPlainFolder(folder))) return { records: [], warnings: [] };
  const names = (await readdir(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile() && /\.(?:ya?ml|json)$/i.test(entry.name) && !entry.name.startsWith('.'))
    .map((entry) => entry.name)
    .sort();
  const records: JsonObject[] = [];
  const warnings: string[] = [];
  const warn = (name: string, why: string) => warnings.push(`${cut(inert(name), 120)}: ${why}`);
  if (names.length > LIMITS.traceRecordFiles) warn(folder, `only ${LIMITS.traceRecordFiles} files are read`);
  for (const name of names.slice(0, LIMITS.traceRecordFiles)) {
    const text = await boundedText(path.join(folder, name), LIMITS.traceRecordBytes);
    if (typeof text === 'number') warn(name, `larger than ${LIMITS.traceRecordBytes} bytes`);
    else if (text !== undefined) {
      const record = await parseRecord(text);
      if (typeof record === 'string') warn(name, record);
      else records.push(record);
    }
  }
  return { records, warnings };
}

/** The record of one name, whichever of the forms it has; undefined when there is none that can be understood. */
export async function readRecord(folder: string, name: string): Promise<JsonObject | undefined> {
  if (!(await isPlainFolder(folder))) return undefined;
  for (const ending of ['yaml', 'json']) {
    const text = await boundedText(path.join(folder, `${name}.${ending}`), LIMITS.traceRecordBytes);
    const record = typeof text === 'string' ? await parseRecord(text) : undefined;
    if (typeof record === 'object') return record;
  }
  return undefined;
}

async function parseRecord(text: string): Promise<JsonObject | string> {
  const { strictYaml } = await import('#adapters/disk/strict-yaml.js');
  try {
    const { value } = strictYaml(text);
    return isJsonObject(value) ? value : 'not a record';
  } catch (error) {
    if (!(error instanceof UnreadableData)) throw error;
    return error.message;
  }
}

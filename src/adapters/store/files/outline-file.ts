import { OUTLINED_FIELDS, Outline, type OutlineColumns } from '#core/graph/outline.js';
import { STATUSES } from '#core/graph/task.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { parseJsonObject } from '#kernel/json.js';
import { readText, replaceFile, textOf } from './disk.js';

/** A different order of statuses or fields is a different format. */
const FORMAT = [1, ...STATUSES, ...OUTLINED_FIELDS].join(' ');

/** Writes the outline of the snapshot with this hash. Not flushed: without it, readers parse the lines themselves. */
export function keepOutline(paths: GraphLayout, sha256: string, columns: OutlineColumns): void {
  const packed = Object.entries(columns).map(([name, column]) => [name, Array.isArray(column) ? column : pack(column)]);
  const text = JSON.stringify({ format: FORMAT, graph_sha256: sha256, ...Object.fromEntries(packed) });
  replaceFile(paths.outline, text, { sync: false, mode: PRIVATE_FILE, draft: `${paths.outline}.draft` });
}

/** Returns the outline of the snapshot with these bytes and this hash; undefined if there is none. */
export function keptOutline(paths: GraphLayout, sha256: string, bytes: Buffer): Outline | undefined {
  const value = parseJsonObject(readText(paths.outline) ?? '');
  if (value?.['format'] !== FORMAT || value['graph_sha256'] !== sha256) return undefined;
  const unpack = (name: keyof OutlineColumns) => Uint8Array.from(Buffer.from(String(value[name]), 'base64')).buffer;
  const numbers = (name: keyof OutlineColumns) => new Int32Array(unpack(name));
  const columns: OutlineColumns = {
    ids: value['ids'] as string[],
    lines: numbers('lines'),
    statuses: new Uint8Array(unpack('statuses')),
    fields: new Uint8Array(unpack('fields')),
    from: numbers('from'),
    after: numbers('after'),
  };
  if (columns.lines.at(-1) !== bytes.length) return undefined;
  return new Outline(columns, (from, to) => textOf(bytes.subarray(from, to)));
}

function pack({ buffer, byteOffset, byteLength }: ArrayBufferView): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('base64');
}

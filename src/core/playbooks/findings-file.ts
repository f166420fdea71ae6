import { isJsonObject } from '#kernel/json.js';
import type { MergedEntry } from './merge-entries.js';
import type { RejectedEntry } from './scout-entries.js';

/** The remaining entries as YAML. Texts are quoted as in JSON, which prevents YAML from giving them another meaning. */
export function findingsText(question: string, entries: readonly MergedEntry[]): string {
  const rows = entries.flatMap(({ slice, fields, provenance }) => [
    `  - slice: ${quoted(slice)}`,
    ...Object.entries(fields).map(([name, value]) => `    ${name}: ${quoted(value)}`),
    `    provenance: [${provenance.map((origin) => quoted(`${origin.slice}:${origin.id}`)).join(', ')}]`,
  ]);
  return [`question: ${quoted(question)}`, ...(rows.length === 0 ? ['entries: []'] : ['entries:', ...rows]), ''].join(
    '\n',
  );
}

/** Rejected entries with their reasons. */
export function rejectedText(rejected: readonly RejectedEntry[]): string {
  const rows = rejected.flatMap(({ slice, entry, reason, text }) => [
    `  - slice: ${quoted(slice)}`,
    ...(entry === undefined ? [] : [`    entry: ${entry}`]),
    `    reason: ${quoted(reason)}`,
    ...(text === '' ? [] : [`    text: ${quoted(text)}`]),
  ]);
  return [...(rows.length === 0 ? ['rejected: []'] : ['rejected:', ...rows]), ''].join('\n');
}

/** List of ids for the verifier. */
export function idsText(ids: readonly string[]): string {
  return `${JSON.stringify({ ids }, null, 2)}\n`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}

/** Parses the entries of a findings file. The caller has verified its hash. */
export function readFindings(data: unknown): readonly MergedEntry[] {
  const list = isJsonObject(data) && Array.isArray(data['entries']) ? data['entries'] : [];
  return list.flatMap((value: unknown) => {
    if (!isJsonObject(value)) return [];
    const { slice, provenance, ...rest } = value;
    const fields = Object.fromEntries(Object.entries(rest).map(([name, text]) => [name, String(text)]));
    const { id = '', title = '', source = '' } = fields;
    const origins = (Array.isArray(provenance) ? provenance : []).map(String).map((origin) => {
      const at = origin.indexOf(':');
      return { slice: origin.slice(0, at), id: origin.slice(at + 1) };
    });
    return [{ slice: String(slice), id, title, source, fields, provenance: origins }];
  });
}

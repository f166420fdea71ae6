// Masks the secrets of a complete export.
import type { Json, JsonObject } from '#kernel/json.js';
import { MASK } from '#kernel/run-token.js';
import { redact } from '#kernel/secrets.js';
import type { TraceExport } from './export-trace.js';

/** A secret found in an export: its record, its kind, and its value, which is never displayed. */
interface FoundSecret {
  readonly name: string;
  readonly kind: string;
  readonly value: string;
}

/** Record lists of an export that may contain text: the displayed kind, and the field that names a record. */
const PARTS = {
  tasks: ['task', 'id'],
  evaluations: ['evaluation', 'id'],
  operations: ['event', 'seq'],
  functions: ['function', 'name'],
} as const;
type Part = keyof typeof PARTS;
const ALL = Object.keys(PARTS) as readonly Part[];

/** Display name of a record: `event 12`. */
export function recordName(part: Part, record: object): string {
  const [kind, key] = PARTS[part];
  return `${kind} ${String((record as Record<string, unknown>)[key] ?? '')}`.trim();
}

/** All texts of each record, joined with line feeds. */
export function recordTexts(trace: TraceExport): readonly { readonly name: string; readonly text: string }[] {
  return ALL.flatMap((part) =>
    trace[part].map((record) => ({ name: recordName(part, record), text: leavesOf(record as Json).join('\n') })),
  );
}

function leavesOf(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

/** Masks these secrets, and all text that looks like a secret, in an export; `masked` lists records and kinds. */
export function maskedTrace(trace: TraceExport, found: readonly FoundSecret[]) {
  const values = [...new Set(found.map(({ value }) => value))].sort((left, right) => right.length - left.length);
  const clean = (text: string) => redact(values.reduce((rest, value) => rest.replaceAll(value, MASK), text));
  const masked: string[] = [];
  const maskRecord = <One extends object>(part: Part, record: One): One => {
    const copy = masking(record as Json, clean);
    if (copy === record) return record;
    const name = recordName(part, record);
    const kinds = new Set(found.filter((one) => one.name === name).map(({ kind }) => kind));
    masked.push(`${name}: ${kinds.size === 0 ? 'what has the form of a secret' : [...kinds].join(', ')}`);
    return copy as One;
  };
  const parts = {
    tasks: trace.tasks.map((one) => maskRecord('tasks', one)),
    evaluations: trace.evaluations.map((one) => maskRecord('evaluations', one)),
    operations: trace.operations.map((one) => maskRecord('operations', one)),
    functions: trace.functions.map((one) => maskRecord('functions', one)),
  };
  const metadata = masked.length === 0 ? trace.metadata : { ...trace.metadata, masked };
  return { trace: { ...parts, metadata }, masked };
}

/** Masks texts recursively; returns the same value if nothing changed. */
function masking(value: Json, clean: (text: string) => string): Json {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => masking(item, clean));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  const fields: JsonObject = {};
  let changed = false;
  for (const [key, item] of Object.entries(value)) {
    fields[key] = masking(item, clean);
    changed ||= fields[key] !== item;
  }
  return changed ? fields : value;
}

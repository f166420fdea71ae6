import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';

/** A catalog file already read as data. `lineOf` tells where a field stands, when the reader kept that. */
export interface CatalogFile {
  /** Relative to the catalog folder: `archetypes/writer.yaml`. */
  readonly name: string;
  readonly value: unknown;
  lineOf?(field: readonly PropertyKey[]): number | undefined;
}

interface Issue {
  readonly code?: string;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly expected?: string;
  readonly values?: readonly unknown[];
  readonly minimum?: unknown;
  readonly maximum?: unknown;
}

/** The part of a schema this needs, so that every schema of zod fits. */
interface FileSchema<Value> {
  safeParse(value: unknown): { success: true; data: Value } | { success: false; error: { issues: readonly object[] } };
}

/** The file's value in the form of the schema; otherwise `catalog_invalid` with file, line and field. */
export function readEntry<Value>(schema: FileSchema<Value>, file: CatalogFile): Value {
  const parsed = schema.safeParse(file.value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0] as Issue;
  refuseField(file, [...issue.path, ...(issue.keys ?? []).slice(0, 1)], explain(issue, file.value));
}

/** The schemas are built without their own sentences, to stay small; these are ours. */
function explain(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'unknown field';
    case 'invalid_type':
      return valueAt(value, issue.path) === undefined ? 'is missing' : `must be ${issue.expected ?? 'something else'}`;
    case 'invalid_value':
      return `must be one of ${(issue.values ?? []).map(String).join(', ')}`;
    case 'too_small':
      return `must have at least ${String(issue.minimum)}`;
    case 'too_big':
      return `must have at most ${String(issue.maximum)}`;
    default:
      return issue.message;
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}

export function refuseField(file: CatalogFile, field: readonly PropertyKey[], message: string): never {
  const line = file.lineOf?.(field);
  const name = field.map(String).join('.');
  const place = line === undefined ? file.name : `${file.name}:${line}`;
  throw new TroupeError('catalog_invalid', {
    what: `${place}: ${name === '' ? '' : `${cut(inert(name), 120)}: `}${cut(inert(message), 300)}`,
    details: { file: file.name, field: name, ...(line === undefined ? {} : { line }) },
  });
}

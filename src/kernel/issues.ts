import { cut, inert } from '#kernel/text.js';

/** A validation issue as reported by zod. The schemas contain no messages, to stay small; they are generated here. */
export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
  readonly expected?: string;
  readonly values?: readonly unknown[];
  /** Type that a bound applies to: `string`, `array`, `number`. */
  readonly origin?: string;
  readonly minimum?: unknown;
  readonly maximum?: unknown;
}

export interface Explanation {
  /** Path in the input; for an unknown field it includes the field's name. */
  readonly field: readonly PropertyKey[];
  /** Expectation, to be appended to the field's name: `must be one of fast, all, none`. */
  readonly text: string;
}

const EXPECTED: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};
const VALUE_WIDTH = 40;

/** Explains an issue. `value` is the whole input. The text is escaped for screens. */
export function explainIssue(issue: Issue, value: unknown): Explanation {
  const field = [...issue.path, ...(issue.code === 'unrecognized_keys' ? (issue.keys ?? []).slice(0, 1) : [])];
  return { field, text: inert(expectation(issue, valueAt(value, issue.path))) };
}

/** Message such as `run must be one of …`. `whole` names a value without a path. */
export function describeIssue({ field, text }: Explanation, whole: string): string {
  return `${field.length === 0 ? whole : cut(inert(field.map(String).join('.')), 120)} ${text}`;
}

function expectation(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case 'unrecognized_keys':
      return 'is an unknown field';
    case 'invalid_type':
      if (value === undefined) return 'is missing';
      return `must be ${EXPECTED[issue.expected ?? ''] ?? issue.expected ?? 'something else'}${insteadOf(value)}`;
    case 'invalid_value':
      if (value === undefined) return 'is missing';
      return `must be one of ${(issue.values ?? []).map(String).join(', ')}${insteadOf(value)}`;
    case 'too_small':
      return `must ${bound(issue, 'at least', issue.minimum)}`;
    case 'too_big':
      return `must ${bound(issue, 'at most', issue.maximum)}`;
    case 'invalid_format':
      return `is not valid${insteadOf(value).replace(', not ', ': ')}`;
    default:
      return `is not valid: ${issue.message}`;
  }
}

function bound({ origin }: Issue, side: string, limit: unknown): string {
  if (origin === 'string') return `have ${side} ${String(limit)} ${limit === 1 ? 'character' : 'characters'}`;
  if (origin === 'array') return `have ${side} ${String(limit)} ${limit === 1 ? 'entry' : 'entries'}`;
  return `be ${side} ${String(limit)}`;
}

/** Repeats short values, to show what was read as the value. */
function insteadOf(value: unknown): string {
  if (typeof value === 'string') return `, not ${JSON.stringify(cut(value, VALUE_WIDTH))}`;
  return typeof value === 'number' || typeof value === 'boolean' ? `, not ${String(value)}` : '';
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}

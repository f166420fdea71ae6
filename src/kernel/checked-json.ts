import { describeIssue, explainIssue, type Issue } from './issues.js';
import { parseJsonObject } from './json.js';

/** The part of a zod schema that is used here. */
interface JsonSchema<Kind> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: Kind }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

/** Validated value of a JSON text, or the reason why it is invalid. */
export type CheckedJson<Kind> = { readonly value: Kind } | { readonly fault: string };

/** Parses and validates a JSON object from another program, of at most `mostCharacters`. */
export function checkedJson<Kind>(json: string, schema: JsonSchema<Kind>, mostCharacters: number): CheckedJson<Kind> {
  if (json.length > mostCharacters) return { fault: `it is longer than ${mostCharacters} characters` };
  const value = parseJsonObject(json);
  if (value === undefined) return { fault: 'it is not a JSON object' };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data };
  const [issue] = parsed.error.issues;
  return { fault: issue === undefined ? 'it is not valid' : describeIssue(explainIssue(issue, value), 'it') };
}

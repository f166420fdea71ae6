import { describeIssue, explainIssue, type Issue } from './issues.js';
import { parseJsonObject } from './json.js';

/** As much of a zod schema as is needed here. */
interface JsonSchema<Kind> {
  safeParse(
    value: unknown,
  ):
    | { readonly success: true; readonly data: Kind }
    | { readonly success: false; readonly error: { readonly issues: readonly Issue[] } };
}

/** What JSON says, or why it is not valid. */
export type CheckedJson<Kind> = { readonly value: Kind } | { readonly fault: string };

/** Reads a JSON object that another program wrote, of at most so many characters. */
export function checkedJson<Kind>(json: string, schema: JsonSchema<Kind>, mostCharacters: number): CheckedJson<Kind> {
  if (json.length > mostCharacters) return { fault: `it is longer than ${mostCharacters} characters` };
  const value = parseJsonObject(json);
  if (value === undefined) return { fault: 'it is not a JSON object' };
  const parsed = schema.safeParse(value);
  if (parsed.success) return { value: parsed.data };
  const [issue] = parsed.error.issues;
  return { fault: issue === undefined ? 'it is not valid' : describeIssue(explainIssue(issue, value), 'it') };
}

import { TroupeError } from '#kernel/errors.js';
import { describeIssue } from '#kernel/issues.js';
import { isJsonObject } from '#kernel/json.js';
import type { OperationSpec } from '#operations/operation-spec.js';

type Typed = Pick<OperationSpec, 'arguments' | 'options'>;

/**
 * An error with the invalid field of an input as typed: `--in-team must be text.` instead of `team must be text.`
 * Operations name fields, as all other surfaces do.
 */
export function asTyped(error: TroupeError, typed: Typed): TroupeError {
  const { code, hint, why, details, cause } = error;
  const [issue] = Array.isArray(details['issues']) ? details['issues'] : [];
  if (!isJsonObject(issue) || !details['field']) return error;
  const [field = '', ...rest] = String(details['field']).split('.');
  const explained = { field: [typedName(typed, field), ...rest], text: String(issue['message']) };
  const what = `${describeIssue(explained, 'The input')}.`;
  return new TroupeError(code, { what, hint, details, cause, ...(why === undefined ? {} : { why }) });
}

/** Name of a field on the command line: `--in-team`, or the placeholder of an argument. */
function typedName(typed: Typed, field: string): string {
  const option = typed.options?.find((candidate) => candidate.field === field);
  if (option) return `--${option.flag}`;
  return typed.arguments?.some((argument) => argument.field === field) ? field.toUpperCase() : field;
}

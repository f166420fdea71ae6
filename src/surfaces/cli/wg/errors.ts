import type { ErrorCode } from '#kernel/error-codes.js';
import { TroupeError } from '#kernel/errors.js';

type Details = TroupeError['details'];

/** Sentences of the original by code, from the details of the error; undefined if they lack the name. */
const SENTENCES: { readonly [Code in ErrorCode]?: (details: Details) => string | undefined } = {
  unknown_task: ({ id, last }) => named(last === undefined ? id : undefined, (name) => `Task '${name}' not found`), // archived: it says where
  unknown_run: ({ id }) => named(id, (name) => `Run '${name}' not found`),
  unknown_function: ({ id }) => named(id, (name) => `No function matching '${name}' found`),
  not_found: ({ kind, word }) => named(word, (name) => `${kind} '${name}' not found`),
  id_taken: ({ id }) => named(id, (name) => `Task with ID '${name}' already exists`),
  role_required: () => '--role is required for an agent that is not a person',
};

function named(name: unknown, sentence: (name: string) => string): string | undefined {
  return typeof name === 'string' && name !== '' ? sentence(name) : undefined;
}

/** An error in the sentence of the original, for scripts that look for it; its code and hint stay. Others as they are. */
export function inOriginalWords(error: unknown): unknown {
  if (!(error instanceof TroupeError)) return error;
  const { code, why, hint, details } = error;
  const what = SENTENCES[code]?.(details);
  return what === undefined
    ? error
    : new TroupeError(code, { what, hint, details, ...(why === undefined ? {} : { why }) });
}

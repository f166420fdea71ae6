import { firstBalanced } from '#kernel/balanced-json.js';
import { fenced } from '#kernel/fence.js';
import type { JsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { redact } from '#kernel/secrets.js';
import { parseForeignObject } from '#kernel/strict-json.js';

/** A foreign text that a question to a model shows: what it is called, itself, and how many bytes of it at most. */
export interface Block {
  readonly label: string;
  readonly text: string;
  readonly most: number;
}

/** Our words, then every foreign text without what looks like a secret, in a block that it cannot leave. */
export function questionText(words: string, nonce: string, blocks: readonly Block[]): string {
  const shown = blocks
    .filter(({ text }) => text.trim() !== '')
    .map(({ label, text, most }) => fenced(nonce, label, redact(text), most).text);
  return `${[words, ...shown].join('\n\n')}\n`;
}

/**
 * The one reader of answers: the first object, wherever it stands in the text, that `take` makes something of. What else an
 * object holds than `take` looks at means nothing. Undefined for an answer without one, or longer than any honest one.
 */
export function objectIn<Taken>(answer: string, take: (value: JsonObject) => Taken | undefined): Taken | undefined {
  if (isTooLong(answer)) return undefined;
  return firstBalanced(answer, '{', (text) => {
    // With one key twice, or numbers that do not fit, it would be read as something else than was written.
    const value = parseForeignObject(text);
    return typeof value === 'string' ? undefined : take(value);
  });
}

/** The same for a list, where a kind of answer may be one. */
export function listIn<Taken>(
  answer: string,
  take: (values: readonly unknown[]) => Taken | undefined,
): Taken | undefined {
  if (isTooLong(answer)) return undefined;
  return firstBalanced(answer, '[', (text) => {
    const value = parsed(text);
    return Array.isArray(value) ? take(value) : undefined;
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // brackets of prose
  }
}

const isTooLong = (answer: string) => Buffer.byteLength(answer) > LIMITS.modelAnswerBytes;

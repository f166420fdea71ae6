import { fenced } from './fence.js';
import { type JsonObject, parseForeignObject } from './json.js';
import { LIMITS } from './limits.js';
import { redact } from './secrets.js';

/** A foreign text that a question to a model shows: what it is called, itself, and how many bytes of it at most. */
export interface Block {
  readonly label: string;
  readonly text: string;
  readonly most: number;
}

/** Our words, then every foreign text without what looks like a secret, in a block that it cannot leave. */
export function questionText(words: string, nonce: string, blocks: readonly Block[]): string {
  const fences = blocks
    .filter(({ text }) => text.trim() !== '')
    .map(({ label, text, most }) => fenced(nonce, label, redact(text), most).text);
  return `${[words, ...fences].join('\n\n')}\n`;
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
    const value = parseJson(text);
    return Array.isArray(value) ? take(value) : undefined;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // brackets of prose
  }
}

const isTooLong = (answer: string) => Buffer.byteLength(answer) > LIMITS.modelAnswerBytes;

/**
 * Goes through a text, whatever prose stands in it, by the pieces that begin with `open` and are closed, each bracket by one
 * of its kind, and answers what `take` makes of the first it makes something of. Quotes and escapes are honoured. Undefined
 * when there is none, or when the text makes looking for it cost more than any honest one does.
 */
function firstBalanced<Taken>(
  text: string,
  open: '{' | '[',
  take: (piece: string) => Taken | undefined,
): Taken | undefined {
  const work = { steps: LIMITS.balancedJsonSteps };
  for (let begin = text.indexOf(open); begin !== -1; begin = text.indexOf(open, begin + 1)) {
    const end = endOfBalanced(text, begin, work);
    if (work.steps <= 0) return undefined;
    const result = end === undefined ? undefined : take(text.slice(begin, end));
    if (result !== undefined) return result;
  }
  return undefined;
}

/** Where the value that begins here is closed, each bracket by one of its kind. */
function endOfBalanced(text: string, begin: number, work: { steps: number }): number | undefined {
  const closers: string[] = [];
  let quoted = false;
  for (let at = begin; at < text.length && work.steps > 0; at++) {
    work.steps--;
    const sign = text[at];
    if (quoted) {
      if (sign === '\\') at++;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === '{' || sign === '[') {
      if (closers.length >= LIMITS.jsonDepth) return undefined;
      closers.push(sign === '{' ? '}' : ']');
    } else if (sign === '}' || sign === ']') {
      if (closers.pop() !== sign) return undefined;
      if (closers.length === 0) return at + 1;
    }
  }
  return undefined;
}

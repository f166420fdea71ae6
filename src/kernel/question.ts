import { fenced } from './fence.js';
import { type JsonObject, parseForeignObject } from './json.js';
import { TEAM_LIMITS } from './limits/team.js';
import { WORK_LIMITS } from './limits/work.js';
import { redact } from './secrets.js';

/** An untrusted text in a question to a model: its label, the text, and its maximum bytes. */
export interface Block {
  readonly label: string;
  readonly text: string;
  readonly most: number;
}

/**
 * Builds a question: Troupe's own text, then every untrusted text, with secrets removed, in a block that it cannot
 * leave.
 */
export function questionText(words: string, nonce: string, blocks: readonly Block[]): string {
  const fences = blocks
    .filter(({ text }) => text.trim() !== '')
    .map(({ label, text, most }) => fenced(nonce, label, redact(text), most).text);
  return `${[words, ...fences].join('\n\n')}\n`;
}

/**
 * Parses answers of models: returns the result of `take` for the first JSON object, anywhere in the text, for which it
 * is defined. Properties that `take` does not read are ignored. Undefined if there is none, or if the answer exceeds
 * the length limit.
 */
export function objectIn<Taken>(answer: string, take: (value: JsonObject) => Taken | undefined): Taken | undefined {
  if (isTooLong(answer)) return undefined;
  return firstBalanced(answer, '{', (text) => {
    // Rejects duplicate keys and numbers out of range, which would be parsed differently from the text.
    const value = parseForeignObject(text);
    return typeof value === 'string' ? undefined : take(value);
  });
}

/** As `objectIn`, for kinds of answers that may be lists. */
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

const isTooLong = (answer: string) => Buffer.byteLength(answer) > TEAM_LIMITS.modelAnswerBytes;

/**
 * Searches a text for pieces that start with `open` and have balanced brackets, and returns the result of `take` for
 * the first piece for which it is defined. Quotes and escapes are taken into account. Undefined if there is none, or if
 * the search exceeds its step limit.
 */
function firstBalanced<Taken>(
  text: string,
  open: '{' | '[',
  take: (piece: string) => Taken | undefined,
): Taken | undefined {
  const work = { steps: TEAM_LIMITS.balancedJsonSteps };
  for (let begin = text.indexOf(open); begin !== -1; begin = text.indexOf(open, begin + 1)) {
    const end = endOfBalanced(text, begin, work);
    if (work.steps <= 0) return undefined;
    const result = end === undefined ? undefined : take(text.slice(begin, end));
    if (result !== undefined) return result;
  }
  return undefined;
}

/** End of the value that starts here, where all brackets are balanced; undefined if there is none. */
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
      if (closers.length >= WORK_LIMITS.jsonDepth) return undefined;
      closers.push(sign === '{' ? '}' : ']');
    } else if (sign === '}' || sign === ']') {
      if (closers.pop() !== sign) return undefined;
      if (closers.length === 0) return at + 1;
    }
  }
  return undefined;
}

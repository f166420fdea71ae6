import { isJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';

/**
 * Finds JSON in the answer of a model, whatever prose stands around it: the first balanced, parseable value that begins
 * with `open` and that `take` makes something of. Quotes and escapes are honoured. Undefined when there is none, or when
 * the text makes looking for it cost more than any honest answer does.
 */
export function firstInText<Found>(
  text: string,
  open: '{' | '[',
  take: (value: unknown) => Found | undefined,
): Found | undefined {
  const work = { left: LIMITS.balancedJsonSteps };
  for (let begin = text.indexOf(open); begin !== -1; begin = text.indexOf(open, begin + 1)) {
    const end = endOfBalanced(text, begin, work);
    if (work.left <= 0) return undefined;
    const value = end === undefined ? undefined : parsed(text.slice(begin, end));
    const found = value === undefined ? undefined : take(value);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where the value that begins here is closed, each bracket by one of its kind. */
function endOfBalanced(text: string, begin: number, work: { left: number }): number | undefined {
  const closers: string[] = [];
  let quoted = false;
  for (let at = begin; at < text.length && work.left > 0; at++) {
    work.left--;
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

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && Object.hasOwn(value, '__proto__') ? undefined : value;
  } catch {
    return undefined;
  }
}

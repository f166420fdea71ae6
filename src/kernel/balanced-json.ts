import { LIMITS } from '#kernel/limits.js';

/**
 * Goes through a text, whatever prose stands in it, by the pieces that begin with `open` and are closed, each bracket by one
 * of its kind, and answers what `take` makes of the first it makes something of. Quotes and escapes are honoured. Undefined
 * when there is none, or when the text makes looking for it cost more than any honest one does.
 */
export function firstBalanced<Taken>(
  text: string,
  open: '{' | '[',
  take: (piece: string) => Taken | undefined,
): Taken | undefined {
  const work = { left: LIMITS.balancedJsonSteps };
  for (let begin = text.indexOf(open); begin !== -1; begin = text.indexOf(open, begin + 1)) {
    const end = endOfBalanced(text, begin, work);
    if (work.left <= 0) return undefined;
    const taken = end === undefined ? undefined : take(text.slice(begin, end));
    if (taken !== undefined) return taken;
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

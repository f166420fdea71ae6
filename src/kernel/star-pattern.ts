/**
 * Whether a text is what a pattern says, in which each `*` stands for any text. No expression is made of what somebody typed:
 * the parts between stars are looked for one after another.
 */
export function fitsPattern(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of rest) {
    const begin = text.indexOf(part, at);
    if (begin === -1 || begin + part.length > end) return false;
    at = begin + part.length;
  }
  return true;
}

/** The text from the first brace to the one that closes it; undefined when none does. Braces within strings do not count. */
export function firstObject(text: string): string | undefined {
  const begin = text.indexOf('{');
  let depth = 0;
  let quoted = false;
  for (let at = begin; at !== -1 && at < text.length; at++) {
    const sign = text[at];
    if (quoted && sign === '\\') at++;
    else if (sign === '"') quoted = !quoted;
    else if (!quoted && sign === '{') depth++;
    else if (!quoted && sign === '}' && --depth === 0) return text.slice(begin, at + 1);
  }
  return undefined;
}

/** Distinct words of a text: NFKC, lower case, plurals cut, in order of appearance. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}+#]*/gu) ?? [];
  return [...new Set(words.map(singular))];
}

/** A word without verb endings: "tests", "tested" and "testing" are one. As crude as `singular`. */
export function wordStem(word: string): string {
  const single = singular(word);
  const cut = single.length > 5 ? single.replace(/(?:ing|ed)$/, '') : single;
  // Compared by hand: an index has thousands of words, and an expression is tried at each letter.
  const isDoubled = cut.length > 3 && cut.at(-1) === cut.at(-2) && 'bdgmnprt'.includes(cut.slice(-1));
  const once = isDoubled ? cut.slice(0, -1) : cut;
  return once.length > 3 && once.endsWith('e') ? once.slice(0, -1) : once;
}

/** A plural without its ending. Crude, but the same on both sides, which is all a comparison needs. */
function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(word) && word.length > 4) return word.slice(0, -2);
  return word.length > 3 && /[^suiz]s$/.test(word) ? word.slice(0, -1) : word;
}

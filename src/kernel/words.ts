/** Distinct words of a text: NFKC, lower case, singular, in order of appearance. */
export function wordsOf(text: string): string[] {
  const words =
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}][\p{L}\p{N}+#]*/gu) ?? [];
  return [...new Set(words.map(singular))];
}

/** Stem of a word without verb endings: "tests", "tested" and "testing" are one. As crude as `singular`. */
export function wordStem(word: string): string {
  const single = singular(word);
  const cut = single.length > 5 ? single.replace(/(?:ing|ed)$/, '') : single;
  // Compared without a regular expression: an index has thousands of words.
  const isDoubled = cut.length > 3 && cut.at(-1) === cut.at(-2) && 'bdgmnprt'.includes(cut.slice(-1));
  const once = isDoubled ? cut.slice(0, -1) : cut;
  return once.length > 3 && once.endsWith('e') ? once.slice(0, -1) : once;
}

/** Singular of a plural. Crude, but sufficient for comparisons, because both sides use it. */
function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|ch|sh)es$/.test(word) && word.length > 4) return word.slice(0, -2);
  return word.length > 3 && /[^suiz]s$/.test(word) ? word.slice(0, -1) : word;
}

import { rectifyConfusion } from 'unicode-confusables';

/** Symbols that signify a failure. */
const CROSSES =
  /[\u{274c}\u{274e}\u{2612}\u{2715}\u{2716}\u{2717}\u{2718}\u{26d4}\u{2a2f}\u{1f6d1}\u{1f6ab}\u{1f534}\u{1f44e}\u{1f5d9}]/u;

/**
 * Text as a reader perceives it: compatibility forms resolved; invisible characters, accents, emphasis and tags
 * removed; letters of other scripts replaced by the Latin letters they resemble (UTS #39); spaced-out letters joined.
 * ASCII stays unchanged, because the table treats `I`, `1` and `l` as one letter.
 */
export function foldLookAlikes(text: string): string {
  const bare = text
    .normalize('NFKD')
    .replace(/<\/?[a-z][^<>]*>|[\p{M}\p{Cf}*_~`]/giu, '')
    .replace(/[^\p{ASCII}]+/gu, rectifyConfusion);
  return bare.replace(/(?<![\p{L}\p{N}])(\p{L})(?:[ .-]\p{L}(?![\p{L}\p{N}]))+/gu, (spread) =>
    spread.replace(/[ .-]/g, ''),
  );
}

/** Whether a line contains fail, failed or blocked, in any lookalike letters, or a symbol of failure. */
export function reportsFailure(line: string): boolean {
  if (CROSSES.test(line)) return true;
  const words = foldLookAlikes(line).match(/[\p{L}\p{N}|]+/gu) ?? [];
  return words.some(
    (word) => /^(?:fa[il1|]l(?:ed)?|b[l1i|][o0]cked)$/i.test(word) && !/^(?:fall|Fall|FALL)$/.test(word),
  );
}

import { rectifyConfusion } from 'unicode-confusables';

/** Marks that say no without a word. */
const CROSSES =
  /[\u{274c}\u{274e}\u{2612}\u{2715}\u{2716}\u{2717}\u{2718}\u{26d4}\u{2a2f}\u{1f6d1}\u{1f6ab}\u{1f534}\u{1f44e}\u{1f5d9}]/u;

/**
 * The text as a reader sees it: compatibility forms resolved, invisible characters, accents, emphasis and tags dropped, letters of
 * other scripts replaced by the Latin ones they look like (UTS #39), and single letters set apart joined. ASCII stays as it is: the
 * table takes `I`, `1` and `l` for one letter.
 */
export function asSeen(text: string): string {
  const bare = text
    .normalize('NFKD')
    .replace(/<\/?[a-z][^<>]*>|[\p{M}\p{Cf}*_~`]/giu, '')
    .replace(/[^\p{ASCII}]+/gu, rectifyConfusion);
  return bare.replace(/(?<![\p{L}\p{N}])(\p{L})(?:[ .-]\p{L}(?![\p{L}\p{N}]))+/gu, (spread) =>
    spread.replace(/[ .-]/g, ''),
  );
}

/** Whether a line says fail, failed or blocked, in whatever letters, or has a mark for it. */
export function saysFailure(line: string): boolean {
  if (CROSSES.test(line)) return true;
  const words = asSeen(line).match(/[\p{L}\p{N}|]+/gu) ?? [];
  return words.some(
    (word) => /^(?:fa[il1|]l(?:ed)?|b[l1i|][o0]cked)$/i.test(word) && !/^(?:fall|Fall|FALL)$/.test(word),
  );
}

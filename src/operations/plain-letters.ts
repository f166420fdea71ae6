import { foldAccents } from '#core/graph/slug.js';

/**
 * A title of any script in Latin letters, words separated by blanks, for the id that is made of it. The tables of other
 * scripts are loaded only for a title that needs them.
 */
export async function plainLetters(title: string): Promise<string> {
  const folded = foldAccents(title);
  const otherLetters = /[^\P{L}A-Za-z]/u.test(folded);
  if (!otherLetters && /[A-Za-z0-9]/.test(folded)) return title;
  const { default: transliterated } = await import('any-ascii');
  // Chinese, Japanese and Thai put no blanks between words.
  const segments = [...new Intl.Segmenter('en', { granularity: 'word' }).segment(title.normalize('NFC'))];
  return segments.map(({ segment }) => transliterated(segment)).join(' ');
}

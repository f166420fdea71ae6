import { foldAccents } from '#core/graph/slug.js';

/**
 * Transliterates a title of any script to Latin letters, with words separated by spaces, to derive an id from it. The
 * transliteration tables are loaded only if needed.
 */
export async function plainLetters(title: string): Promise<string> {
  const folded = foldAccents(title);
  const otherLetters = /[^\P{L}A-Za-z]/u.test(folded);
  if (!otherLetters && /[A-Za-z0-9]/.test(folded)) return title;
  const { default: transliterated } = await import('any-ascii');
  // Chinese, Japanese and Thai do not separate words by spaces.
  const segments = [...new Intl.Segmenter('en', { granularity: 'word' }).segment(title.normalize('NFC'))];
  return segments.map(({ segment }) => transliterated(segment)).join(' ');
}

import { eastAsianWidth } from 'get-east-asian-width';
import type { Letter } from '#core/insight/picture.js';

const PLAIN = /^[\x20-\x7e]*$/;
const NO_WIDTH = /^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Control}]+$/u;
const EMOJI = /\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f|[#*0-9]\ufe0f?\u20e3/u;
const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** What a person sees as characters, each with the cells that terminals give it. */
export function letters(text: string): readonly Letter[] {
  if (PLAIN.test(text)) return Array.from(text, (character) => ({ text: character, cells: 1 }));
  return Array.from(segmenter.segment(text), ({ segment }) => ({ text: segment, cells: cellsOfLetter(segment) }));
}

function cellsOfLetter(segment: string): number {
  if (NO_WIDTH.test(segment)) return 0;
  if (EMOJI.test(segment)) return 2;
  return eastAsianWidth(segment.codePointAt(0) ?? 0);
}

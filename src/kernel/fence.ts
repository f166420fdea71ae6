import { assert } from '#kernel/errors.js';

/** A block of untrusted text for a prompt, and whether it was truncated. */
export interface Fenced {
  readonly text: string;
  readonly cut: boolean;
}

/** Maximum bytes of the delimiters of a block and its truncation note, without the label. */
export const FENCE_BYTES = 256;
const NONCE = /^[A-Za-z0-9_-]{12,64}$/;

/**
 * Encloses untrusted text in a block that it cannot leave: the delimiter lines contain a nonce unknown to its author,
 * similar lines in the text are broken up, and invisible characters are escaped. At most `most` bytes of text are
 * included.
 */
export function fenced(nonce: string, label: string, text: string, most: number): Fenced {
  assert(NONCE.test(nonce), 'a nonce is random text of our own');
  const [open, close] = [`<<<data-${nonce} ${label}\n`, `\ndata-${nonce}>>>`];
  // Every character has at least one byte, so later characters could not be shown and need not be processed.
  const visibleText = brokenUp(visible(text.slice(0, most)), nonce);
  const beginning = cutBytes(visibleText, most);
  const cut = text.length > most || beginning.length < visibleText.length;
  if (!cut) return { text: `${open}${beginning}${close}`, cut };
  const note = ` [cut: only the beginning of ${bytesOf(text)} bytes]`;
  return { text: `${open}${beginning}…${close}${note}`, cut };
}

/** Untrusted text as one line of a block. */
export function oneLine(text: string, most: number): string {
  const line = text.slice(0, most).replace(/[\r\n\v\f\u0085\u2028\u2029]+/g, ' ');
  const visibleText = visible(line);
  const beginning = cutBytes(visibleText, most);
  return beginning.length < visibleText.length || text.length > most ? `${beginning}… [cut]` : beginning;
}

/**
 * Control characters, direction marks, tags, variation selectors and other invisible characters that can carry a
 * message.
 */
const HIDDEN = /[^\P{Cc}\t\n]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;
/** After these characters, U+FE0F only selects the emoji form. */
const SIGN_BEFORE = /[\p{Extended_Pictographic}#*0-9]$/u;

/** Escapes invisible characters as `\u{…}` and labels HTML comments, so that nothing in the text is hidden. */
export function visible(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replace(HIDDEN, (match, at: number, whole: string) =>
      match === '\ufe0f' && SIGN_BEFORE.test(whole.slice(Math.max(0, at - 2), at))
        ? match
        : `\\u{${(match.codePointAt(0) ?? 0).toString(16)}}`,
    )
    .replace(/<!--(?! \[HTML comment\])/g, '<!-- [HTML comment]');
}

/** Longest prefix of at most `most` bytes that ends between two characters. */
export function cutBytes(text: string, most: number): string {
  if (text.length * 3 <= most) return text;
  const bytes = Buffer.from(text);
  if (bytes.length <= most) return text;
  let end = Math.max(0, most);
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.toString('utf8', 0, end);
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/**
 * Three brackets next to `data`, regardless of the characters between. A `·` between two characters marks text that was
 * already broken up.
 */
const LIKE_OURS = /<{3,}[^\w·]*data|data[^·>]{0,200}>{3,}/;
const BROKEN = '·';

function brokenUp(text: string, nonce: string): string {
  const own = new RegExp(nonce, 'gi');
  const middle = Math.floor(nonce.length / 2);
  return text
    .split('\n')
    .map((line) => (LIKE_OURS.test(skeleton(line)) ? withoutBrackets(line) : line))
    .join('\n')
    .replace(own, (match) => `${match.slice(0, middle)}${BROKEN}${match.slice(middle)}`);
}

function withoutBrackets(line: string): string {
  return [...line].map((sign) => (/[<>]/.test(skeleton(sign)) ? `${BROKEN}${sign}${BROKEN}` : sign)).join('');
}

/** Characters that a reader mistakes for others. Compatibility forms and accents are folded before. */
const LOOKS_LIKE: Readonly<Record<string, string>> = {
  '‹': '<',
  '〈': '<',
  '⟨': '<',
  '❮': '<',
  '˂': '<',
  ᐸ: '<',
  '«': '<<',
  '《': '<<',
  '⟪': '<<',
  '≪': '<<',
  '›': '>',
  '〉': '>',
  '⟩': '>',
  '❯': '>',
  '˃': '>',
  ᐳ: '>',
  '»': '>>',
  '》': '>>',
  '⟫': '>>',
  '≫': '>>',
  '⋘': '<<<',
  '⋙': '>>>',
  а: 'a',
  ɑ: 'a',
  α: 'a',
  т: 't',
  τ: 't',
  ԁ: 'd',
  ɗ: 'd',
};

function skeleton(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[\p{M}\s]/gu, '')
    .toLowerCase();
  return plain.replace(/[^\x20-\x7e]/gu, (sign) => LOOKS_LIKE[sign] ?? sign);
}

import { slugOf } from '#core/catalog/member-slug.js';
import { LIMITS } from '#kernel/limits.js';
import { EMOJI, HIDDEN } from './charter.js';

const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;

/** A value in the form in which it is kept, or why it cannot be. */
export type Checked = { readonly value: string } | { readonly reason: string };

/** The slug of a member from its name; look-alike letters and paths have none. */
export function checkedAgent(agent: string): Checked {
  const slug = slugOf(agent);
  return slug === undefined ? { reason: 'agent is no name of a member' } : { value: slug };
}

export function checkedSlug(slug: string): Checked {
  return SLUG.test(slug) ? { value: slug } : { reason: 'slug may hold a-z, 0-9, _ and - only, 64 characters at most' };
}

/** One line. It stands in files that agents are given, as charters do, so the same signs are kept out of it. */
export function checkedLine(name: string, text: string): Checked {
  const value = text.trim();
  if (value === '') return { reason: `${name} is empty` };
  if ([...value].length > LIMITS.memoryTitleCharacters)
    return { reason: `${name} is longer than ${LIMITS.memoryTitleCharacters} characters` };
  if (/[\r\n\t\u2028\u2029]/.test(value)) return { reason: `${name} is more than one line` };
  if (CONTROLS.test(value) || HIDDEN.test(value)) return { reason: `${name} holds characters that are not seen` };
  if (EMOJI.test(value)) return { reason: `${name} holds an emoji` };
  return { value };
}

/** Many lines, with line feeds only; blank lines around them count for nothing. */
export function checkedText(name: string, text: string): Checked {
  const value = text.replaceAll('\r\n', '\n').trim();
  if (Buffer.byteLength(value) > LIMITS.memoryTextBytes)
    return { reason: `${name} is larger than ${LIMITS.memoryTextBytes} bytes` };
  if (CONTROLS.test(value) || HIDDEN.test(value)) return { reason: `${name} holds characters that are not seen` };
  return { value };
}

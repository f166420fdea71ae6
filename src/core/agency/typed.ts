import type { SkillRef } from '#core/agency/entities.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';

/** A text somebody typed, in the one form that is hashed: composed, with plain line ends, trimmed. `bad_input`, `too_large`. */
export function typedText(what: string, text: string): string {
  const plain = text
    .replace(/[\ud800-\udfff]/gu, '\ufffd')
    .normalize('NFC')
    .replace(/\r\n?|\u2028|\u2029/g, '\n')
    .trim();
  if (plain === '') throw new TroupeError('bad_input', { what: `${what} is empty.` });
  if (Buffer.byteLength(plain) > LIMITS.agencyTextBytes) {
    throw new TroupeError('too_large', { what: `${what} has more than ${LIMITS.agencyTextBytes} bytes.` });
  }
  return plain;
}

export function typedName(name: string): string {
  const plain = typedText('The name', name);
  if (plain.length <= LIMITS.agencyNameCharacters && inert(plain) === plain) return plain;
  throw new TroupeError('bad_input', {
    what: `Not a name: ${JSON.stringify(cut(inert(plain), 60))}`,
    hint: `Say one line of at most ${LIMITS.agencyNameCharacters} characters.`,
  });
}

export function typedList(what: string, items: readonly string[] = []): string[] {
  if (items.length > LIMITS.agencyItems)
    throw new TroupeError('bad_input', { what: `${what}: at most ${LIMITS.agencyItems}.` });
  return items.map((item) => typedText(what, item));
}

/** `rust`, `file:docs/style.md`, `url:https://…`, `inline:Keep functions small.` */
export function typedSkill(word: string): SkillRef {
  const [, kind, rest] = /^(file|url|inline|name):([\s\S]*)$/.exec(word) ?? [];
  const text = typedText('A skill', rest ?? word);
  if (kind === 'file') return { file: text };
  if (kind === 'url') return { url: text };
  return kind === 'inline' ? { inline: text } : { name: text };
}

export function typedSkills(words: readonly string[] = []): SkillRef[] {
  if (words.length > LIMITS.skills) throw new TroupeError('bad_input', { what: `At most ${LIMITS.skills} skills.` });
  return words.map(typedSkill);
}

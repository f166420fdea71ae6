import type { Archetype } from '#core/catalog/catalog.js';
import { TroupeError } from '#kernel/errors.js';

const PLACEHOLDER = /\{[A-Z][A-Za-z ]{0,40}\}/;

/** Pictograms: emoji blocks, stars and circles, variation selectors, the combining keycap. */
export const EMOJI = /[\u{1f000}-\u{1faff}\u2600-\u27bf\u2b50\u2b55]|[\ufe00-\ufe0f]|\u20e3/u;
/** Invisible characters: direction controls, tags, zero-width spaces. */
export const HIDDEN = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|[\u{e0000}-\u{e007f}]/u;

/**
 * Returns the charter of one member: the archetype's template filled in, or one composed from the archetype's metadata.
 */
export function compileCharter(name: string, archetype: Archetype, template: string | undefined): string {
  const charter = template === undefined ? fromMetadata(name, archetype) : fill(template, name, archetype);
  checkCharter(charter, name);
  return charter;
}

/** Rejects emoji (`charter_emoji`) and invisible characters (`charter_hidden_text`), reporting line and code point. */
export function checkCharter(charter: string, name: string): void {
  for (const [index, line] of charter.split('\n').entries()) {
    refuseAt(EMOJI, 'charter_emoji', line, index + 1, name);
    refuseAt(HIDDEN, 'charter_hidden_text', line, index + 1, name);
  }
}

function refuseAt(
  pattern: RegExp,
  code: 'charter_emoji' | 'charter_hidden_text',
  text: string,
  line: number,
  name: string,
): void {
  const match = pattern.exec(text);
  if (!match) return;
  const codePoint = `U+${match[0].codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
  throw new TroupeError(code, {
    what: `The charter of ${name} holds ${codePoint} in line ${line}.`,
    details: { name, line, codePoint },
  });
}

function fill(template: string, name: string, archetype: Archetype): string {
  const values: Record<string, string> = {
    '{Name}': name,
    '{Role Title}': archetype.title,
    '{Role summary}': archetype.summary,
  };
  const filled = template.replace(
    /\{(?:Name|Role Title|Role summary)\}/g,
    (placeholder) => values[placeholder] ?? placeholder,
  );
  const unknown = PLACEHOLDER.exec(filled);
  if (unknown) {
    throw new TroupeError('catalog_invalid', {
      what: `charters/${archetype.id}.md: unknown placeholder ${unknown[0]}`,
    });
  }
  if (filled.split('\n', 1)[0] !== headline(name, archetype)) {
    throw new TroupeError('catalog_invalid', {
      what: `charters/${archetype.id}.md:1: the first line must be “# {Name} — {Role Title}”`,
    });
  }
  return `${filled.trimEnd()}\n`;
}

function headline(name: string, archetype: Archetype): string {
  return `# ${name} — ${archetype.title}`;
}

function fromMetadata(name: string, archetype: Archetype): string {
  const list = (items: readonly string[]) => items.map((item) => `- ${item}`);
  return [
    headline(name, archetype),
    '',
    '## Who I am',
    '',
    `I am ${name}, ${archetype.title} of this team. ${archetype.summary}`,
    '',
    `I aim for this: ${archetype.desired_outcome}`,
    '',
    '## What I own',
    '',
    ...list(archetype.responsibilities),
    '',
    '## What I may use',
    '',
    ...list(archetype.capabilities),
    '',
    '## What I must not do',
    '',
    ...list(archetype.boundaries),
    '',
    '## How to route work to me',
    '',
    `Send me work when it touches: ${[...archetype.keywords, archetype.title].join(', ')}.`,
    '',
  ].join('\n');
}

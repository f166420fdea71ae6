import { readFileSync } from 'node:fs';
import path from 'node:path';
import { filesBelow } from './files.js';

const HOME = path.resolve(import.meta.dirname, '../..');

export interface Text {
  readonly where: string;
  readonly text: string;
}

const pagesIn = (folder: string) =>
  filesBelow(path.join(HOME, folder), /\.md$/).map((file) => path.relative(HOME, file));

export const GUIDES = pagesIn('docs/guide');

/** Pages of the reference that people write. The others are generated. */
const REFERENCE = pagesIn('docs/reference').filter(
  (file) => !readFileSync(path.join(HOME, file), 'utf8').includes('\nMade by `node tooling/reference.mjs`'),
);

/** Documents for people. Changelog and decisions are dated and not edited later. */
export const DOCUMENTS = [
  ...['README.md', 'AGENTS.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/glossary.md', 'docs/README.md'],
  ...['docs/start', 'docs/recipes'].flatMap(pagesIn),
  ...GUIDES,
  ...REFERENCE,
];

/** Documents that are read from the first word to the last: all but the glossary, and those for who changes Troupe. */
export const READ_WHOLE = DOCUMENTS.filter(
  (file) => !/^(?:AGENTS|ARCHITECTURE|CONTRIBUTING|docs\/glossary)\.md$/.test(file),
);

/**
 * Paragraphs and tables of a document without its code blocks, each on one line, so that phrases match across line
 * breaks.
 */
export function paragraphsOf(file: string): Text[] {
  const prose = readFileSync(path.join(HOME, file), 'utf8').replace(/```[\s\S]*?```/g, (code) =>
    code.replace(/[^\n]/g, ''),
  );
  const texts: Text[] = [];
  let line = 1;
  for (const part of prose.split('\n\n')) {
    const text = part.replaceAll(/\s+/g, ' ').trim();
    if (text !== '') texts.push({ where: `${file}:${line}`, text });
    line += part.split('\n').length + 1;
  }
  return texts;
}

/** Matches in a text, with their places. */
export function hitsIn(texts: readonly Text[], pattern: RegExp): string[] {
  return texts.flatMap(({ where, text }) => {
    const [hit] = pattern.exec(text) ?? [];
    return hit === undefined ? [] : [`${where}: “${hit}”`];
  });
}

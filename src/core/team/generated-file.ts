import { createHash } from 'node:crypto';
import { cut } from '#kernel/text.js';
import { oneLine } from './team-file.js';

const MARKED = /^---\n(?:[^\n]*\n){0,20}?---\n\n<!-- troupe:generated sha256:([0-9a-f]{64}) -->\n/;
const DESCRIPTION_CHARACTERS = 400;

/** An agent file for a client: front matter, the mark that it is ours with the hash of all else, the charter. */
export function agentFile(facts: { name: string; description: string; charter: string }): string {
  const head = [
    '---',
    `name: ${facts.name}`,
    // A JSON string is a YAML string too, whatever stands in it.
    `description: ${JSON.stringify(cut(oneLine(facts.description), DESCRIPTION_CHARACTERS))}`,
    '---',
    '',
    '',
  ].join('\n');
  return `${head}${mark(head, `\n${facts.charter}`)}\n\n${facts.charter}`;
}

/** Whether a file is one of ours, edited or not. */
export function isGenerated(text: string): boolean {
  return MARKED.test(text);
}

/** Whether a file of ours is still what we wrote. */
export function isUnmodified(text: string): boolean {
  const found = MARKED.exec(text);
  if (found === null) return false;
  const head = found[0].slice(0, found[0].lastIndexOf('<!--'));
  return `${mark(head, text.slice(found[0].length))}\n` === found[0].slice(head.length);
}

/** The mark of a text: the hash of what stands before and after it. */
export function mark(before: string, after: string): string {
  const hash = createHash('sha256').update(`${before}\0${after}`, 'utf8').digest('hex');
  return `<!-- troupe:generated sha256:${hash} -->`;
}

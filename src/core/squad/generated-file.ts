import { createHash } from 'node:crypto';
import { TroupeError } from '#kernel/errors.js';
import { cut } from '#kernel/text.js';
import { AGENTS_MD } from './squad-paths.js';
import type { CastMember } from './team.js';
import { cellText, tableRow } from './team-file.js';

/**
 * Marks around the part of a file that this program writes. Text outside of them belongs to the people of the project.
 */
export interface Marks {
  readonly file: string;
  readonly begin: string;
  readonly end: string;
}

/** Finds the marked part. Errors: `marker_unpaired` when a mark has no counterpart or occurs more than once. */
export function findBlock(text: string, { file, begin, end }: Marks): { from: number; to: number } | undefined {
  const [begins, ends] = [placesOf(text, begin), placesOf(text, end)];
  const [[from], [last]] = [begins, ends];
  if (from === undefined && last === undefined) return undefined;
  if (begins.length !== 1 || ends.length !== 1 || from === undefined || last === undefined || last < from) {
    throw new TroupeError('marker_unpaired', {
      what: `${file} has ${begins.length} times “${begin}” and ${ends.length} times “${end}”: nothing was changed.`,
      details: { file },
    });
  }
  return { from, to: last + end.length };
}

function placesOf(text: string, marker: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(marker); at >= 0; at = text.indexOf(marker, at + 1)) places.push(at);
  return places;
}

const MARKED = /^---\n(?:[^\n]*\n){0,20}?---\n\n<!-- troupe:generated sha256:([0-9a-f]{64}) -->\n/;
const DESCRIPTION_CHARACTERS = 400;

/** Renders an agent file for a client: front matter, the mark with the hash of everything else, the charter. */
export function agentFile(facts: { name: string; description: string; charter: string }): string {
  const head = [
    '---',
    `name: ${facts.name}`,
    // Any JSON string is a valid YAML string.
    `description: ${JSON.stringify(cut(cellText(facts.description), DESCRIPTION_CHARACTERS))}`,
    '---',
    '',
    '',
  ].join('\n');
  return `${head}${mark(head, `\n${facts.charter}`)}\n\n${facts.charter}`;
}

/** Whether this program generated the file, even if it was edited since. */
export function isGenerated(text: string): boolean {
  return MARKED.test(text);
}

/** Whether a generated file is unchanged since it was written. */
export function isUnmodified(text: string): boolean {
  const match = MARKED.exec(text);
  if (match === null) return false;
  const head = match[0].slice(0, match[0].lastIndexOf('<!--'));
  return `${mark(head, text.slice(match[0].length))}\n` === match[0].slice(head.length);
}

/** Returns the mark of a text: the hash of everything before and after it. */
function mark(before: string, after: string): string {
  const hash = createHash('sha256').update(`${before}\0${after}`, 'utf8').digest('hex');
  return `<!-- troupe:generated sha256:${hash} -->`;
}

export const AGENTS_BEGIN = '<!-- troupe:begin -->';
const END = '<!-- troupe:end -->';
const MARKS = { file: AGENTS_MD, begin: AGENTS_BEGIN, end: END };

/** Renders our part of AGENTS.md. */
function agentsBlock(members: readonly CastMember[], leader: string): string {
  const body = [
    '',
    '## Team',
    '',
    'Work in this repository is shared by the members below. Take the part of the one who is named to you and read its charter first.',
    '',
    '| Name | Role | Charter |',
    '| --- | --- | --- |',
    ...members.map((member) => tableRow([member.name, member.roleTitle, `\`${member.charterPath}\``])),
    '',
    `${leader} leads. Who takes which kind of work stands in \`.squad/routing.md\`.`,
    '',
  ].join('\n');
  return `${AGENTS_BEGIN}\n${mark('', body)}\n${body}${END}`;
}

/** Replaces our block in AGENTS.md, or appends it if there is none. All other text stays unchanged. */
export function withAgentsBlock(present: string | undefined, members: readonly CastMember[], leader: string): string {
  const text = present ?? '';
  const block = agentsBlock(members, leader);
  const place = findBlock(text, MARKS);
  if (place !== undefined) return `${text.slice(0, place.from)}${block}${text.slice(place.to)}`;
  if (text === '') return `${block}\n`;
  return `${text}${text.endsWith('\n') ? '' : '\n'}\n${block}\n`;
}

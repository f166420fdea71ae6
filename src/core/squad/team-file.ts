import { folderSlug } from '#core/catalog/member-slug.js';
import { inert } from '#kernel/text.js';
import { plainCell } from './file-change.js';
import { everyName, type RegistryRecord } from './registry.js';
import { castMember, inTeamOrder } from './team.js';

/** Parts of a `team.md` that survive a rewrite. */
export interface TeamFile {
  /** Whether this program wrote the file. A file by another tool or a person is taken over. */
  readonly isOurs: boolean;
  /** Heading of the file, including `# `. */
  readonly title: string;
  /** Names in the Members table, as written. */
  readonly memberNames: readonly string[];
  /** Cells of each row of the Members table, if present: name, role, charter, status. */
  readonly rows: readonly (readonly string[])[];
  /** Bullets of Project Context: `Created` → its text. */
  readonly context: ReadonlyMap<string, string>;
  /** Lines that people added, by section; the key is empty for lines before the first section. */
  readonly notes: ReadonlyMap<string, readonly string[]>;
  /** Header lines of the Members table. */
  readonly columns: readonly string[];
  /** Sections that this program does not write, including their headings. */
  readonly foreign: readonly string[];
}

const TITLE = '# Squad Team';
const COORDINATOR_LINE = 'The Coordinator hands out the work';
const OWN_SECTIONS = ['coordinator', 'members', 'project context'];
const OWN_BULLETS = ['Project', 'Universe', 'Created', 'Requested by', 'Description'] as const;

export function readTeamFile(text: string | undefined): TeamFile {
  const sections = splitSections(text ?? '');
  const body = (heading: string) => sections.find((section) => section.heading.toLowerCase() === heading)?.lines ?? [];
  const table = body('members').filter((line) => line.trim().startsWith('|'));
  const title = sections[0]?.lines.find((line) => line.startsWith('# '))?.trim();
  return {
    isOurs: body('coordinator').some((line) => line.startsWith(COORDINATOR_LINE)),
    title: title ?? TITLE,
    columns: table.slice(
      0,
      table.findIndex((line) => tableRows([line]).length > 0),
    ),
    memberNames: tableRows(body('members')).flatMap(([name = '']) => (name === '' ? [] : [name])),
    rows: tableRows(body('members')),
    context: new Map(
      body('project context').flatMap((line) => {
        const [, name, value = ''] = /^[-*]\s+\*\*([^*:]+):\*\*\s*(.*)$/.exec(line.trim()) ?? [];
        return name === undefined ? [] : [[name.trim(), value]];
      }),
    ),
    notes: new Map(['', ...OWN_SECTIONS].map((name) => [name, notesIn(name, body(name))])),
    foreign: sections
      .filter((section) => section.heading !== '' && !OWN_SECTIONS.includes(section.heading.toLowerCase()))
      .map((section) => [`## ${section.heading}`, ...section.lines].join('\n').trimEnd()),
  };
}

/** Returns the project's name from team.md, independent of its location; the folder's name if team.md has none. */
export function projectName({ context }: Pick<TeamFile, 'context'>, folder: string): string {
  return cellText(context.get('Project') ?? '') || folder;
}

/** Returns the lines of a section that differ from what this program writes there. */
function notesIn(section: string, lines: readonly string[]): string[] {
  const notes = lines.filter((line) => line.trim() !== '' && !OURS[section]?.test(line.trim()));
  return notes.map((line) => line.trimEnd());
}

const OURS: Readonly<Record<string, RegExp>> = {
  '': /^# /,
  coordinator: new RegExp(`^${COORDINATOR_LINE}`),
  members: /^\|/,
  'project context': /^[-*]\s+\*\*[^*:]+:\*\*/,
};

interface TeamFileFacts {
  readonly project: string;
  readonly universe: string;
  readonly leader: string;
  readonly records: readonly RegistryRecord[];
  readonly created: string;
  readonly requestedBy: string;
  readonly description: string;
}

/**
 * Renders `team.md`. Values for Created, Requested by and Description, notes and foreign sections in `previous` are
 * kept.
 */
export function renderTeamFile(facts: TeamFileFacts, previous: TeamFile): string {
  const members = inTeamOrder(facts.records).map(castMember);
  const retained = (name: string, otherwise: string) => previous.context.get(name) || cellText(otherwise);
  const context: Record<(typeof OWN_BULLETS)[number], string> = {
    Project: cellText(facts.project),
    Universe: cellText(facts.universe),
    Created: retained('Created', facts.created),
    'Requested by': retained('Requested by', facts.requestedBy),
    Description: retained('Description', facts.description),
  };
  const notes = (section: string) => {
    // Our own quote is the project's name; any other was written by a person.
    const own = `> ${cellText(facts.project)}`;
    const lines = (previous.notes.get(section) ?? []).filter((line) => section !== '' || line.trim() !== own);
    return lines.length === 0 ? [] : [...lines, ''];
  };
  const foreignBullets = [...previous.context].filter(([name]) => !Object.hasOwn(context, name));
  const leads =
    facts.leader === 'Coordinator' ? 'The Coordinator leads this team itself.' : `${facts.leader} leads this team.`;
  return [
    previous.title,
    '',
    `> ${cellText(facts.project)}`,
    '',
    ...notes(''),
    '## Coordinator',
    '',
    `${COORDINATOR_LINE} and keeps the order of it; who takes what stands in [routing.md](routing.md). ${leads}`,
    '',
    ...notes('coordinator'),
    '## Members',
    '',
    '| Name | Role | Charter | Status |',
    '| --- | --- | --- | --- |',
    ...members.map((member) => tableRow([member.name, member.roleTitle, `\`${member.charterPath}\``, member.status])),
    '',
    ...notes('members'),
    '## Project Context',
    '',
    ...Object.entries(context).map(([name, value]) => `- **${name}:** ${value}`),
    ...foreignBullets.map(([name, value]) => `- **${name}:** ${value}`),
    '',
    ...notes('project context'),
    ...otherMembers(previous, facts.records),
    ...previous.foreign.flatMap((section) => [section, '']),
  ].join('\n');
}

/**
 * Renders the rows of a taken-over file whose members are in no registry (monitors and loggers of another tool, people)
 * as a separate section.
 */
function otherMembers({ isOurs, rows, columns }: TeamFile, records: readonly RegistryRecord[]): string[] {
  const known = new Set(everyName({ records }).map(folderSlug));
  const others = isOurs ? [] : rows.filter(([name = '']) => !known.has(folderSlug(plainCell(name))));
  return others.length === 0 ? [] : ['## Other Members', '', ...columns, ...others.map(rawRow), ''];
}

const rawRow = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;

/**
 * Renders one row of a Markdown table; bars and line breaks in cells would break the table, so they are escaped or
 * replaced.
 */
export function tableRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cellText(cell).replaceAll('|', '\\|')).join(' | ')} |`;
}

export function cellText(text: string): string {
  return inert(text).replace(/\s+/g, ' ').trim();
}

/** Splits at `## ` headings outside of fenced code. The first section, before any heading, has an empty heading. */
function splitSections(text: string): { heading: string; lines: string[] }[] {
  const sections: { heading: string; lines: string[] }[] = [{ heading: '', lines: [] }];
  let fenced = false;
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    if (/^(?:```|~~~)/.test(line)) fenced = !fenced;
    const heading = fenced ? undefined : /^## +(.*?) *$/.exec(line)?.[1];
    if (heading === undefined) sections.at(-1)?.lines.push(line);
    else sections.push({ heading, lines: [] });
  }
  return sections;
}

function tableRows(lines: readonly string[]): string[][] {
  return lines.flatMap((line) => {
    const trimmed = line.trim();
    if (!trimmed.startsWith('|')) return [];
    const cells = [...trimmed.matchAll(/\|((?:[^|\\]|\\.)*)(?=\|)/g)].map(([, cell = '']) => cell.trim());
    const [first = ''] = cells;
    return first === '' || /^:?-+:?$/.test(first) || first.toLowerCase() === 'name' ? [] : [cells];
  });
}

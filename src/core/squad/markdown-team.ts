import { folderSlug } from '#core/catalog/member-slug.js';
import { dayAt, timestamp } from '#kernel/clock.js';
import type { SquadTexts, UnparsedLine } from './file-change.js';
import { normalisedCell, plainCell } from './file-change.js';
import { derivedId } from './foreign-files.js';
import { eventSchema, type RegistryEvent } from './registry.js';
import { charterFile, TEAM_MD } from './squad-paths.js';
import { readTeamFile } from './team-file.js';
import { DESCRIPTIVE } from './universe.js';

/** Built-in members of every team, by slug: other tools list them among the others. */
const BUILT_IN: ReadonlyMap<string, string> = new Map([
  ['scribe', 'scribe'],
  ['ralph', 'work-monitor'],
  ['rai', 'rai-reviewer'],
  ['coordinator', 'coordinator'],
]);

const GONE = /retired|inactive|alumni|archived|former|removed/i;
const FOLDER = /agents\/([^/]+)\/charter\.md$/i;

/** The team of a project that has only Markdown files, converted to our events. */
export interface MarkdownTeam {
  readonly events: readonly RegistryEvent[];
  readonly badLines: readonly UnparsedLine[];
  /** Slug → charter folder, where the two differ. */
  readonly keys: ReadonlyMap<string, string>;
}

/**
 * Reads the rows of the Members table of `team.md`, each a member with its charter. Returns undefined if there are
 * none.
 */
export function markdownTeam(texts: SquadTexts): MarkdownTeam | undefined {
  const text = texts.get(TEAM_MD);
  const { rows, context } = readTeamFile(text);
  if (text === undefined || rows.length === 0) return undefined;
  const universe = normalisedCell(context.get('Universe') ?? '');
  const created = dayIn(context.get('Created'));
  const events: RegistryEvent[] = [];
  const badLines: UnparsedLine[] = [];
  const keys = new Map<string, string>();
  for (const cells of rows) {
    const [name = '', role = '', charter = '', status = ''] = cells.map(plainCell);
    const [source = ''] = cells;
    const slug = folderSlug(name);
    const folder = FOLDER.exec(charter)?.[1];
    if (slug === undefined || events.some((event) => folderSlug(event.name) === slug)) {
      badLines.push({ file: TEAM_MD, line: lineOf(text, source) });
      continue;
    }
    const builtIn = BUILT_IN.get(slug);
    if (folder !== undefined && folder.toLowerCase() !== slug && !texts.has(charterFile(texts, slug)))
      keys.set(slug, folder);
    const event = eventSchema.safeParse({
      eventId: derivedId('markdown', slug),
      rev: 1,
      name,
      persistentName: slug,
      ...(created === undefined ? {} : { at: created, createdAt: created }),
      ...(builtIn === undefined ? {} : { builtIn: true, archetypeId: builtIn }),
      ...(builtIn === undefined ? { universe: universe === '' ? DESCRIPTIVE : universe } : {}),
      ...(role === '' ? {} : { roleTitle: role }),
      status: GONE.test(status) ? 'Retired' : 'Active',
      charterPath: charterFile(texts, slug),
    });
    if (event.success) events.push(event.data);
    else badLines.push({ file: TEAM_MD, line: lineOf(text, source) });
  }
  return events.length === 0 ? undefined : { events, badLines, keys };
}

function dayIn(text: string | undefined): string | undefined {
  const at = (text?.match(/\d{4}-\d{2}-\d{2}/g) ?? []).map(dayAt).find((moment) => moment !== undefined);
  return at === undefined ? undefined : timestamp(at);
}

function lineOf(text: string, cell: string): number {
  return text.slice(0, Math.max(text.indexOf(cell), 0)).split('\n').length;
}

import type { Catalog } from '#core/catalog/catalog.js';
import type { FileChange } from '#kernel/file-change.js';
import { previousVersion, type SquadTexts, sameJsonText, sameMarkdown } from './file-change.js';
import { findBlock } from './generated-file.js';
import { type ClientFiles, outputChanges } from './outputs.js';
import { type RegistryRecord, renderRegistry } from './registry.js';
import { HISTORY_JSON, REGISTRY_JSON, ROUTING_MD, TEAM_MD } from './squad-paths.js';
import { castLeader, teamUniverse } from './team.js';
import { cellText, readTeamFile, renderTeamFile, tableRow } from './team-file.js';
import { type CastHistory, firstSnapshot, renderHistory } from './team-history.js';

export interface DerivedFilesInput {
  /** Squad files with the pending events and charters already applied. */
  readonly texts: SquadTexts;
  readonly records: readonly RegistryRecord[];
  readonly history: CastHistory;
  readonly catalog: Catalog;
  readonly project: string;
  readonly clientFiles: ClientFiles;
  /** Description for a team.md that has none. */
  readonly description: string;
}

/**
 * Returns the changes that bring every file derived from the events and charters up to date; files already current are
 * left out.
 */
export function derivedChanges(from: DerivedFilesInput): FileChange[] {
  const { texts, records, history, catalog } = from;
  const registry = { records, badLines: [], clashes: [] };
  const first = firstSnapshot(history);
  const previous = readTeamFile(texts.get(TEAM_MD));
  const team = renderTeamFile(
    {
      project: from.project,
      universe: teamUniverse(registry, history) ?? '',
      leader: castLeader(registry, history),
      records,
      created: first?.createdAt.slice(0, 10) ?? '',
      requestedBy: first?.by ?? '',
      description: from.description,
    },
    previous,
  );
  const files: readonly (readonly [string, string, typeof sameMarkdown])[] = [
    [TEAM_MD, team, sameMarkdown],
    [REGISTRY_JSON, renderRegistry(records), sameJsonText],
    [HISTORY_JSON, renderHistory(history), sameJsonText],
  ];
  const changed = files.filter(([path, text, same]) => !same(texts.get(path), text));
  return [
    ...(from.clientFiles === 'untouched' ? [] : outputChanges(texts, { records, history }, catalog)),
    ...routingChanges(texts, records, catalog),
    ...(previous.isOurs ? [] : backupOfForeignFile(texts, TEAM_MD)),
    ...changed.map(([path, text]): FileChange => ({ kind: 'write', path, text })),
  ];
}

/** Keeps a copy of a file written by another tool or a person before ours replaces it. */
function backupOfForeignFile(texts: SquadTexts, path: string): FileChange[] {
  const present = texts.get(path);
  return present === undefined ? [] : previousVersion(texts, path, present);
}

const MARKS = { file: ROUTING_MD, begin: '<!-- troupe:routing:begin -->', end: '<!-- troupe:routing:end -->' };

/**
 * Updates the tables of `routing.md` if they are out of date. The text between our marks is regenerated with every
 * change of the team; text outside is kept. A file without our marks belongs to the user: its text stays above our
 * block, and a copy of the original is kept.
 */
function routingChanges(texts: SquadTexts, records: readonly RegistryRecord[], catalog: Catalog): FileChange[] {
  const present = texts.get(ROUTING_MD);
  const tables = routingTables(records, catalog);
  const block = `${MARKS.begin}\n\n${tables}\n${MARKS.end}`;
  const place = findBlock(present ?? '', MARKS);
  if (present !== undefined && place !== undefined) {
    if (sameMarkdown(present.slice(place.from, place.to), block)) return [];
    const text = `${present.slice(0, place.from)}${block}${present.slice(place.to)}`;
    return [{ kind: 'write', path: ROUTING_MD, text }];
  }
  if (present === undefined || sameMarkdown(present, `${HEAD}\n\n${tables}`))
    return [{ kind: 'write', path: ROUTING_MD, text: `${HEAD}\n\n${block}\n` }];
  const text = `${present.trimEnd()}\n\n${block}\n`;
  return [...backupOfForeignFile(texts, ROUTING_MD), { kind: 'write', path: ROUTING_MD, text }];
}

const HEAD = '# Routing\n\nWork goes to the member whose line fits it best. What fits no line goes to the Coordinator.';

/** Renders the tables that map kinds of work to members. */
function routingTables(records: readonly RegistryRecord[], catalog: Catalog): string {
  const active = records.filter((record) => record.status === 'Active');
  const signal = (record: RegistryRecord) => {
    const owned = catalog.archetypes.get(record.archetypeId ?? '')?.responsibilities.slice(0, 2) ?? [];
    const title = cellText(record.roleTitle ?? '') || 'Any work';
    return owned.length === 0 ? title : `${title}: ${owned.map(cellText).join(' ')}`;
  };
  const table = (builtIn: boolean) => [
    '| Signal | Agent |',
    '| --- | --- |',
    ...active
      .filter((record) => (record.builtIn === true) === builtIn)
      .map((record) => tableRow([signal(record), record.name])),
  ];
  return ['## Work Assignment', '', ...table(false), '', '## Built-in Agents', '', ...table(true), ''].join('\n');
}

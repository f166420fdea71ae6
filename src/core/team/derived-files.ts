import type { Catalog } from '#core/catalog/catalog.js';
import type { FileChange } from './file-change.js';
import { type ClientFiles, outputChanges } from './outputs.js';
import { type RegistryRecord, renderRegistry } from './registry.js';
import { routingChanges } from './routing-file.js';
import { sameJsonText, sameMarkdown } from './same-text.js';
import { HISTORY_JSON, REGISTRY_JSON, TEAM_MD } from './squad-paths.js';
import type { SquadTexts } from './squad-texts.js';
import { leaderOf, teamUniverse } from './team.js';
import { readTeamFile, renderTeamFile } from './team-file.js';
import { type CastHistory, firstSnapshot, renderHistory } from './team-history.js';

export interface DerivedFrom {
  /** The files, events and charters in them as they shall be. */
  readonly texts: SquadTexts;
  readonly records: readonly RegistryRecord[];
  readonly history: CastHistory;
  readonly catalog: Catalog;
  readonly project: string;
  readonly clientFiles: ClientFiles;
  /** For a team.md that has none. */
  readonly description: string;
}

/** Every file that follows from the events and the charters, as far as it does not say what it should. */
export function derivedChanges(from: DerivedFrom): FileChange[] {
  const { texts, records, history, catalog } = from;
  const registry = { records, badLines: [], clashes: [] };
  const first = firstSnapshot(history);
  const team = renderTeamFile(
    {
      project: from.project,
      universe: teamUniverse(registry, history) ?? '',
      leader: leaderOf(registry, history),
      records,
      created: first?.createdAt.slice(0, 10) ?? '',
      requestedBy: first?.by ?? '',
      description: from.description,
    },
    readTeamFile(texts.get(TEAM_MD)),
  );
  const wanted: readonly (readonly [string, string, typeof sameMarkdown])[] = [
    [TEAM_MD, team, sameMarkdown],
    [REGISTRY_JSON, renderRegistry(records), sameJsonText],
    [HISTORY_JSON, renderHistory(history), sameJsonText],
  ];
  const changed = wanted.filter(([path, text, same]) => !same(texts.get(path), text));
  return [
    ...(from.clientFiles === 'untouched' ? [] : outputChanges(texts, { records, history }, catalog)),
    ...routingChanges(texts, records, catalog),
    ...changed.map(([path, text]): FileChange => ({ kind: 'write', path, text })),
  ];
}

import type { FileChange } from '#core/casting/file-change.js';
import { type CastHistory, firstSnapshot, renderHistory } from '#core/casting/history.js';
import { type ClientFiles, outputChanges } from '#core/casting/outputs.js';
import { type RegistryRecord, renderRegistry } from '#core/casting/registry.js';
import { routingChanges } from '#core/casting/routing-file.js';
import { sameJsonText, sameMarkdown } from '#core/casting/same-text.js';
import { HISTORY_JSON, REGISTRY_JSON, TEAM_MD } from '#core/casting/squad-paths.js';
import type { SquadTexts } from '#core/casting/squad-texts.js';
import { leaderOf, teamUniverse } from '#core/casting/team.js';
import { readTeamFile, renderTeamFile } from '#core/casting/team-file.js';
import type { Catalog } from '#core/catalog/catalog.js';

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

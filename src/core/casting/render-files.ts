import { compileCharter } from '#core/squad/charter.js';
import { derivedChanges } from '#core/squad/derived-files.js';
import { type SquadPlan, withChanges } from '#core/squad/file-change.js';
import { enableOutputs } from '#core/squad/outputs.js';
import { charterFile, HISTORY_EVENTS, REGISTRY_EVENTS } from '#core/squad/squad-paths.js';
import { refuseWrites } from '#core/squad/squad-state.js';
import type { FileChange } from '#kernel/file-change.js';
import type { TeamRequest } from './roster-change.js';

/**
 * Plans regenerating the files derived from the events: JSON, Markdown, client files and missing charters. Events that
 * exist only in the JSON files are appended to the event files. Errors: those of `refuseWrites`, `marker_unpaired`,
 * `not_text`.
 */
export function planRender(
  request: Pick<TeamRequest, 'state' | 'catalog' | 'templates' | 'project' | 'clientFiles'>,
): SquadPlan<{ written: readonly string[]; removed: readonly string[] }> {
  const { state, catalog, templates } = request;
  const { registry, history } = state;
  if (registry.records.length === 0) return { changes: [], result: { written: [], removed: [] } };
  refuseWrites(state);
  const first: FileChange[] = [
    ...lines(REGISTRY_EVENTS, 'eventId', state.unwritten.registry),
    ...lines(HISTORY_EVENTS, 'snapshotId', state.unwritten.history),
    ...registry.records.flatMap((record): FileChange[] => {
      const path = charterFile(state.texts, record.slug);
      const archetype = catalog.archetypes.get(record.archetypeId ?? '');
      if (record.status !== 'Active' || state.texts.has(path) || archetype === undefined) return [];
      return [{ kind: 'write', path, text: compileCharter(record.name, archetype, templates.get(archetype.id)) }];
    }),
  ];
  if (request.clientFiles === 'wanted') first.push(...enableOutputs(state.texts));
  const texts = withChanges(state.texts, first);
  const derived = derivedChanges({ ...request, texts, records: registry.records, history, description: '' });
  const changes = [...first, ...derived];
  const pathsOf = (removed: boolean) =>
    changes.filter((change) => (change.kind === 'remove') === removed).map((change) => change.path);
  return { changes, result: { written: pathsOf(false), removed: pathsOf(true) } };
}

function lines(path: string, idField: string, added: readonly string[]): FileChange[] {
  return added.length === 0 ? [] : [{ kind: 'append', path, idField, lines: added }];
}

import { derivedChanges } from '#core/squad/derived-files.js';
import { previousVersion, withChanges } from '#core/squad/file-change.js';
import { gitFiles, initialFiles, renderAgentHistory } from '#core/squad/first-files.js';
import { enableOutputs } from '#core/squad/outputs.js';
import { type RegistryRecord, rebuildRegistry } from '#core/squad/registry.js';
import { HISTORY_EVENTS, historyFile, REGISTRY_EVENTS } from '#core/squad/squad-paths.js';
import type { SquadState } from '#core/squad/squad-state.js';
import { type CastSnapshot, rebuildHistory } from '#core/squad/team-history.js';
import type { FileChange } from '#kernel/file-change.js';
import { sha256 } from '#kernel/hash.js';
import { cut } from '#kernel/text.js';
import type { MemberChange, TeamRequest } from './roster-change.js';

const DESCRIPTION_CHARACTERS = 300;

interface CastOutcome extends Pick<TeamRequest, 'state' | 'catalog' | 'project' | 'clientFiles' | 'policyText'> {
  /** Purpose of the team, in the words of the request. */
  readonly description: string;
  readonly snapshot: CastSnapshot;
  readonly members: readonly MemberChange[];
  /** Names that are new to the team, including built-in members. */
  readonly newcomers: readonly string[];
}

/**
 * Plans every file a cast changes. The JSON files are rebuilt from the same lines that are appended to the event files,
 * which keeps the two consistent.
 */
export function squadFileChanges(outcome: CastOutcome): { changes: FileChange[]; records: readonly RegistryRecord[] } {
  const { state, snapshot } = outcome;
  const events = outcome.members.flatMap((member) => member.event ?? []);
  const eventLines = [...state.unwritten.registry, ...events.map((event) => JSON.stringify(event))];
  const snapshotLines = [...state.unwritten.history, JSON.stringify(snapshot)];
  const description = cut(outcome.description, DESCRIPTION_CHARACTERS);
  const appended: FileChange[] = [
    ...(eventLines.length === 0
      ? []
      : [{ kind: 'append', path: REGISTRY_EVENTS, idField: 'eventId', lines: eventLines } as const]),
    { kind: 'append', path: HISTORY_EVENTS, idField: 'snapshotId', lines: snapshotLines },
  ];
  const { records } = rebuildRegistry(withChanges(state.texts, appended).get(REGISTRY_EVENTS));
  const history = rebuildHistory(withChanges(state.texts, appended).get(HISTORY_EVENTS));
  const newcomers = new Set(outcome.newcomers.map((name) => name.toLowerCase()));
  const charters = outcome.members.flatMap((member) => member.changes);
  const memberChanges = [...foreignCharters(state, charters), ...charters];
  const moved = withChanges(state.texts, memberChanges);
  const diaries = records
    .filter((record) => newcomers.has(record.name.toLowerCase()) && !moved.has(historyFile(moved, record.slug)))
    .map((record): FileChange => {
      const facts = {
        name: record.name,
        roleTitle: record.roleTitle ?? '',
        project: outcome.project,
        description,
        date: snapshot.createdAt.slice(0, 10),
      };
      return { kind: 'write', path: historyFile(moved, record.slug), text: renderAgentHistory(facts) };
    });
  const before: FileChange[] = [
    ...memberChanges,
    ...diaries,
    ...initialFiles(state.texts, outcome.policyText),
    ...gitFiles(state.texts),
    ...appended,
  ];
  if (outcome.clientFiles === 'wanted') before.push(...enableOutputs(withChanges(state.texts, before)));
  const texts = withChanges(state.texts, before);
  const derived = derivedChanges({ ...outcome, texts, records, history, description });
  return { changes: [...before, ...derived], records };
}

/**
 * Returns copies of charters that would be overwritten although the registry does not know their hash: they were
 * written by hand or by another tool and must be preserved.
 */
function foreignCharters({ texts, registry }: SquadState, changes: readonly FileChange[]): FileChange[] {
  const ours = new Set(registry.records.map((record) => record.charterSha256));
  return changes.flatMap((change) => {
    const present = texts.get(change.path);
    if (change.kind !== 'write' || !change.path.endsWith('/charter.md') || present === undefined) return [];
    return present === change.text || ours.has(sha256(present)) ? [] : previousVersion(texts, change.path, present);
  });
}

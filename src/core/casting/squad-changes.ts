import { coordinatorAgentFile } from '#core/casting/coordinator-file.js';
import { appendLines, type FileChange } from '#core/casting/file-change.js';
import { filesIfMissing, gitFiles, renderAgentHistory } from '#core/casting/first-files.js';
import { type CastSnapshot, rebuildHistory, renderHistory } from '#core/casting/history.js';
import type { Proposal } from '#core/casting/proposal.js';
import { type RegistryRecord, rebuildRegistry, renderRegistry } from '#core/casting/registry.js';
import type { MemberChange } from '#core/casting/roster-change.js';
import { renderRouting } from '#core/casting/routing-file.js';
import {
  agentHistoryPath,
  charterPath,
  HISTORY_EVENTS,
  HISTORY_JSON,
  REGISTRY_EVENTS,
  REGISTRY_JSON,
  ROUTING_MD,
  TEAM_MD,
} from '#core/casting/squad-paths.js';
import type { SquadState } from '#core/casting/squad-state.js';
import { COORDINATOR } from '#core/casting/team.js';
import { renderTeamFile } from '#core/casting/team-file.js';
import type { Catalog } from '#core/catalog/catalog.js';
import { cut } from '#kernel/text.js';

const DESCRIPTION_CHARACTERS = 300;

interface CastOutcome {
  readonly state: SquadState;
  readonly catalog: Catalog;
  readonly proposal: Proposal;
  readonly project: string;
  readonly policyText: string;
  readonly snapshot: CastSnapshot;
  readonly members: readonly MemberChange[];
  /** Names that are new to the team, built-in ones too. */
  readonly newcomers: readonly string[];
}

/** Every file a cast touches. The JSON is rebuilt from the very lines that are appended, so the two cannot disagree. */
export function squadFileChanges(outcome: CastOutcome): { changes: FileChange[]; records: readonly RegistryRecord[] } {
  const { state, snapshot } = outcome;
  const events = outcome.members.flatMap((member) => member.event ?? []);
  const eventLines = events.map((event) => JSON.stringify(event));
  const snapshotLines = [JSON.stringify(snapshot)];
  const { records } = rebuildRegistry(appendLines(state.texts.get(REGISTRY_EVENTS), eventLines));
  const history = rebuildHistory(appendLines(state.texts.get(HISTORY_EVENTS), snapshotLines));
  const date = snapshot.createdAt.slice(0, 10);
  const description = cut(outcome.proposal.rationale, DESCRIPTION_CHARACTERS);
  const memberChanges = outcome.members.flatMap((member) => member.changes);
  const newcomers = new Set(outcome.newcomers.map((name) => name.toLowerCase()));
  const diaries = records
    .filter((record) => newcomers.has(record.name.toLowerCase()) && !state.texts.has(agentHistoryPath(record.slug)))
    .map((record): FileChange => {
      const facts = {
        name: record.name,
        roleTitle: record.roleTitle ?? '',
        project: outcome.project,
        description,
        date,
      };
      return { kind: 'write', path: agentHistoryPath(record.slug), text: renderAgentHistory(facts) };
    });
  const team = renderTeamFile(
    {
      project: outcome.project,
      universe: snapshot.universe,
      leader: snapshot.leader ?? COORDINATOR,
      records,
      created: date,
      requestedBy: snapshot.by ?? '',
      description,
    },
    state.teamFile,
  );
  const changes: FileChange[] = [
    ...memberChanges,
    ...diaries,
    ...filesIfMissing(state.texts, outcome.policyText),
    ...gitFiles(state.texts),
    ...coordinatorFile(outcome, records, memberChanges),
    { kind: 'write', path: TEAM_MD, text: team },
    { kind: 'write', path: ROUTING_MD, text: renderRouting(records, outcome.catalog) },
    ...(eventLines.length === 0
      ? []
      : [{ kind: 'append', path: REGISTRY_EVENTS, idField: 'eventId', lines: eventLines } as const]),
    { kind: 'append', path: HISTORY_EVENTS, idField: 'snapshotId', lines: snapshotLines },
    { kind: 'write', path: REGISTRY_JSON, text: renderRegistry(records) },
    { kind: 'write', path: HISTORY_JSON, text: renderHistory(history) },
  ];
  return { changes, records };
}

function coordinatorFile(
  outcome: CastOutcome,
  records: readonly RegistryRecord[],
  written: readonly FileChange[],
): FileChange[] {
  const coordinator = records.find((record) => record.archetypeId === 'coordinator' && record.status === 'Active');
  if (!coordinator) return [];
  const path = charterPath(coordinator.slug);
  const fresh = written.find((change) => change.kind === 'write' && change.path === path);
  const charter = fresh?.kind === 'write' ? fresh.text : outcome.state.texts.get(path);
  return charter === undefined ? [] : coordinatorAgentFile(outcome.state.texts, charter);
}

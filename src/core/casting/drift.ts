import type { Catalog } from '#core/catalog/catalog.js';
import { derivedChanges } from '#core/squad/derived-files.js';
import type { SquadTexts } from '#core/squad/file-change.js';
import { isPreviousVersion, normalisedCell } from '#core/squad/file-change.js';
import { surveySquad } from '#core/squad/layout.js';
import { castMembers, type Registry } from '#core/squad/registry.js';
import {
  charterFile,
  HISTORY_JSON,
  REGISTRY_EVENTS,
  REGISTRY_JSON,
  ROUTING_MD,
  TEAM_MD,
} from '#core/squad/squad-paths.js';
import { readSquadState, type SquadState } from '#core/squad/squad-state.js';
import { castMember, inTeamOrder } from '#core/squad/team.js';
import { readTeamFile, tableRow } from '#core/squad/team-file.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import { nameClashes } from './name-clash.js';

export const DRIFTS = ['layout', 'bad-line', 'clash', 'json', 'markdown', 'outputs'] as const;

/** Difference between a file and the team's events. */
export interface Drift {
  readonly kind: (typeof DRIFTS)[number];
  readonly file: string;
  readonly message: string;
}

/**
 * Returns all differences between the files and the state derived from events and charters. Errors: `policy_invalid`,
 * `corrupt`.
 */
export function driftsOf(texts: SquadTexts, catalog: Catalog, project: string): Drift[] {
  const survey = surveySquad(texts);
  const layout: Drift[] = [
    ...survey.conflicts.map(
      ([file, other]): Drift => ({
        kind: 'layout',
        file,
        message: `conflicts with ${other}; decide with squad migrate --keep`,
      }),
    ),
    ...(survey.layout === 'conflict' ? [] : survey.foreign).map(
      (file): Drift => ({
        kind: 'layout',
        file,
        message: 'is in the format of another tool; squad migrate imports it',
      }),
    ),
  ];
  if (survey.layout === 'conflict') return layout;
  const state = readSquadState(texts);
  const bad = [...state.registry.badLines, ...state.history.badLines].map(
    ({ file, line }): Drift => ({ kind: 'bad-line', file, message: `line ${line} cannot be parsed` }),
  );
  const clashes = nameClashes(texts.get(REGISTRY_EVENTS)).map(({ name, members }): Drift => {
    const events = members.map(([first]) => `${inert(first?.eventId ?? '')} (${inert(first?.roleTitle ?? 'no role')})`);
    return { kind: 'clash', file: REGISTRY_EVENTS, message: `${inert(name)} is two members: ${events.join(' and ')}` };
  });
  const drifts = [...layout, ...bad, ...clashes];
  // State in a foreign format has no derived files yet, and a name clash leaves the derived content undefined.
  if (layout.length > 0 || clashes.length > 0 || state.registry.records.length === 0) return drifts;
  return [...drifts, ...missingCharters(state), ...fileDrifts(state, catalog, project)];
}

function missingCharters({ registry, texts }: SquadState): Drift[] {
  return registry.records
    .filter((record) => record.status === 'Active' && !texts.has(charterFile(texts, record.slug)))
    .map((record) => ({
      kind: 'markdown',
      file: charterFile(texts, record.slug),
      message: `is missing: ${inert(record.name)} has no charter`,
    }));
}

const JSON_FILES = [REGISTRY_JSON, HISTORY_JSON];
const MARKDOWN_FILES = [TEAM_MD, ROUTING_MD];

function fileDrifts(state: SquadState, catalog: Catalog, project: string): Drift[] {
  const { texts, registry, history } = state;
  try {
    const from = {
      texts,
      records: registry.records,
      history,
      catalog,
      project,
      description: '',
      clientFiles: 'configured',
    } as const;
    const changes = derivedChanges(from).filter(({ path }) => !isPreviousVersion(path));
    return changes.map((change): Drift => {
      const file = change.path;
      if (change.kind === 'remove') return { kind: 'outputs', file, message: 'belongs to a retired member' };
      const missing = !texts.has(file);
      if (JSON_FILES.includes(file))
        return { kind: 'json', file, message: missing ? 'is missing' : 'does not match the events' };
      if (file === TEAM_MD && !missing)
        return { kind: 'markdown', file, message: describeTeamFileDrift(texts, registry) };
      if (MARKDOWN_FILES.includes(file))
        return { kind: 'markdown', file, message: missing ? 'is missing' : 'does not match the registry' };
      return { kind: 'outputs', file, message: missing ? 'is missing' : 'does not match the charters' };
    });
  } catch (error) {
    if (!(error instanceof TroupeError) || !['marker_unpaired', 'not_text'].includes(error.code)) throw error;
    return [{ kind: 'outputs', file: String(error.details?.['file'] ?? 'AGENTS.md'), message: error.message }];
  }
}

/** Describes how the Members table differs from the registry, which takes precedence over hand edits. */
function describeTeamFileDrift(texts: SquadTexts, registry: Registry): string {
  const meaning = (cells: readonly string[]) => tableRow(cells.map(normalisedCell));
  const own = new Set(
    inTeamOrder(registry.records)
      .map(castMember)
      .map((member) => meaning([member.name, member.roleTitle, member.charterPath, member.status])),
  );
  const present = readTeamFile(texts.get(TEAM_MD)).rows.map(meaning);
  const strange = present.filter((line) => !own.has(line)).map((line) => inert(/^\| (.*?) \|/.exec(line)?.[1] ?? line));
  const missing = [...own].filter((line) => !present.includes(line)).length - strange.length;
  if (strange.length > 0) return `has rows the registry does not: ${strange.join(', ')}`;
  if (missing > 0) return 'lacks current members';
  return castMembers(registry).length === 0 ? 'lists no one' : 'does not match the registry';
}

import type { Catalog } from '#core/catalog/catalog.js';
import { timestamp } from '#kernel/clock.js';
import type { FileChange } from '#kernel/file-change.js';
import type { SquadPlan, SquadTexts } from './file-change.js';
import {
  type EventSource,
  fromOlderFolder,
  type LayoutSide,
  olderPath,
  type PolicySource,
  refuseLayoutConflict,
  type Survey,
  surveySquad,
  withOlderFolder,
} from './layout.js';
import { rebuildRegistry, renderRegistry } from './registry.js';
import {
  AGENTS_FOLDER,
  agentHistoryPath,
  charterPath,
  HISTORY_EVENTS,
  HISTORY_JSON,
  MIGRATED_FOLDER,
  POLICY_JSON,
  REGISTRY_EVENTS,
  REGISTRY_JSON,
  TEAM_MD,
} from './squad-paths.js';
import { readTeamFile } from './team-file.js';
import { rebuildHistory, renderHistory } from './team-history.js';

export const KEPT_LAYOUTS = ['canonical', 'flat'] as const;
export type KeptLayout = (typeof KEPT_LAYOUTS)[number];

export interface MigrationRequest {
  readonly texts: SquadTexts;
  readonly catalog: Pick<Catalog, 'universes'>;
  /** Layout to keep if the two conflict. */
  readonly keep?: KeptLayout | undefined;
  readonly dryRun: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export interface Migration {
  readonly layout: Survey['layout'];
  /** Format found; null if there is no state. */
  readonly dialect: NonNullable<Survey['dialect']> | null;
  /** False if there was nothing to do, and after a dry run. */
  readonly changed: boolean;
  readonly dry_run: boolean;
  readonly written: readonly string[];
  readonly moved: readonly { readonly from: string; readonly to: string }[];
  /** Files that were read and also stay in place. */
  readonly copied: readonly { readonly from: string; readonly to: string }[];
  /** Entries that could not be parsed; they remain in the file that is moved aside. */
  readonly not_understood: readonly { readonly file: string; readonly line: number }[];
  readonly members: number;
}

/**
 * Converts the state to our format: events keep their times, unknown fields go under `x`. Source files are moved aside,
 * not removed. Returns no changes if there is nothing to do. Errors: `layout_conflict` without `keep`,
 * `policy_invalid`, `corrupt`.
 */
export function planMigration(request: MigrationRequest): SquadPlan<Migration> {
  const older = fromOlderFolder(request.texts);
  const texts = withOlderFolder(request.texts);
  const survey = surveySquad(texts);
  if (request.keep === undefined) refuseLayoutConflict(survey);
  const source = sourcesOf(survey, request.keep);
  const retired = supersededFiles(survey, source);
  const changes: FileChange[] = [];
  const folder = `${MIGRATED_FOLDER}/${timestamp(request.now).replace(/[-:.]/g, '')}`;
  const copyOf = (from: string) => ({ from, to: `${folder}/${from.slice(from.lastIndexOf('/') + 1)}` });
  const moved = retired.filter((from) => !older.has(from)).map(copyOf);
  const copied = [
    ...retired.filter((from) => older.has(from)),
    ...(source.registry?.file === TEAM_MD ? [TEAM_MD] : []),
  ].map(copyOf);
  if (moved.length + copied.length > 0) {
    const copy = (from: string, to: string) => changes.push({ kind: 'write', path: to, text: texts.get(from) ?? '' });
    for (const { from, to } of [...moved, ...copied]) copy(from, to);
    for (const { from } of moved) changes.push({ kind: 'remove', path: from });
    for (const from of older.keys()) if (!retired.includes(from)) copy(from, from);
    changes.push(
      ...stateFiles(texts, source.registry, [REGISTRY_EVENTS, REGISTRY_JSON], (text) =>
        renderRegistry(rebuildRegistry(text).records),
      ),
      ...stateFiles(texts, source.history, [HISTORY_EVENTS, HISTORY_JSON], (text) =>
        renderHistory(rebuildHistory(text)),
      ),
    );
    if (source.policy && (source.policy.style !== 'camel' || source.policy.file !== POLICY_JSON))
      changes.push({ kind: 'write', path: POLICY_JSON, text: policyText(source.policy, request.catalog) });
    changes.push(...movedFolders(texts, source.registry), ...teamFileBackup(texts, source.registry, folder));
  }
  const result: Migration = {
    layout: survey.layout,
    dialect: survey.dialect ?? null,
    changed: changes.length > 0 && !request.dryRun,
    dry_run: request.dryRun,
    written: changes.flatMap((change) =>
      change.kind === 'write' && !change.path.startsWith(MIGRATED_FOLDER) ? change.path : [],
    ),
    moved,
    copied: copied.map(({ from, to }) => ({ from: older.has(from) ? olderPath(from) : from, to })),
    not_understood: [...(source.registry?.badLines ?? []), ...(source.history?.badLines ?? [])],
    members: source.registry?.state.records.length ?? 0,
  };
  return { changes: request.dryRun ? [] : changes, result };
}

/**
 * Selects the sources of the new state. Keeping one layout drops the other, except for parts that only the other one
 * holds.
 */
function sourcesOf({ canonical, flat, effective, layout }: Survey, keep: KeptLayout | undefined): LayoutSide {
  if (layout !== 'conflict' || keep === undefined) return effective;
  const [first, second] = keep === 'flat' ? [flat, canonical] : [canonical, flat];
  const team = (first.registry ?? first.history) ? first : second;
  return { registry: team.registry, history: team.history, policy: first.policy ?? second.policy };
}

/**
 * Returns the files that the migration supersedes, by conversion or because the other layout was kept. Files in our own
 * format stay if they are in force.
 */
function supersededFiles(survey: Survey, source: LayoutSide): string[] {
  const { canonical, flat } = survey;
  const pairs = [
    [canonical.registry, source.registry],
    [canonical.history, source.history],
    [canonical.policy, source.policy],
  ] as const;
  const ours = pairs.flatMap(([present, target]) => {
    if (present === undefined || present.file === TEAM_MD) return [];
    const stays = present === target && present.style === 'camel';
    return stays ? [] : [present.file];
  });
  return [...ours, ...[flat.registry, flat.history, flat.policy].flatMap((side) => side?.file ?? [])];
}

/** Writes the events of a part of the state, and its JSON file if that differs. */
function stateFiles(
  texts: SquadTexts,
  source: EventSource<unknown> | undefined,
  [events, json]: readonly [events: string, json: string],
  render: (events: string) => string,
): FileChange[] {
  if (source === undefined || source.inEvents) return [];
  const text = source.lines.map((line) => `${line}\n`).join('');
  const rendered = render(text);
  return [
    { kind: 'write', path: events, text },
    ...(texts.get(json) === rendered ? [] : [{ kind: 'write', path: json, text: rendered } as const]),
  ];
}

function policyText(source: PolicySource, catalog: Pick<Catalog, 'universes'>): string {
  const all = catalog.universes.filter((universe) => universe.source === undefined).map((universe) => universe.name);
  const { version, ...fields } = source.otherFields;
  const text = {
    version: version ?? '1',
    ...(source.policy ?? { allowlistUniverses: all }),
    ...fields,
  };
  return `${JSON.stringify(text, null, 2)}\n`;
}

/**
 * Keeps a copy of team.md if it lists members missing from the registry: the next version, rendered from the events,
 * lacks them.
 */
function teamFileBackup(texts: SquadTexts, source: LayoutSide['registry'], folder: string): FileChange[] {
  if (source?.file === TEAM_MD) return []; // already copied
  const names = new Set(source?.state.records.map((record) => record.name.toLowerCase()));
  const text = texts.get(TEAM_MD);
  if (text === undefined || readTeamFile(text).memberNames.every((name) => names.has(name.toLowerCase()))) return [];
  return [{ kind: 'write', path: `${folder}/team.md`, text }];
}

/** Moves charters and histories filed under a role to the member's name, unless a file exists there. */
function movedFolders(texts: SquadTexts, source: LayoutSide['registry']): FileChange[] {
  return [...(source?.keys ?? [])].flatMap(([slug, key]) => {
    const pairs = [
      [`${AGENTS_FOLDER}/${key}/charter.md`, charterPath(slug)],
      [`${AGENTS_FOLDER}/${key}/history.md`, agentHistoryPath(slug)],
    ] as const;
    return pairs.flatMap(([from, to]): FileChange[] => {
      const text = texts.get(from);
      if (text === undefined || texts.has(to)) return [];
      return [
        { kind: 'write', path: to, text },
        { kind: 'remove', path: from },
      ];
    });
  });
}

import { folderSlug } from '#core/catalog/member-slug.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';
import type { SquadTexts, UnparsedLine } from './file-change.js';
import { type AnyPolicy, historyFromJson, type KeyStyle, policyFrom, registryFromJson } from './foreign-files.js';
import { markdownTeam } from './markdown-team.js';
import { everyName, type Registry, rebuildRegistry } from './registry.js';
import {
  AGENTS_FOLDER,
  FIXED_FILES,
  FLAT_HISTORY,
  FLAT_POLICY,
  FLAT_REGISTRY,
  HISTORY_EVENTS,
  HISTORY_JSON,
  POLICY_JSON,
  REGISTRY_EVENTS,
  REGISTRY_JSON,
  TEAM_MD,
} from './squad-paths.js';
import { readTeamFile } from './team-file.js';
import { type CastHistory, rebuildHistory } from './team-history.js';

export const LAYOUTS = ['canonical', 'flat', 'conflict', 'absent'] as const;
/** A: ours. B: snake-case keys. C: like B, with a policy that allows everything. D: flat files. E: Markdown alone. */
export const DIALECTS = ['A', 'B', 'C', 'D', 'E'] as const;

/** Event lines and the file they were read from. */
export interface EventSource<State> {
  readonly file: string;
  /** Serialised as our events; written before any other event if the source is not an events file. */
  readonly lines: readonly string[];
  readonly inEvents: boolean;
  readonly style: KeyStyle;
  readonly badLines: readonly UnparsedLine[];
  readonly state: State;
  readonly keys: ReadonlyMap<string, string>;
}

export interface PolicySource extends AnyPolicy {
  readonly file: string;
}

/** Casting state found in one of the two layouts. */
export interface LayoutSide {
  readonly registry: EventSource<Registry> | undefined;
  readonly history: EventSource<CastHistory> | undefined;
  readonly policy: PolicySource | undefined;
}

export interface Survey {
  readonly layout: (typeof LAYOUTS)[number];
  readonly dialect: (typeof DIALECTS)[number] | undefined;
  readonly migration_available: boolean;
  /** State files in the format of another tool. */
  readonly foreign: readonly string[];
  /** Pairs of files that contradict each other. */
  readonly conflicts: readonly (readonly [string, string])[];
  readonly canonical: LayoutSide;
  readonly flat: LayoutSide;
  /**
   * State in force: the canonical layout, except for the flat registry if it is more complete, and for parts that only
   * the flat layout holds.
   */
  readonly effective: LayoutSide;
}

const NO_KEYS: ReadonlyMap<string, string> = new Map();

/**
 * Determines the layout and format of the casting state. Errors: `policy_invalid`, `corrupt` (a state file is not
 * JSON).
 */
export function surveySquad(original: SquadTexts): Survey {
  const older = fromOlderFolder(original);
  const texts = withOlderFolder(original);
  const roles = rolesOf(texts);
  const flatRegistry = registryJson(texts, FLAT_REGISTRY, roles);
  const ours = registryEvents(texts) ?? registryJson(texts, REGISTRY_JSON, roles);
  const canonical: LayoutSide = {
    registry: ours ?? (flatRegistry === undefined ? registryMarkdown(texts) : undefined),
    history: historyEvents(texts) ?? historyJson(texts, HISTORY_JSON),
    policy: policyAt(texts, POLICY_JSON),
  };
  const flat: LayoutSide = {
    registry: flatRegistry,
    history: historyJson(texts, FLAT_HISTORY),
    policy: policyAt(texts, FLAT_POLICY),
  };
  const effective: LayoutSide = {
    registry: hasExtraNames(flat.registry, canonical.registry) ? flat.registry : (canonical.registry ?? flat.registry),
    history: canonical.history ?? flat.history,
    policy: canonical.policy ?? flat.policy,
  };
  const conflicts = conflictsBetween(canonical, flat);
  const foreign = [
    ...[canonical.registry, canonical.history, canonical.policy].filter((source) => isForeign(source)),
    ...[flat.registry, flat.history, flat.policy],
  ].flatMap((source) => (source === undefined ? [] : older.has(source.file) ? olderPath(source.file) : source.file));
  const hasState = (side: LayoutSide) => Object.values(side).some((source) => source !== undefined);
  const layout =
    conflicts.length > 0 ? 'conflict' : hasState(canonical) ? 'canonical' : hasState(flat) ? 'flat' : 'absent';
  return {
    layout,
    dialect: dialectOf(effective, foreign),
    migration_available: foreign.length > 0,
    foreign,
    conflicts,
    canonical,
    flat,
    effective,
  };
}

/** Rejects every operation except check and migrate while the two layouts conflict (`layout_conflict`). */
export function refuseLayoutConflict(survey: Survey): void {
  if (survey.layout !== 'conflict') return;
  const files = [...new Set(survey.conflicts.flat())];
  throw new TroupeError('layout_conflict', {
    what: `Two casting states conflict: ${survey.conflicts.map(([left, right]) => `${left} and ${right}`).join('; ')}.`,
    details: { files },
  });
}

function registryEvents(texts: SquadTexts): EventSource<Registry> | undefined {
  const text = texts.get(REGISTRY_EVENTS);
  const state = rebuildRegistry(text);
  if (text === undefined || (state.records.length === 0 && hasEntries(texts.get(REGISTRY_JSON)))) return undefined;
  if (text.trim() === '') return undefined;
  const { badLines } = state;
  return { file: REGISTRY_EVENTS, lines: [], inEvents: true, style: 'camel', badLines, state, keys: NO_KEYS };
}

/** Reads the team from Markdown when there is no registry. */
function registryMarkdown(texts: SquadTexts): EventSource<Registry> | undefined {
  const source = markdownTeam(texts);
  if (source === undefined) return undefined;
  const lines = source.events.map((event) => JSON.stringify(event));
  const { badLines, keys } = source;
  const state = rebuildRegistry(lines.join('\n'));
  return { file: TEAM_MD, lines, inEvents: false, style: 'snake', badLines, keys, state };
}

function registryJson(
  texts: SquadTexts,
  file: string,
  roles: ReadonlyMap<string, string>,
): EventSource<Registry> | undefined {
  const text = texts.get(file);
  if (text === undefined || !hasEntries(text)) return undefined;
  const source = registryFromJson(text, file, roles);
  if (source === undefined)
    throw new TroupeError('corrupt', { what: `${file} is not a registry.`, hint: STATE_FILE_HINT });
  const lines = source.events.map((event) => JSON.stringify(event));
  const { style, badLines, keys } = source;
  return { file, lines, inEvents: false, style, badLines, keys, state: rebuildRegistry(lines.join('\n')) };
}

function historyEvents(texts: SquadTexts): EventSource<CastHistory> | undefined {
  const text = texts.get(HISTORY_EVENTS);
  const state = rebuildHistory(text);
  if (text === undefined || (state.snapshots.length === 0 && hasEntries(texts.get(HISTORY_JSON)))) return undefined;
  if (text.trim() === '') return undefined;
  const { badLines } = state;
  return { file: HISTORY_EVENTS, lines: [], inEvents: true, style: 'camel', badLines, state, keys: NO_KEYS };
}

function historyJson(texts: SquadTexts, file: string): EventSource<CastHistory> | undefined {
  const text = texts.get(file);
  if (text === undefined || !hasEntries(text)) return undefined;
  const source = historyFromJson(text, file);
  if (source === undefined)
    throw new TroupeError('corrupt', { what: `${file} is not a cast history.`, hint: STATE_FILE_HINT });
  const lines = source.snapshots.map((snapshot) => JSON.stringify(snapshot));
  const { style, badLines } = source;
  return { file, lines, inEvents: false, style, badLines, keys: NO_KEYS, state: rebuildHistory(lines.join('\n')) };
}

const STATE_FILE_HINT = 'Fix the file, or move it out of .squad.';

function policyAt(texts: SquadTexts, file: string): PolicySource | undefined {
  const text = texts.get(file);
  return text === undefined ? undefined : { file, ...policyFrom(text, file) };
}

function rolesOf(texts: SquadTexts): Map<string, string> {
  const { rows } = readTeamFile(texts.get(TEAM_MD));
  return new Map(rows.flatMap(([name = '', role = '']) => (role === '' ? [] : [[name.toLowerCase(), role] as const])));
}

/** Whether a JSON state file holds entries; false for a registry without agents or a history without casts. */
function hasEntries(text: string | undefined): boolean {
  if (text === undefined || text.trim() === '') return false;
  const value = parseJsonObject(text);
  if (value === undefined) return true;
  return Object.values(value).some(
    (part) => (Array.isArray(part) && part.length > 0) || (isJsonObject(part) && Object.keys(part).length > 0),
  );
}

function isForeign(source: { readonly style: string } | undefined): boolean {
  return source !== undefined && source.style !== 'camel';
}

function dialectOf(effective: LayoutSide, foreign: readonly string[]): Survey['dialect'] {
  const sources = [effective.registry, effective.history, effective.policy];
  if (sources.every((source) => source === undefined)) return undefined;
  const flat: readonly string[] = [FLAT_REGISTRY, FLAT_HISTORY, FLAT_POLICY];
  if (sources.some((source) => source !== undefined && flat.includes(source.file))) return 'D';
  if (effective.registry?.file === TEAM_MD) return 'E';
  if (effective.policy?.style === 'wildcard') return 'C';
  return foreign.some((file) => !flat.includes(file)) ? 'B' : 'A';
}

/**
 * Returns the registries that conflict: each lists a member that the other lacks, so following either would lose a
 * name, which could then be assigned again. No other difference, in casts or policies, loses a member; there the more
 * complete registry is used.
 */
function conflictsBetween(canonical: LayoutSide, flat: LayoutSide): (readonly [string, string])[] {
  const [ours, theirs] = [canonical.registry, flat.registry];
  if (!hasExtraNames(ours, theirs) || !hasExtraNames(theirs, ours) || !ours || !theirs) return [];
  return [[ours.file, theirs.file]];
}

/** Whether the left registry has a name that the right one lacks. */
function hasExtraNames(left: EventSource<Registry> | undefined, right: EventSource<Registry> | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  const keyOf = (name: string) => folderSlug(name) ?? name;
  const known = new Set(everyName(right.state).map(keyOf));
  return everyName(left.state).some((name) => !known.has(keyOf(name)));
}

/** Folder in which older releases of other tools kept the team. */
const OLDER_FOLDER = '.ai-team';

/** Files read from the older folder: the same as in `.squad`. */
export const OLDER_FILES: readonly string[] = FIXED_FILES.filter((path) => path.startsWith('.squad/')).map(olderPath);
export const OLDER_AGENTS = olderPath(AGENTS_FOLDER);

/** Returns the path of the same file in the older folder. */
export function olderPath(path: string): string {
  return path.replace(/^\.squad\//, `${OLDER_FOLDER}/`);
}

/** Maps the files of an older folder to their paths in `.squad`; empty once `.squad` holds a team. */
export function fromOlderFolder(texts: SquadTexts): SquadTexts {
  const moved = new Map<string, string>();
  if ([TEAM_MD, REGISTRY_EVENTS, REGISTRY_JSON].some((path) => texts.has(path))) return moved;
  for (const [path, text] of texts) {
    const here = path.replace(`${OLDER_FOLDER}/`, '.squad/');
    if (path.startsWith(`${OLDER_FOLDER}/`) && !texts.has(here)) moved.set(here, text);
  }
  return moved;
}

/** Adds the files of an older folder that `.squad` lacks. */
export function withOlderFolder(texts: SquadTexts): SquadTexts {
  const older = fromOlderFolder(texts);
  return older.size === 0 ? texts : new Map([...texts, ...older]);
}

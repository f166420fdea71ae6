import type { BadLine } from '#core/casting/event-lines.js';
import type { KeyStyle } from '#core/casting/foreign-fields.js';
import { historyFromJson } from '#core/casting/foreign-history.js';
import { type AnyPolicy, policyFrom } from '#core/casting/foreign-policy.js';
import { registryFromJson } from '#core/casting/foreign-registry.js';
import { type CastHistory, rebuildHistory } from '#core/casting/history.js';
import { type Registry, rebuildRegistry } from '#core/casting/registry.js';
import {
  FLAT_HISTORY,
  FLAT_POLICY,
  FLAT_REGISTRY,
  HISTORY_EVENTS,
  HISTORY_JSON,
  POLICY_JSON,
  REGISTRY_EVENTS,
  REGISTRY_JSON,
  TEAM_MD,
} from '#core/casting/squad-paths.js';
import type { SquadTexts } from '#core/casting/squad-texts.js';
import { readTeamFile } from '#core/casting/team-file.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, parseJsonObject, sameJson } from '#kernel/json.js';

export const LAYOUTS = ['canonical', 'flat', 'conflict', 'absent'] as const;
/** A: ours. B: keys in snake case. C: like B, with a policy that allows everything. D: flat files. */
export const DIALECTS = ['A', 'B', 'C', 'D'] as const;

/** Lines of events, wherever they were read from. */
export interface EventSource<State> {
  readonly file: string;
  /** As lines of ours; written before anything else when they stand in no events file yet. */
  readonly lines: readonly string[];
  readonly inEvents: boolean;
  readonly style: KeyStyle;
  readonly badLines: readonly BadLine[];
  readonly state: State;
  readonly keys: ReadonlyMap<string, string>;
}

export interface PolicySource extends AnyPolicy {
  readonly file: string;
}

/** What one of the two layouts holds. */
export interface LayoutSide {
  readonly registry: EventSource<Registry> | undefined;
  readonly history: EventSource<CastHistory> | undefined;
  readonly policy: PolicySource | undefined;
}

export interface Survey {
  readonly layout: (typeof LAYOUTS)[number];
  readonly dialect: (typeof DIALECTS)[number] | undefined;
  readonly migration_available: boolean;
  /** Files in a form of another tool that hold state. */
  readonly foreign: readonly string[];
  /** Pairs of files that tell different things. */
  readonly conflicts: readonly (readonly [string, string])[];
  readonly canonical: LayoutSide;
  readonly flat: LayoutSide;
  /** What counts: the canonical layout, and of the flat one what only stands there. */
  readonly chosen: LayoutSide;
}

const NO_KEYS: ReadonlyMap<string, string> = new Map();

/** Where the casting state stands and in which form. Errors: `policy_invalid`, `corrupt` (a state file that is no JSON). */
export function surveySquad(texts: SquadTexts): Survey {
  const roles = rolesOf(texts);
  const canonical: LayoutSide = {
    registry: registryEvents(texts) ?? registryJson(texts, REGISTRY_JSON, roles),
    history: historyEvents(texts) ?? historyJson(texts, HISTORY_JSON),
    policy: policyAt(texts, POLICY_JSON),
  };
  const flat: LayoutSide = {
    registry: registryJson(texts, FLAT_REGISTRY, roles),
    history: historyJson(texts, FLAT_HISTORY),
    policy: policyAt(texts, FLAT_POLICY),
  };
  const chosen: LayoutSide = {
    registry: canonical.registry ?? flat.registry,
    history: canonical.history ?? flat.history,
    policy: canonical.policy ?? flat.policy,
  };
  const conflicts = conflictsBetween(canonical, flat);
  const foreign = [
    ...[canonical.registry, canonical.history, canonical.policy].filter((source) => isForeign(source)),
    ...[flat.registry, flat.history, flat.policy],
  ].flatMap((source) => source?.file ?? []);
  const holds = (side: LayoutSide) => Object.values(side).some((source) => source !== undefined);
  const layout = conflicts.length > 0 ? 'conflict' : holds(canonical) ? 'canonical' : holds(flat) ? 'flat' : 'absent';
  return {
    layout,
    dialect: dialectOf(chosen, foreign),
    migration_available: foreign.length > 0,
    foreign,
    conflicts,
    canonical,
    flat,
    chosen,
  };
}

/** Every read and write but checking and migrating ends here while the two layouts disagree. */
export function refuseConflict(survey: Survey): void {
  if (survey.layout !== 'conflict') return;
  const files = [...new Set(survey.conflicts.flat())];
  throw new TroupeError('layout_conflict', {
    what: `Two casting states disagree: ${survey.conflicts.map(([left, right]) => `${left} and ${right}`).join('; ')}.`,
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

function registryJson(
  texts: SquadTexts,
  file: string,
  roles: ReadonlyMap<string, string>,
): EventSource<Registry> | undefined {
  const text = texts.get(file);
  if (text === undefined || !hasEntries(text)) return undefined;
  const found = registryFromJson(text, file, roles);
  if (found === undefined) throw new TroupeError('corrupt', { what: `${file} is no registry.`, hint: MEND });
  const lines = found.events.map((event) => JSON.stringify(event));
  const { style, badLines, keys } = found;
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
  const found = historyFromJson(text, file);
  if (found === undefined) throw new TroupeError('corrupt', { what: `${file} is no cast history.`, hint: MEND });
  const lines = found.snapshots.map((snapshot) => JSON.stringify(snapshot));
  const { style, badLines } = found;
  return { file, lines, inEvents: false, style, badLines, keys: NO_KEYS, state: rebuildHistory(lines.join('\n')) };
}

const MEND = 'Mend the file, or move it out of .squad.';

function policyAt(texts: SquadTexts, file: string): PolicySource | undefined {
  const text = texts.get(file);
  return text === undefined ? undefined : { file, ...policyFrom(text, file) };
}

function rolesOf(texts: SquadTexts): Map<string, string> {
  const { rows } = readTeamFile(texts.get(TEAM_MD));
  return new Map(rows.flatMap(([name = '', role = '']) => (role === '' ? [] : [[name.toLowerCase(), role] as const])));
}

/** Whether a JSON state file holds anything: a registry without agents and a history without casts do not. */
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

function dialectOf(chosen: LayoutSide, foreign: readonly string[]): Survey['dialect'] {
  const sources = [chosen.registry, chosen.history, chosen.policy];
  if (sources.every((source) => source === undefined)) return undefined;
  const flat: readonly string[] = [FLAT_REGISTRY, FLAT_HISTORY, FLAT_POLICY];
  if (sources.some((source) => source !== undefined && flat.includes(source.file))) return 'D';
  if (chosen.policy?.style === 'wildcard') return 'C';
  return foreign.some((file) => !flat.includes(file)) ? 'B' : 'A';
}

/**
 * Team and history stand or fall together: what one layout says of them and the other does not is a difference too. Policies
 * disagree only where there are two.
 */
function conflictsBetween(canonical: LayoutSide, flat: LayoutSide): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  const ours = canonical.registry ?? canonical.history;
  if (ours && flat.registry && !sameJson(membersIn(canonical.registry), membersIn(flat.registry)))
    found.push([(canonical.registry ?? ours).file, flat.registry.file]);
  if (ours && flat.history && !sameJson(castsIn(canonical.history), castsIn(flat.history)))
    found.push([(canonical.history ?? ours).file, flat.history.file]);
  if (canonical.policy && flat.policy && !sameJson(meaningOf(canonical.policy), meaningOf(flat.policy)))
    found.push([canonical.policy.file, flat.policy.file]);
  return found;
}

function membersIn(source: EventSource<Registry> | undefined): unknown {
  const members = source?.state.records.map(({ slug, name, status, universe, createdAt, previousName }) => [
    ...[slug, name.toLowerCase(), status, universe?.toLowerCase() ?? ''],
    ...[moment(createdAt), previousName?.toLowerCase() ?? ''],
  ]);
  return [...(members ?? [])].map((member) => JSON.stringify(member)).sort();
}

function castsIn(source: EventSource<CastHistory> | undefined): unknown {
  const casts = source?.state.snapshots.filter((snapshot) => snapshot.members.length > 0);
  return {
    usage: source?.state.usage.map((universe) => universe.toLowerCase()) ?? [],
    casts: [...(casts ?? [])]
      .map(({ universe, createdAt, members }) =>
        JSON.stringify([universe.toLowerCase(), moment(createdAt), members.map((name) => name.toLowerCase()).sort()]),
      )
      .sort(),
  };
}

function meaningOf({ policy, kept }: PolicySource): unknown {
  return {
    allowed: policy?.allowlistUniverses.map((name) => name.toLowerCase()) ?? '*',
    naming: policy?.defaultNaming ?? kept['defaultNaming'] ?? '',
  };
}

function moment(text: string | undefined): number {
  return Date.parse(text ?? '') || 0;
}

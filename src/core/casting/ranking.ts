import { type Archetype, type Catalog, GENERAL_TEAM } from '#core/catalog/catalog.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { memoised } from '#kernel/memoised.js';
import { wordsOf } from '#kernel/words.js';
import { goalWords } from './goal-words.js';
import type { Pick, Picks, Warning } from './proposal.js';
import { byRecord, NO_RECORDS, type TrackRecords } from './track-record.js';
import { type RequestedKind, readGoal } from './work-kinds.js';

const BEST_DOMAIN_FACTOR = 1.25;
/** Minimum share of the best score for an archetype to count as relevant. */
const MIN_SCORE_SHARE = 0.2;
const WORDS_IN_REASON = 4;
/** Minimum weight of a match to be shown as a reason: a title, keyword or capability. */
const MIN_REASON_WEIGHT = 3;
/** Maximum number of members added for topics of the work. */
const MAX_TOPIC_MEMBERS = 2;

/** Capabilities of archetypes that check the work of others. */
const CHECKING = new Set(['code-review', 'testing']);

export interface RankedArchetype {
  readonly archetype: Archetype;
  /** Rounded to three decimals; 0 if no word matched. */
  readonly score: number;
  readonly matches: readonly ArchetypeMatch[];
}

/**
 * Ranks every archetype of the menu for a goal, best first, ties in menu order. A word weighs less the more archetypes
 * contain it, and archetypes in the domain of the best one get a bonus.
 */
export function rankByWords(catalog: Catalog, goal: string): RankedArchetype[] {
  const words = goalWords(goal, catalog.lexicon);
  const holders = new Map(
    words.map((word) => [word, catalog.menu.filter((archetype) => wordsIn(archetype).has(word)).length]),
  );
  const raw = catalog.menu.map((archetype) => {
    const byWord = wordsIn(archetype);
    const matches = words.flatMap((word) => byWord.get(word) ?? []);
    return {
      archetype,
      matches,
      score: matches.reduce((sum, match) => sum + match.weight / (holders.get(match.word) ?? 1), 0),
    };
  });
  const top = raw.reduce<(typeof raw)[number] | undefined>(
    (best, next) => (best && best.score >= next.score ? best : next),
    undefined,
  );
  return raw
    .map(({ archetype, matches, score }) => {
      const factor = archetype.domain === top?.archetype.domain ? BEST_DOMAIN_FACTOR : 1;
      return { archetype, matches, score: Math.round(score * factor * 1_000) / 1_000 };
    })
    .sort((left, right) => right.score - left.score);
}

/**
 * Returns the team for a goal if no model chooses: archetypes for the kinds of work asked for, then archetypes outside
 * all kinds of work (the project's own) by word match. A team of two or more includes a reviewer. If the words are
 * unclear, a general team is returned.
 */
export function pickByWords(catalog: Catalog, goal: string, size: number = TEAM_LIMITS.teamSizeDefault): Picks {
  const message = 'The words do not say clearly enough what kind of work it is: this is a general team.';
  return (
    pickForGoal(catalog, goal, { size, records: NO_RECORDS }) ?? {
      picks: GENERAL_TEAM.slice(0, size).map((id) => ({ archetypeId: id, reason: 'General starting team.' })),
      warnings: [OFFLINE, { code: 'no_match', message }],
    }
  );
}

const OFFLINE: Warning = {
  code: 'offline_ranking',
  message: 'These members were ranked by the words of the goal, not by a model.',
};

/**
 * Like `pickByWords`, but uses track records in this project, which move an archetype by at most one place. Undefined
 * if the words are unclear.
 */
export function pickForGoal(
  catalog: Catalog,
  goal: string,
  {
    size = TEAM_LIMITS.teamSizeDefault,
    records,
  }: { readonly size?: number | undefined; readonly records: TrackRecords },
): Picks | undefined {
  const ranked = rankByWords(catalog, goal);
  const rows = membersForGoal(catalog, goal, ranked);
  if (rows.length === 0) return undefined;
  const noted = byRecord(rows, ({ archetype }) => archetype.id, records).map(({ item, note }) => ({ ...item, note }));
  return { picks: withReviewer(noted, ranked, size).map(pickOf), warnings: [OFFLINE] };
}

/** `note`: track record in this project. */
type Row = RankedArchetype & { readonly reason?: string; readonly note?: string };

/**
 * Returns the first `size` rows. If none of them can check code, the last place goes to an archetype that tests or
 * reviews code if the work needs one; otherwise to any reviewer, unless one is included. A team of one is unchanged.
 */
function withReviewer(rows: readonly Row[], ranked: readonly RankedArchetype[], size: number): readonly Row[] {
  const first = rows.slice(0, size);
  if (size === 1 || first.some((row) => canCheck(row.archetype))) return first;
  const checker = rows.find((row) => canCheck(row.archetype));
  if (checker === undefined && first.some((row) => canReview(row.archetype))) return first;
  const reviewer = checker ?? [...rows, ...ranked].find((row) => canReview(row.archetype));
  return reviewer ? [...first.slice(0, size - 1), reviewer] : first;
}

/**
 * Returns the archetypes a goal needs, with reasons: the lead of each kind of work, then experts on the extras and
 * topics, then matching archetypes of the project, then the helpers of each kind.
 */
function membersForGoal(catalog: Catalog, goal: string, ranked: readonly RankedArchetype[]): readonly Row[] {
  const { kinds } = readGoal(catalog, goal);
  const goals = kinds.filter(({ isGoal }) => isGoal);
  const domains = new Set(goals.flatMap(({ kind }) => kind.beside));
  const leading = new Set(goals.map(({ kind }) => domainOf(catalog, kind.team[0])));
  const extras = kinds.filter(({ isExtra, kind }) => isExtra && kind.extra_to.some((domain) => leading.has(domain)));
  const topics = kinds
    .filter(({ isGoal, kind }) => !isGoal && domains.has(domainOf(catalog, kind.team[0]) ?? ''))
    .sort((left, right) => right.score - left.score)
    .slice(0, MAX_TOPIC_MEMBERS);
  const rowOf = new Map(ranked.map((row) => [row.archetype.id, row]));
  const rows = new Map<string, Row>();
  const add = (row: Row | undefined) => {
    if (row !== undefined && !rows.has(row.archetype.id)) rows.set(row.archetype.id, row);
  };
  const addOf = (requested: RequestedKind, place: number) => {
    const row = rowOf.get(requested.kind.team[place] ?? '');
    add(row && { ...row, reason: reasonOf(requested) });
  };
  for (const requested of [...goals, ...extras, ...topics]) addOf(requested, 0);
  for (const row of matchesOutside(catalog, ranked)) add(row);
  const longest = Math.max(0, ...goals.map(({ kind }) => kind.team.length));
  for (let place = 1; place < longest; place++) for (const requested of goals) addOf(requested, place);
  return [...rows.values()];
}

/** Returns the best word matches among archetypes that no kind of work names. */
function matchesOutside(catalog: Catalog, ranked: readonly RankedArchetype[]): readonly RankedArchetype[] {
  const inKinds = new Set(catalog.workKinds.flatMap(({ team }) => team));
  const outside = ranked.filter(({ archetype, score }) => score > 0 && !inKinds.has(archetype.id));
  return outside.filter(({ score }, _, [best]) => best !== undefined && score >= best.score * MIN_SCORE_SHARE);
}

function reasonOf({ words, kind }: RequestedKind): string {
  const quoted = words.slice(0, WORDS_IN_REASON).map((word) => JSON.stringify(word));
  return `${quoted.join(', ')} (${kind.title})`;
}

function domainOf(catalog: Catalog, id: string | undefined): string | undefined {
  return id === undefined ? undefined : catalog.archetypes.get(id)?.domain;
}

/** Whether the archetype's capabilities include reviewing. */
export function canReview(archetype: Archetype): boolean {
  return archetype.capabilities.some((capability) => /(?:^|[^a-z])review/i.test(capability));
}

/** Whether the archetype's capabilities include testing or reviewing code. */
function canCheck(archetype: Archetype): boolean {
  return archetype.capabilities.some((capability) => CHECKING.has(capability));
}

/**
 * Returns the pick with its strongest matches and their fields as the reason: `"api" (capability)`; without matches,
 * the kind of work.
 */
function pickOf(row: Row): Pick {
  // A word in a summary or responsibility is a weaker reason than the kind of work.
  const matching =
    row.reason === undefined ? row.matches : row.matches.filter(({ weight }) => weight >= MIN_REASON_WEIGHT);
  const strongest = [...matching].sort((left, right) => right.weight - left.weight).slice(0, WORDS_IN_REASON);
  const matches = strongest.map((match) => `"${match.word}" (${match.field})`).join(', ');
  const reason = matches || row.reason || 'Reviews what the others deliver.';
  return { archetypeId: row.archetype.id, reason: row.note ? `${reason}; ${row.note}` : reason };
}

/** Fields in which words of a goal are searched, with their weights, best first. */
const FIELDS = [
  ['title', 5],
  ['keyword', 4],
  ['capability', 3],
  ['summary', 2],
  ['responsibility', 1],
] as const;
type Field = (typeof FIELDS)[number][0];

export interface ArchetypeMatch {
  readonly word: string;
  readonly field: Field;
  readonly weight: number;
}

/** Returns the words of an archetype, each with its best field. */
const wordsIn = memoised((archetype: Archetype): ReadonlyMap<string, ArchetypeMatch> => {
  const texts: Record<Field, readonly string[]> = {
    title: [archetype.id, archetype.title],
    keyword: archetype.keywords,
    capability: archetype.capabilities,
    summary: [archetype.summary],
    responsibility: archetype.responsibilities,
  };
  const matches = new Map<string, ArchetypeMatch>();
  for (const [field, weight] of FIELDS) {
    for (const word of texts[field].flatMap(wordsOf)) {
      if (!matches.has(word)) matches.set(word, { word, field, weight });
    }
  }
  return matches;
});

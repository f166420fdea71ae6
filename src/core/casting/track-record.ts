// Scores of members and archetypes in this project, derived from evaluations of their tasks.
import type { Agency } from '#core/agency/agency.js';
import type { EvaluationRef } from '#core/agency/entities.js';
import { idOf, roleText } from '#core/agency/entity-text.js';
import { performanceFrom } from '#core/agency/read.js';
import { scoresOfPrograms } from '#core/agency/scores.js';
import { SYNERGY } from '#core/agency/stats.js';
import type { Archetype, Catalog } from '#core/catalog/catalog.js';
import type { Registry } from '#core/squad/registry.js';
import type { CastMember } from '#core/squad/team.js';
import { roleContent } from './agent-mapper.js';

/** Mean score, null if there are none, and number of scores. */
export interface TrackRecord {
  readonly score: number | null;
  readonly count: number;
}

/** Track records by archetype id. */
export type TrackRecords = ReadonlyMap<string, TrackRecord>;

/** No track records: the choice depends on the work alone. */
export const NO_RECORDS: TrackRecords = new Map();

/** Returns the member who did a task; null for a task without a member, undefined for a task no longer in the graph. */
export type MemberOfTask = (task: string) => string | null | undefined;

/**
 * Returns the scores of a member. Members with the same role and trade-off share an agent: only tasks that name the
 * member count, and tasks no longer in the graph count only if the member is the agent's only one.
 */
export function memberScores(
  agency: Agency,
  member: Pick<CastMember, 'name' | 'agentId'>,
  team: readonly Pick<CastMember, 'name' | 'agentId'>[],
  doer: MemberOfTask,
): readonly EvaluationRef[] {
  const agent = member.agentId === undefined ? undefined : agency.agent(member.agentId);
  if (agent === undefined) return [];
  const alone = team.filter(({ agentId }) => agentId === agent.id).length <= 1;
  const name = member.name.toLowerCase();
  return agent.performance.evaluations.filter(({ task_id }) => {
    const by = doer(task_id);
    return by === undefined ? alone : by?.toLowerCase() === name;
  });
}

/** Returns the record of a member: see `memberScores`. */
export function memberRecord(...of: Parameters<typeof memberScores>): TrackRecord {
  return trackRecordOf(memberScores(...of));
}

/**
 * Returns the track record of each archetype: scores of the role it produces, of the roles its members had before its
 * text changed, and of all ancestors of these. Scores of work done by people are excluded.
 */
export function archetypeRecords(
  agency: Agency,
  catalog: Catalog,
  registry: Registry,
  people: ReadonlySet<string>,
): TrackRecords {
  const records = new Map<string, TrackRecord>();
  for (const archetype of catalog.archetypes.values()) {
    const scores = new Map<string, EvaluationRef>();
    for (const id of rolesOf(agency, archetype, registry)) {
      const role = agency.role(id);
      for (const score of role ? scoresOfPrograms(agency, role, people) : [])
        scores.set(score.evaluation_id ?? `${score.task_id} ${score.timestamp}`, score);
    }
    if (scores.size > 0) records.set(archetype.id, trackRecordOf([...scores.values()]));
  }
  return records;
}

function rolesOf(agency: Agency, archetype: Archetype, registry: Registry): ReadonlySet<string> {
  const open = [idOf(roleText(roleContent(archetype))), ...castRoles(agency, archetype, registry)];
  const ids = new Set<string>();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (ids.has(id)) continue;
    ids.add(id);
    open.push(...(agency.role(id)?.lineage.parent_ids ?? []));
  }
  return ids;
}

/** Returns the roles of members of this archetype, active and retired. */
function castRoles(agency: Agency, archetype: Archetype, { records }: Registry): string[] {
  return records.flatMap(({ archetypeId, agentId }) => {
    const agent = archetypeId === archetype.id && agentId !== undefined ? agency.agent(agentId) : undefined;
    return agent === undefined ? [] : [agent.role_id];
  });
}

/** Mean and number of scores. */
export function trackRecordOf(scores: readonly EvaluationRef[]): TrackRecord {
  const { avg_score: score, task_count: count } = performanceFrom(scores);
  return { score, count };
}

/** Minimum number of scores for a meaningful record. */
const MIN_SCORES = 3;

type Standing = -1 | 0 | 1;

/** Uses the same thresholds as the synergy of a role and a trade-off. */
function standingOf({ score, count }: TrackRecord): Standing {
  if (score === null || count < MIN_SCORES) return 0;
  return score >= SYNERGY.high ? 1 : score <= SYNERGY.low ? -1 : 0;
}

/** Ranked item with a note on its record; the note is empty without enough scores. */
export interface Ranked<Item> {
  readonly item: Item;
  readonly note: string;
}

/**
 * Adjusts a ranking by track records: an archetype with a good record moves ahead of its neighbour, one with a bad
 * record behind it. Each moves by at most one place and the first stays first, because the needs of the work outweigh
 * past results.
 */
export function byRecord<Item>(
  items: readonly Item[],
  idOfItem: (item: Item) => string,
  records: TrackRecords,
): Ranked<Item>[] {
  const rows = items.map((item) => {
    const record = records.get(idOfItem(item)) ?? trackRecordOf([]);
    return { item, record, standing: standingOf(record), moved: 0 };
  });
  for (let place = 1; place + 1 < rows.length; place++) {
    const [before, after] = [rows[place], rows[place + 1]];
    if (!before || !after || after.standing <= before.standing) continue;
    rows.splice(place, 2, { ...after, moved: 1 }, { ...before, moved: -1 });
    place++; // Each item moves at most once.
  }
  return rows.map(({ item, record, standing, moved }) => ({ item, note: noteOf(record, standing, moved) }));
}

function noteOf({ score, count }: TrackRecord, standing: Standing, moved: number): string {
  if (score === null || count < MIN_SCORES) return '';
  const figures = `${score.toFixed(2)} in ${count} scores`;
  if (standing === 0) return `${figures} here`;
  const because = standing === moved ? `, so one place ${moved > 0 ? 'earlier' : 'later'}` : '';
  return `did ${standing > 0 ? 'well' : 'badly'} here: ${figures}${because}`;
}

// How members of the team and archetypes of the catalog did in this project, as their tasks were scored.
import type { Agency } from '#core/agency/agency.js';
import type { EvaluationRef } from '#core/agency/entities.js';
import { idOf, roleText } from '#core/agency/entity-text.js';
import { performanceFrom } from '#core/agency/read.js';
import { scoresOfPrograms } from '#core/agency/scores.js';
import { SYNERGY } from '#core/agency/stats.js';
import type { Archetype, Catalog } from '#core/catalog/catalog.js';
import type { Registry } from '#core/squad/registry.js';
import type { CastMember } from '#core/squad/team.js';
import { roleContent } from './bridge.js';

/** The mean of the scores, null while there is none, and how many there are. */
export interface TrackRecord {
  readonly score: number | null;
  readonly count: number;
}

/** By archetype. */
export type TrackRecords = ReadonlyMap<string, TrackRecord>;

/** Nothing is known of anybody: what is chosen is chosen by the work alone. */
export const NO_RECORDS: TrackRecords = new Map();

/** Who did a task: the member it names, null for work of no member, undefined for a task that is not in the graph any more. */
export type Doer = (task: string) => string | null | undefined;

/**
 * The scores of what a member did. Members who are alike are one agent: of each, only the tasks that name it count, and of
 * tasks that left the graph those of an agent that is one member alone.
 */
export function memberRecord(
  agency: Agency,
  member: Pick<CastMember, 'name' | 'agentId'>,
  team: readonly Pick<CastMember, 'name' | 'agentId'>[],
  doer: Doer,
): TrackRecord {
  const agent = member.agentId === undefined ? undefined : agency.agent(member.agentId);
  if (agent === undefined) return recordOf([]);
  const alone = team.filter(({ agentId }) => agentId === agent.id).length <= 1;
  const name = member.name.toLowerCase();
  return recordOf(
    agent.performance.evaluations.filter(({ task_id }) => {
      const by = doer(task_id);
      return by === undefined ? alone : by?.toLowerCase() === name;
    }),
  );
}

/**
 * How each archetype of the catalog did: the scores of the role it makes, of the roles that members of it had before its text changed, and of
 * all that these come from. What people did is left out, as everywhere where something follows from scores.
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
    if (scores.size > 0) records.set(archetype.id, recordOf([...scores.values()]));
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

/** The roles of members of this archetype, active and retired. */
function castRoles(agency: Agency, archetype: Archetype, { records }: Registry): string[] {
  return records.flatMap(({ archetypeId, agentId }) => {
    const agent = archetypeId === archetype.id && agentId !== undefined ? agency.agent(agentId) : undefined;
    return agent === undefined ? [] : [agent.role_id];
  });
}

function recordOf(scores: readonly EvaluationRef[]): TrackRecord {
  const { avg_score: score, task_count: count } = performanceFrom(scores);
  return { score, count };
}

/** Fewer scores say nothing. */
const ENOUGH = 3;

type Standing = -1 | 0 | 1;

/** Well and badly are what high and low are of a pair of role and trade-off. */
function standingOf({ score, count }: TrackRecord): Standing {
  if (score === null || count < ENOUGH) return 0;
  return score >= SYNERGY.high ? 1 : score <= SYNERGY.low ? -1 : 0;
}

/** One of a ranking, with what is said of its record; empty where nothing is. */
export interface Ranked<Item> {
  readonly item: Item;
  readonly note: string;
}

/**
 * The same ranking by how archetypes did here: one that did well comes before its neighbour, one that did badly after it. Nobody moves by
 * more than one place, and whoever is first stays: what the work needs comes before how it went.
 */
export function byRecord<Item>(
  items: readonly Item[],
  idOfItem: (item: Item) => string,
  records: TrackRecords,
): Ranked<Item>[] {
  const rows = items.map((item) => {
    const record = records.get(idOfItem(item)) ?? recordOf([]);
    return { item, record, standing: standingOf(record), moved: 0 };
  });
  for (let place = 1; place + 1 < rows.length; place++) {
    const [before, after] = [rows[place], rows[place + 1]];
    if (!before || !after || after.standing <= before.standing) continue;
    rows.splice(place, 2, { ...after, moved: 1 }, { ...before, moved: -1 });
    place++; // each moves once
  }
  return rows.map(({ item, record, standing, moved }) => ({ item, note: noteOf(record, standing, moved) }));
}

function noteOf({ score, count }: TrackRecord, standing: Standing, moved: number): string {
  if (score === null || count < ENOUGH) return '';
  const figures = `${score.toFixed(2)} in ${count} scores`;
  if (standing === 0) return `${figures} here`;
  const because = standing === moved ? `, so one place ${moved > 0 ? 'earlier' : 'later'}` : '';
  return `did ${standing > 0 ? 'well' : 'badly'} here: ${figures}${because}`;
}

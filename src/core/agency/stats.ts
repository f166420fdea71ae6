import type { Task } from '#core/graph/task.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { compareText } from '#kernel/order.js';
import { type Agency, type Ancestor, walk } from './agency.js';
import type { Agent, Entity, EvaluationRef, Kind, Role, Tradeoff } from './entities.js';
import { agentText, idOf } from './entity-text.js';
import { workingRoles } from './pairing.js';
import { meanOf, ScoreSums, scoresOfPrograms } from './scores.js';

/** Context for the interpretation of scores. */
export interface StatsFacts {
  /** Ids of agents that are people. */
  readonly people: ReadonlySet<string>;
  /** Task of a score; undefined if it is no longer in the graph. */
  task(id: string): Task | undefined;
  /** Source of a score, such as `llm`, `flip` or `ci:unit`. */
  sourceOf(reference: EvaluationRef): string;
}

export type Trend = 'improving' | 'declining' | 'flat';

/** Summary of a set of scores. */
export interface Figures {
  readonly mean: number | null;
  readonly count: number;
  readonly trend: Trend | null;
  /** Means of consecutive groups of equal size, the latest last. */
  readonly series: readonly number[];
  /** Mean by source; null without scores. `outside`: neither `llm` nor `flip`. */
  readonly llm: number | null;
  readonly flip: number | null;
  readonly outside: number | null;
  /** Mean of `llm` minus mean of `outside`; null while either has fewer than three scores. */
  readonly gap: number | null;
}

export interface Standing extends Figures {
  readonly id: string;
  readonly name: string;
  readonly generation: number;
  readonly retired: boolean;
}

/** A role with a trade-off. */
export interface Pair {
  readonly role_id: string;
  readonly role_name: string;
  readonly tradeoff_id: string;
  readonly tradeoff_name: string;
}

export interface PairFigures extends Pair, Figures {
  readonly synergy: 'high' | 'low' | null;
}

export interface UnexploredPair extends Pair {
  readonly count: number;
  /** Product of both averages; an entity without scores counts as average. */
  readonly promise: number;
}

export interface NamedFigures extends Figures {
  readonly name: string;
}

export interface AgencyStats {
  readonly roles: readonly Standing[];
  readonly tradeoffs: readonly Standing[];
  readonly agents: readonly Standing[];
  readonly people: readonly Standing[];
  readonly tags: readonly NamedFigures[];
  /** Figures by the model that the task or its agent requests. */
  readonly models: readonly NamedFigures[];
  readonly synergy: readonly PairFigures[];
  readonly unexplored: readonly UnexploredPair[];
  /** Number of pairs with few scores; `unexplored` may list fewer. */
  readonly unexplored_total: number;
}

/** Both bounds are inclusive. */
export const SYNERGY = { high: 0.8, low: 0.4 } as const;
const TREND_STEP = 0.03;
const GAP_EACH = 3;
/** Means are sums of fractions: smaller differences are rounding errors. */
const TOLERANCE = 1e-9;
/** Label for tasks and agents that request no model. */
const ANY_MODEL = 'none in particular';

/** Statistics of all scores; those of people are shown apart and do not count for roles and trade-offs. */
export function agencyFigures(agency: Agency, facts: StatsFacts, minEvals: number): AgencyStats {
  const { people } = facts;
  const roles = everyOf(agency, 'role');
  const tradeoffs = everyOf(agency, 'tradeoff');
  const agents = everyOf(agency, 'agent');
  const pairs = new Map<string, readonly EvaluationRef[]>();
  const tags = new Map<string, EvaluationRef[]>();
  const models = new Map<string, EvaluationRef[]>();
  const tasks = new Map<string, Task | undefined>();
  const taskOf = (id: string) => {
    if (!tasks.has(id)) tasks.set(id, facts.task(id));
    return tasks.get(id);
  };
  for (const role of roles) {
    const beside = new Map<string, { readonly model: string; readonly references: EvaluationRef[] }>();
    for (const reference of scoresOfPrograms(agency, role, people)) {
      const { context_id, task_id } = reference;
      let pair = beside.get(context_id);
      if (!pair) {
        pair = { model: agentOf(agency, role, context_id)?.preferred_model ?? ANY_MODEL, references: [] };
        beside.set(context_id, pair);
        if (agency.tradeoff(context_id)) pairs.set(`${role.id} ${context_id}`, pair.references);
      }
      pair.references.push(reference);
      const task = taskOf(task_id);
      for (const tag of task?.tags ?? []) put(tags, tag, reference);
      put(models, task?.model ?? pair.model, reference);
    }
  }
  const standing = (entity: Entity, references: readonly EvaluationRef[]): Standing => ({
    id: entity.id,
    name: entity.name,
    generation: entity.lineage.generation,
    retired: entity.retired === true,
    ...figuresOf(references, facts),
  });
  const board = (entities: readonly Entity[]) =>
    entities.map((entity) => standing(entity, scoresOfPrograms(agency, entity, people))).sort(bestFirst);
  const rows = (groups: ReadonlyMap<string, readonly EvaluationRef[]>): NamedFigures[] =>
    [...groups].map(([name, references]) => ({ name, ...figuresOf(references, facts) })).sort(bestFirst);
  const unexplored = unexploredPairs(agency, pairs, minEvals);
  return {
    roles: board(roles),
    tradeoffs: board(tradeoffs),
    agents: board(agents.filter(({ id }) => !people.has(id))),
    people: agents
      .filter(({ id }) => people.has(id))
      .map((person) => standing(person, person.performance.evaluations))
      .sort(bestFirst),
    tags: rows(tags),
    models: rows(models),
    synergy: [...pairs]
      .flatMap(([key, references]) => {
        const [roleId = '', tradeoffId = ''] = key.split(' ');
        const [role, tradeoff] = [agency.role(roleId), agency.tradeoff(tradeoffId)];
        if (!role || !tradeoff) return [];
        const figures = figuresOf(references, facts);
        return [{ ...pairOf(role, tradeoff), ...figures, synergy: synergyOf(figures.mean) }];
      })
      .sort(bestFirst),
    unexplored: unexplored.first,
    unexplored_total: unexplored.total,
  };
}

/** Entities in use, and retired ones that have scores. */
function everyOf<K extends Kind>(agency: Agency, kind: K): Extract<Entity, { kind: K }>[] {
  const retired = agency.all(kind, true).filter(({ performance }) => performance.task_count > 0);
  return [...agency.all(kind), ...retired];
}

function put<Value>(groups: Map<string, Value[]>, key: string, value: Value): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}

/** Agent of a role and a trade-off. */
function agentOf(agency: Agency, role: Role, tradeoffId: string): Agent | undefined {
  return agency.agent(idOf(agentText(role.id, tradeoffId)));
}

function pairOf(role: Role, tradeoff: Tradeoff): Pair {
  return {
    role_id: role.id,
    role_name: role.name,
    tradeoff_id: tradeoff.id,
    tradeoff_name: tradeoff.name,
  };
}

export function figuresOf(references: readonly EvaluationRef[], { sourceOf }: Pick<StatsFacts, 'sourceOf'>): Figures {
  const scores = new ScoreSums(inOrder(references));
  const bySource = { llm: [] as number[], flip: [] as number[], outside: [] as number[] };
  for (const reference of references) {
    const source = sourceOf(reference);
    const group = source === 'llm' ? bySource.llm : source === 'flip' ? bySource.flip : bySource.outside;
    group.push(reference.score);
  }
  const [llm, flip, outside] = [meanOf(bySource.llm), meanOf(bySource.flip), meanOf(bySource.outside)];
  const enough = bySource.llm.length >= GAP_EACH && bySource.outside.length >= GAP_EACH;
  return {
    mean: scores.mean(),
    count: scores.count,
    trend: trendOf(scores),
    series: seriesOf(scores),
    llm,
    flip,
    outside,
    gap: enough && llm !== null && outside !== null ? llm - outside : null,
  };
}

/** References sorted by time: files may be merged from several sources. */
function inOrder(references: readonly EvaluationRef[]): readonly EvaluationRef[] {
  let latest = '';
  for (const { timestamp } of references) {
    if (timestamp < latest) return [...references].sort(byTime);
    latest = timestamp;
  }
  return references;
}

function byTime(left: EvaluationRef, right: EvaluationRef): number {
  return compareText(left.timestamp, right.timestamp);
}

/** Compares the means of the two halves of the scores; with an odd number, the second half is the longer. */
export function trendOf(scores: ScoreSums): Trend | null {
  if (scores.count < 2) return null;
  const half = Math.floor(scores.count / 2);
  const step = (scores.mean(half) ?? 0) - (scores.mean(0, half) ?? 0);
  if (step > TREND_STEP + TOLERANCE) return 'improving';
  return step < -TREND_STEP - TOLERANCE ? 'declining' : 'flat';
}

function seriesOf(scores: ScoreSums): number[] {
  const points = Math.min(scores.count, AGENCY_LIMITS.statsPoints);
  return Array.from({ length: points }, (_, index) => {
    const [from, to] = [index, index + 1].map((at) => Math.floor((at * scores.count) / points));
    return scores.mean(from, to) ?? 0;
  });
}

function synergyOf(mean: number | null): 'high' | 'low' | null {
  if (mean === null) return null;
  return mean >= SYNERGY.high - TOLERANCE ? 'high' : mean <= SYNERGY.low + TOLERANCE ? 'low' : null;
}

/** Comparator: higher means first, then more scores; entities without scores last. */
function bestFirst(left: Figures, right: Figures): number {
  return (right.mean ?? -1) - (left.mean ?? -1) || right.count - left.count;
}

/** Selectable pairs with few or no scores, without service roles: fewest scores first, then the most promising. */
function unexploredPairs(
  agency: Agency,
  pairs: ReadonlyMap<string, readonly EvaluationRef[]>,
  minEvals: number,
): { readonly first: UnexploredPair[]; readonly total: number } {
  const rows: UnexploredPair[] = [];
  const order = (left: UnexploredPair, right: UnexploredPair) =>
    left.count - right.count || right.promise - left.promise;
  let total = 0;
  const tradeoffs = best(agency.all('tradeoff'));
  for (const role of best(workingRoles(agency))) {
    for (const tradeoff of tradeoffs) {
      const count = pairs.get(`${role.id} ${tradeoff.id}`)?.length ?? 0;
      if (count >= minEvals) continue;
      total++;
      rows.push({ ...pairOf(role, tradeoff), count, promise: averageIn(role) * averageIn(tradeoff) });
    }
    if (rows.length > 2 * AGENCY_LIMITS.statsRows) rows.sort(order).splice(AGENCY_LIMITS.statsRows);
  }
  return { first: rows.sort(order).slice(0, AGENCY_LIMITS.statsRows), total };
}

/** The best entities only, since the number of pairs grows with the square. */
function best<One extends Entity>(entities: readonly One[]): readonly One[] {
  if (entities.length <= AGENCY_LIMITS.statsPaired) return entities;
  return [...entities].sort((left, right) => averageIn(right) - averageIn(left)).slice(0, AGENCY_LIMITS.statsPaired);
}

function averageIn({ performance }: Entity): number {
  return performance.avg_score ?? 0.5;
}

/** All roles or trade-offs with all their ancestors, each once, including retired and missing ones. */
export function familyOf(agency: Agency, kind: Kind): Ancestor[] {
  return walk(
    agency,
    kind,
    [...agency.all(kind), ...agency.waiting(kind), ...agency.all(kind, true)].map(({ id }) => id),
  );
}

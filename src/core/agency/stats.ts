import type { Task } from '#core/graph/task.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { compareText } from '#kernel/order.js';
import { type Agency, type Ancestor, walk } from './agency.js';
import type { Agent, Entity, EvaluationRef, Kind, Role, Tradeoff } from './entities.js';
import { agentText, idOf } from './entity-text.js';
import { workingRoles } from './pairing.js';
import { meanOf, ScoreSums, scoresOfPrograms } from './scores.js';

/** What the record is read with. */
export interface StatsFacts {
  /** The ids of agents that are people. */
  readonly people: ReadonlySet<string>;
  /** The task of a score; undefined where it is not in the graph any more. */
  task(id: string): Task | undefined;
  /** Where a score comes from, such as `llm`, `flip` or `ci:unit`. */
  sourceOf(reference: EvaluationRef): string;
}

export type Trend = 'improving' | 'declining' | 'flat';

/** Some scores, and what they come to. */
export interface Figures {
  readonly mean: number | null;
  readonly count: number;
  readonly trend: Trend | null;
  /** Means of as many scores each, the latest last. */
  readonly series: readonly number[];
  /** Of these alone; null where there is none. `outside`: neither a model here nor a flip. */
  readonly llm: number | null;
  readonly flip: number | null;
  readonly outside: number | null;
  /** How much better a model here finds it than everybody outside; null while one of them said little. */
  readonly gap: number | null;
}

export interface Standing extends Figures {
  readonly id: string;
  readonly name: string;
  readonly generation: number;
  readonly retired: boolean;
}

/** A role beside a trade-off. */
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
  /** The product of both averages; who has no score yet counts as average. */
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
  /** By the model that the task or its agent asks for. */
  readonly models: readonly NamedFigures[];
  readonly synergy: readonly PairFigures[];
  readonly unexplored: readonly UnexploredPair[];
  /** How many pairs there are of which little is known; `unexplored` may show fewer. */
  readonly unexplored_total: number;
}

/** Both ends belong to what they name. */
export const SYNERGY = { high: 0.8, low: 0.4 } as const;
const TREND_STEP = 0.03;
const GAP_EACH = 3;
/** Means are sums of fractions: what differs by less than any score can is no difference. */
const TOLERANCE = 1e-9;
/** What is said of tasks and agents that ask for no model. */
const ANY_MODEL = 'none in particular';

/** What all scores together say of everybody; those of people stand apart, and say nothing of roles and trade-offs. */
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
    ...{ id: entity.id, name: entity.name, generation: entity.lineage.generation, retired: entity.retired === true },
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

/** Those in use, and those that are not any more but have scores. */
function everyOf<K extends Kind>(agency: Agency, kind: K): Extract<Entity, { kind: K }>[] {
  const retired = agency.all(kind, true).filter(({ performance }) => performance.task_count > 0);
  return [...agency.all(kind), ...retired];
}

function put<Value>(groups: Map<string, Value[]>, key: string, value: Value): void {
  const group = groups.get(key);
  if (group) group.push(value);
  else groups.set(key, [value]);
}

/** A role beside a trade-off is one agent. */
function agentOf(agency: Agency, role: Role, tradeoffId: string): Agent | undefined {
  return agency.agent(idOf(agentText(role.id, tradeoffId)));
}

function pairOf(role: Role, tradeoff: Tradeoff): Pair {
  return {
    ...{ role_id: role.id, role_name: role.name },
    ...{ tradeoff_id: tradeoff.id, tradeoff_name: tradeoff.name },
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
    ...{ llm, flip, outside },
    gap: enough && llm !== null && outside !== null ? llm - outside : null,
  };
}

/** By time; files are put together by more than one hand. */
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

/** Whether the second half of the scores is better than the first; of an odd number the second one is the longer. */
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

/** Who has no score stands last; of equal means the one with more scores is the surer. */
function bestFirst(left: Figures, right: Figures): number {
  return (right.mean ?? -1) - (left.mean ?? -1) || right.count - left.count;
}

/** Pairs with few scores or none of what anybody may be made of: not of the agency's own roles. The fewest first, then the most promising. */
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

/** Pairs grow with the square: of very many only the best are looked at. */
function best<One extends Entity>(entities: readonly One[]): readonly One[] {
  if (entities.length <= AGENCY_LIMITS.statsPaired) return entities;
  return [...entities].sort((left, right) => averageIn(right) - averageIn(left)).slice(0, AGENCY_LIMITS.statsPaired);
}

function averageIn({ performance }: Entity): number {
  return performance.avg_score ?? 0.5;
}

/** Everything that roles, or trade-offs, ever came from, each once: also what is out of use, and what is not here. */
export function familyOf(agency: Agency, kind: Kind): Ancestor[] {
  return walk(
    agency,
    kind,
    [...agency.all(kind), ...agency.waiting(kind), ...agency.all(kind, true)].map(({ id }) => id),
  );
}

import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type JsonObject, sameJson } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { inert } from '#kernel/text.js';
import { type Agency, lineageOf } from './agency.js';
import { type Agent, type Entity, KINDS, type Kind, NO_PERFORMANCE, shortId } from './entities.js';
import { fileText } from './entity-text.js';
import { evaluationsOf } from './list-evaluations.js';
import { asPendingImport, mergeEntity } from './merge-entity.js';

/** Another agency, as read: untrusted, except for ids that are derived from the content. */
export interface Source {
  readonly agency: Agency;
  /** Evaluations by file name. */
  readonly evaluations: ReadonlyMap<string, JsonObject>;
}

export interface PullOptions {
  /** Ids, id prefixes, or names; empty for everything. */
  readonly ids: readonly string[];
  readonly kinds: readonly Kind[];
  /** Whether mutable fields are replaced by theirs. */
  readonly force: boolean;
}

export interface PulledEntity {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly action: 'new' | 'merged';
  /** Number of scores that its record gains. */
  readonly scores: number;
}

export interface PullPlan {
  readonly entities: readonly Entity[];
  readonly evaluations: readonly JsonObject[];
  readonly rows: readonly PulledEntity[];
  /** Kind and id of each selected entity that is already identical. */
  readonly unchanged: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * Plans everything to be written here from a source, before anything is written. Errors: `not_found`, `ambiguous_id`,
 * `missing_dependency`, `too_large`.
 */
export function planPull(
  local: Agency,
  evaluations: ReadonlyMap<string, JsonObject>,
  source: Source,
  wish: PullOptions,
): PullPlan {
  const chosen = chosenOf(source.agency, wish);
  const entities: Entity[] = [];
  const rows: PulledEntity[] = [];
  const unchanged: string[] = [];
  for (const theirs of chosen) {
    const guest = asPendingImport(theirs);
    const ours = local.entity(theirs.kind, theirs.id);
    const merged = ours ? mergeEntity(ours, guest, wish.force) : guest;
    if (ours && isSame(ours, merged)) {
      unchanged.push(keyOf(ours));
      continue;
    }
    refuseHuge(guest);
    entities.push(merged);
    const scores = merged.performance.task_count - (ours?.performance.task_count ?? 0);
    rows.push({ kind: merged.kind, id: merged.id, name: merged.name, action: ours ? 'merged' : 'new', scores });
  }
  const all = wish.ids.length === 0 && wish.kinds.length === KINDS.length;
  const about = all ? undefined : new Set(chosen.map(({ id }) => id));
  const scores = newEvaluations(evaluations, source.evaluations, about);
  return {
    entities,
    evaluations: scores.fresh,
    rows,
    unchanged,
    warnings: scores.warnings,
  };
}

/**
 * Plans a pull from several sources: later ones are merged with the result of earlier ones. The order does not affect
 * the result.
 */
export function planMerge(
  local: Agency,
  evaluations: ReadonlyMap<string, JsonObject>,
  sources: readonly Source[],
  wish: PullOptions,
): PullPlan {
  let [agency, scores] = [local, evaluations];
  const entities = new Map<string, Entity>();
  const rows = new Map<string, PulledEntity>();
  const fresh: JsonObject[] = [];
  const warnings = new Set<string>();
  const unchanged = new Set<string>();
  for (const source of sources) {
    const plan = planPull(agency, scores, source, wish);
    for (const entity of plan.entities) entities.set(keyOf(entity), entity);
    for (const row of plan.rows) {
      const before = rows.get(keyOf(row));
      rows.set(keyOf(row), before ? { ...before, name: row.name, scores: before.scores + row.scores } : row);
    }
    for (const key of plan.unchanged) unchanged.add(key);
    for (const warning of plan.warnings) warnings.add(warning);
    fresh.push(...plan.evaluations);
    agency = agency.with(plan.entities);
    scores = new Map([...scores, ...plan.evaluations.map((one) => [String(one['id']), one] as const)]);
  }
  const same = [...unchanged].filter((key) => !entities.has(key));
  return {
    entities: [...entities.values()],
    evaluations: fresh,
    rows: [...rows.values()],
    unchanged: same,
    warnings: [...warnings],
  };
}

const keyOf = ({ kind, id }: Pick<Entity, 'kind' | 'id'>) => `${kind} ${id}`;

/** Records are compared by identity: a merge that gains nothing returns the same object. */
function isSame(ours: Entity, merged: Entity): boolean {
  if (ours === merged) return true;
  if (ours.performance !== merged.performance || ours.retired !== merged.retired) return false;
  return fileText({ ...ours, performance: NO_PERFORMANCE }) === fileText({ ...merged, performance: NO_PERFORMANCE });
}

/** Selected entities, the parts of selected agents, and all ancestors that the source has. */
function chosenOf(agency: Agency, { ids, kinds }: PullOptions): Entity[] {
  const chosen = new Map<string, Entity>();
  const take = (entity: Entity) => chosen.set(keyOf(entity), entity);
  const wished =
    ids.length === 0 ? kinds.flatMap((kind) => inUse(agency, kind)) : ids.map((id) => named(agency, id, kinds));
  for (const entity of wished) {
    take(entity);
    if (entity.kind === 'agent') for (const part of partsOf(agency, entity)) take(part);
  }
  for (const entity of [...chosen.values()]) {
    for (const { kind, id } of lineageOf(agency, entity)) {
      const ancestor = agency.entity(kind, id);
      if (ancestor) take(ancestor);
    }
  }
  for (const agent of chosen.values())
    if (agent.kind === 'agent') for (const part of partsOf(agency, agent)) take(part);
  return [...chosen.values()];
}

function inUse(agency: Agency, kind: Kind): Entity[] {
  return [...agency.all(kind), ...agency.waiting(kind)];
}

function named(agency: Agency, word: string, kinds: readonly Kind[]): Entity {
  const matches: Entity[] = [];
  for (const kind of kinds) {
    try {
      matches.push(agency.find(kind, word));
    } catch (error) {
      if (!(error instanceof TroupeError) || error.code !== 'not_found') throw error;
    }
  }
  const [only] = matches;
  if (only && matches.length === 1) return only;
  const excerpt = inert(word).slice(0, 80);
  if (only)
    throw new TroupeError('ambiguous_id', {
      what: `${excerpt} may be a ${matches.map(({ kind }) => kind).join(' or a ')}.`,
    });
  throw new TroupeError('not_found', {
    what: `Nothing is called ${excerpt} there.`,
    hint: 'Run `troupe agency pull --list NAME`, or with its PATH, to see what is there.',
  });
}

/** Role and trade-off of an agent; a person may have neither. */
function partsOf(agency: Agency, agent: Agent): Entity[] {
  const parts = [
    ['role', agent.role_id],
    ['tradeoff', agent.tradeoff_id],
  ] as const;
  return parts.flatMap(([kind, id]) => {
    if (id === '') return [];
    const part = agency.entity(kind, id);
    if (part) return [part];
    throw new TroupeError('missing_dependency', {
      what: `${inert(agent.name)} (${shortId(agent.id)}) is made of the ${kind} ${shortId(id)}, which does not exist there.`,
      details: { agent: agent.id, kind, id },
    });
  });
}

function refuseHuge(guest: Entity): void {
  const bytes = Buffer.byteLength(fileText({ ...guest, performance: NO_PERFORMANCE }));
  if (bytes <= TEAM_LIMITS.pulledEntityBytes) return;
  throw new TroupeError('too_large', {
    what: `The ${guest.kind} ${shortId(guest.id)} has ${bytes} bytes without its scores; the limit is ${TEAM_LIMITS.pulledEntityBytes}.`,
  });
}

const PEOPLE_AND_PARTS = ['agent_id', 'role_id', 'tradeoff_id'];
const FIELDS = [
  'id',
  'task_id',
  'attempt',
  'agent_id',
  'role_id',
  'tradeoff_id',
  'score',
  'dimensions',
  'notes',
  'evaluator',
  'model',
  'source',
  'timestamp',
];

/** Evaluations with ids that are not present here. A different evaluation under an existing id is rejected. */
function newEvaluations(
  ours: ReadonlyMap<string, JsonObject>,
  theirs: ReadonlyMap<string, JsonObject>,
  about: ReadonlySet<string> | undefined,
): { readonly fresh: JsonObject[]; readonly warnings: string[] } {
  const fresh: JsonObject[] = [];
  const warnings: string[] = [];
  for (const [name, record] of theirs) {
    if (about && !PEOPLE_AND_PARTS.some((field) => about.has(String(record[field])))) continue;
    const present = ours.get(name);
    if (present && FIELDS.every((field) => sameJson(present[field], record[field]))) continue;
    const guest = Object.fromEntries(
      FIELDS.flatMap((field) => (record[field] === undefined ? [] : [[field, record[field]]])),
    );
    const warn = (what: string) => warnings.push(`The evaluation ${inert(name).slice(0, 80)} ${what}`);
    if (record['id'] !== name || evaluationsOf([guest]).length === 0 || !isEvaluation(guest))
      warn('is not valid: it was left out.');
    else if (present) warn('differs here: ours was kept.');
    else fresh.push({ ...guest, foreign: true });
  }
  return { fresh, warnings };
}

function isEvaluation(record: JsonObject): boolean {
  const texts = ['notes', 'evaluator', 'source', 'timestamp'].every((field) => typeof record[field] === 'string');
  const dimensions = record['dimensions'];
  return (
    texts &&
    (dimensions === undefined ||
      (isJsonObject(dimensions) && Object.values(dimensions).every((one) => typeof one === 'number')))
  );
}

import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type JsonObject, sameJson } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { inert } from '#kernel/text.js';
import { type Agency, lineageOf } from './agency.js';
import { type Agent, type Entity, KINDS, type Kind, NO_PERFORMANCE, shortId } from './entities.js';
import { fileText } from './entity-text.js';
import { evaluationsOf } from './list-evaluations.js';
import { guestOf, mergeEntity } from './merge-entity.js';

/** What somebody else has, as it was read: nothing of it is believed but what follows from its content. */
export interface Source {
  readonly agency: Agency;
  /** By the names of their files. */
  readonly evaluations: ReadonlyMap<string, JsonObject>;
}

export interface PullWish {
  /** Ids, beginnings of them, or names; all there is when empty. */
  readonly ids: readonly string[];
  readonly kinds: readonly Kind[];
  /** What may change becomes as it is there. */
  readonly force: boolean;
}

export interface PulledEntity {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string;
  readonly action: 'new' | 'merged';
  /** How many scores its record has more. */
  readonly scores: number;
}

export interface PullPlan {
  readonly entities: readonly Entity[];
  readonly evaluations: readonly JsonObject[];
  readonly rows: readonly PulledEntity[];
  /** Looked at, and already as they are there: kind and id of each. */
  readonly unchanged: readonly string[];
  readonly warnings: readonly string[];
}

/**
 * What of a source is to be written here, all of it worked out before anything is. Errors: `not_found`, `ambiguous_id`,
 * `missing_dependency`, `too_large`.
 */
export function planPull(
  local: Agency,
  evaluations: ReadonlyMap<string, JsonObject>,
  source: Source,
  wish: PullWish,
): PullPlan {
  const chosen = chosenOf(source.agency, wish);
  const entities: Entity[] = [];
  const rows: PulledEntity[] = [];
  const unchanged: string[] = [];
  for (const theirs of chosen) {
    const guest = guestOf(theirs);
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
 * The same from several sources, one after another, as one plan: what a later one has is put together with what the earlier
 * ones brought. In which order is no matter.
 */
export function planMerge(
  local: Agency,
  evaluations: ReadonlyMap<string, JsonObject>,
  sources: readonly Source[],
  wish: PullWish,
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
    ...{ entities: [...entities.values()], evaluations: fresh, rows: [...rows.values()] },
    ...{ unchanged: same, warnings: [...warnings] },
  };
}

const keyOf = ({ kind, id }: Pick<Entity, 'kind' | 'id'>) => `${kind} ${id}`;

/** Records are compared as what they are: one to which nothing came is the very same. */
function isSame(ours: Entity, merged: Entity): boolean {
  if (ours === merged) return true;
  if (ours.performance !== merged.performance || ours.retired !== merged.retired) return false;
  return fileText({ ...ours, performance: NO_PERFORMANCE }) === fileText({ ...merged, performance: NO_PERFORMANCE });
}

/** Those that are wished for, what agents are made of, and all they come from as far as it is there. */
function chosenOf(agency: Agency, { ids, kinds }: PullWish): Entity[] {
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
    hint: 'Run `troupe agency scan` with its name or path to see what is there.',
  });
}

/** The role and the trade-off of an agent; a person may have neither. */
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
  if (bytes <= LIMITS.pulledEntityBytes) return;
  throw new TroupeError('too_large', {
    what: `The ${guest.kind} ${shortId(guest.id)} has ${bytes} bytes without its scores; the limit is ${LIMITS.pulledEntityBytes}.`,
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

/** Those whose ids are not here. One that says something else under an id that is here is not believed. */
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

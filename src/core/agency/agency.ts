/**
 * Roles, trade-offs and agents, the derivation of their ids, matching them to tasks; scores of tasks and their effect;
 * proposals of a model to change roles and trade-offs, decided by a person or applied, and undoing them.
 * @packageDocumentation
 */

import { TroupeError } from '#kernel/errors.js';
import { compareText } from '#kernel/order.js';
import { cut, didYouMean, inert } from '#kernel/text.js';
import { type Agent, awaitedDecision, type Entity, type Kind, type Role, shortId, type Tradeoff } from './entities.js';

/** Folder of each kind, below the agency folder. */
const FOLDERS = { role: 'roles', tradeoff: 'tradeoffs', agent: 'agents' } as const satisfies Record<Kind, string>;

/** All roles, trade-offs and agents of a project. */
export class Agency {
  private readonly byId: ReadonlyMap<string, Entity>;
  /** Files that could not be read, one line each. */
  readonly warnings: readonly string[];
  /** Number of assignments ever made without a person. */
  readonly assignments: number;

  constructor(entities: Iterable<Entity>, warnings: readonly string[] = [], assignments = 0) {
    this.assignments = assignments;
    this.byId = new Map([...entities].map((entity) => [`${entity.kind} ${entity.id}`, entity]));
    this.warnings = warnings;
  }

  /** Entities in use, sorted by id; with `retired`, the retired ones instead. */
  all<K extends Kind>(kind: K, retired = false): Extract<Entity, { kind: K }>[] {
    return this.sorted(kind, (entity) =>
      retired ? entity.retired === true : entity.retired !== true && awaitedDecision(entity) === undefined,
    );
  }

  /** Entities that need a person's decision before they can be used. */
  waiting<K extends Kind>(kind: K): Extract<Entity, { kind: K }>[] {
    return this.sorted(kind, (entity) => awaitedDecision(entity) !== undefined && entity.retired !== true);
  }

  private sorted<K extends Kind>(kind: K, wanted: (entity: Entity) => boolean): Extract<Entity, { kind: K }>[] {
    return [...this.byId.values()]
      .filter((entity) => entity.kind === kind && wanted(entity))
      .sort((left, right) => compareText(left.id, right.id)) as Extract<Entity, { kind: K }>[];
  }

  role(id: string): Role | undefined {
    return this.byId.get(`role ${id}`) as Role | undefined;
  }

  tradeoff(id: string): Tradeoff | undefined {
    return this.byId.get(`tradeoff ${id}`) as Tradeoff | undefined;
  }

  agent(id: string): Agent | undefined {
    return this.byId.get(`agent ${id}`) as Agent | undefined;
  }

  /** Entity of any kind, in use or not. */
  entity(kind: Kind, id: string): Entity | undefined {
    return this.byId.get(`${kind} ${id}`);
  }

  /** Warning about a file of this kind and id that was rejected because of its content. */
  rejectedFileWarning(kind: Kind, id: string): string | undefined {
    const start = `${FOLDERS[kind]}/${id}`;
    return this.byId.has(`${kind} ${id}`) ? undefined : this.warnings.find((line) => line.startsWith(start));
  }

  get empty(): boolean {
    return this.byId.size === 0;
  }

  /** Agents in use whose role and trade-off are in use too. */
  working(): Agent[] {
    const isOut = (entity: Entity | undefined) =>
      entity !== undefined && (entity.retired === true || awaitedDecision(entity) !== undefined);
    return this.all('agent').filter(
      ({ role_id, tradeoff_id }) => !isOut(this.role(role_id)) && !isOut(this.tradeoff(tradeoff_id)),
    );
  }

  /** Entities awaiting a decision, among this one and its parts. */
  waitingIn(entity: Entity): Entity[] {
    const parts = entity.kind === 'agent' ? [this.role(entity.role_id), this.tradeoff(entity.tradeoff_id)] : [];
    return [entity, ...parts].flatMap((part) => (part && awaitedDecision(part) !== undefined ? [part] : []));
  }

  /** Copy of the agency with these entities added; they replace entities of the same kind and id. */
  with(entities: readonly Entity[]): Agency {
    return new Agency([...this.byId.values(), ...entities], this.warnings, this.assignments);
  }

  /**
   * Finds an entity by id, id prefix, or a full name that is unique. Errors: `ambiguous_id` with all matches,
   * `not_found` with the closest name.
   */
  find<K extends Kind>(kind: K, word: string, retired = false): Extract<Entity, { kind: K }> {
    const all = retired ? this.all(kind, true) : [...this.all(kind), ...this.waiting(kind)];
    const byName = all.filter(({ name }) => name === word);
    const byPrefix = /^[0-9a-f]{1,64}$/.test(word) ? all.filter(({ id }) => id.startsWith(word)) : [];
    const exact = byPrefix.find(({ id }) => id === word);
    const matches = exact ? [exact] : [...new Set([...byPrefix, ...byName])];
    const [only] = matches;
    if (only && matches.length === 1) return only;
    const excerpt = cut(inert(word), 80);
    if (only) {
      throw new TroupeError('ambiguous_id', {
        what: `${excerpt} may be any of ${matches.map((one) => `${shortId(one.id)} (${inert(one.name)})`).join(', ')}.`,
        details: { ids: matches.map(({ id }) => id) },
      });
    }
    const leftOut = /^[0-9a-f]+$/.test(word) ? this.rejectedFileWarning(kind, word) : undefined;
    if (leftOut !== undefined) {
      throw new TroupeError('not_found', {
        what: `The file of ${kind} ${excerpt} is left out: ${leftOut}`,
        hint: 'Restore the content of the file, or remove it.',
        details: { kind, word: excerpt },
      });
    }
    const near = didYouMean(
      word.slice(0, 120),
      all.map(({ name }) => name),
    );
    throw new TroupeError('not_found', {
      what: `There is no ${retired ? 'retired ' : ''}${kind} ${excerpt}.`,
      hint: near ? `Did you mean ${inert(near)}?` : `Run \`troupe agency list ${kind}${retired ? ' --retired' : ''}\`.`,
      details: { kind, word: excerpt },
    });
  }
}

/** One ancestor. If it is not present here, only its id is known. */
export interface Ancestor {
  readonly kind: Kind;
  readonly id: string;
  readonly name: string | null;
  readonly generation: number | null;
  readonly created_by: string | null;
  readonly parent_ids: readonly string[];
  readonly state: 'active' | 'waiting' | 'retired' | 'missing';
}

/**
 * The entity and all its ancestors, nearest first, each once. For an agent, also its role and trade-off with their
 * ancestors.
 */
export function lineageOf(agency: Agency, entity: Entity): Ancestor[] {
  const begin: { kind: Kind; id: string }[] = [entity];
  if (entity.kind === 'agent') {
    if (entity.role_id !== '') begin.push({ kind: 'role', id: entity.role_id });
    if (entity.tradeoff_id !== '') begin.push({ kind: 'tradeoff', id: entity.tradeoff_id });
  }
  return begin.flatMap(({ kind, id }) => walk(agency, kind, [id]));
}

/** Start entities and all their ancestors, nearest first, each once. */
export function walk(agency: Agency, kind: Kind, starts: readonly string[]): Ancestor[] {
  const visited = new Set(starts);
  const ancestors: Ancestor[] = [];
  for (const id of visited) {
    const entity = agency.entity(kind, id);
    const parents = entity?.lineage.parent_ids ?? [];
    ancestors.push({
      kind,
      id,
      name: entity?.name ?? null,
      generation: entity?.lineage.generation ?? null,
      created_by: entity?.lineage.created_by ?? null,
      parent_ids: parents,
      state: stateOf(entity),
    });
    for (const parent of parents) visited.add(parent); // a set iterates over items added during the iteration
  }
  return ancestors;
}

function stateOf(entity: Entity | undefined): Ancestor['state'] {
  if (entity === undefined) return 'missing';
  if (entity.retired) return 'retired';
  return awaitedDecision(entity) === undefined ? 'active' : 'waiting';
}

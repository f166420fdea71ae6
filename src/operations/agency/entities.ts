import * as z from 'zod/mini';
import type { Agency } from '#core/agency/agency.js';
import { type Agent, awaitedDecision, type Entity, shortId, TRUST_LEVELS } from '#core/agency/entities.js';
import {
  accept,
  type EditResult,
  editAgent,
  editRole,
  editTradeoff,
  type Maker,
  nameWarnings,
  newAgent,
  newRole,
  newTradeoff,
  retire,
  typedList,
  typedName,
  typedSkills,
  typedText,
  unretire,
} from '#core/agency/entity-edits.js';
import { notAccepted } from '#core/agency/waiting.js';
import { CONTEXT_SCOPES, EXEC_MODES, PROVIDERS } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { text, texts } from '#operations/shapes.js';
import { changeAgency } from './open.js';
import { isPerson, refuseUnknownAssignee } from './person.js';
import {
  agencyEvent,
  changedAnswer,
  changedShape,
  idNamed,
  kindShape,
  makerOf,
  namedInput,
  shortEntity,
} from './shapes.js';

const CHANGE = { group: 'Agency', kind: 'write' } as const;

/** A decided change of one entity, with the event that records it; nothing is stored unless it changed. */
interface EntityChange {
  readonly entity: Entity;
  readonly op: 'agency_add' | 'agency_edit' | 'agency_retire' | 'agency_restore';
  readonly changed: boolean;
  readonly warnings: readonly string[];
}

async function changeEntity(context: WorkContext, decide: (agency: Agency) => EntityChange) {
  const { result, seq } = await changeAgency(context, (agency) => {
    const { entity, op, changed, warnings } = decide(agency);
    return {
      entities: changed ? [entity] : [],
      events: changed ? [agencyEvent(context, op, entity)] : [],
      result: changedAnswer(entity, changed, warnings),
    };
  });
  return { ...result, seq };
}

/** Adds a new entity. */
async function add(context: WorkContext & MachineContext, make: (agency: Agency, maker: Maker) => Entity) {
  const maker = await makerOf(context);
  return await changeEntity(context, (agency) => {
    const entity = make(agency, maker);
    return { entity, op: 'agency_add', changed: true, warnings: nameWarnings(agency, entity) };
  });
}

const roleFields = {
  skills: option('A word, or file:PATH, url:ADDRESS or inline:TEXT', texts, { flag: 'skill', each: true, value: 'S' }),
  scope: option('How much context its attempts get', z.optional(z.enum(CONTEXT_SCOPES)), { value: 'SCOPE' }),
  exec_mode: option('What its attempts may do', z.optional(z.enum(EXEC_MODES)), { value: 'MODE' }),
};
const tradeoffFields = {
  accept: option('Something it may trade away', texts, { each: true, value: 'T' }),
  reject: option('Something it may not trade away', texts, { each: true, value: 'T' }),
};

export const roleAdd = operation({
  name: 'role.add',
  command: 'role add',
  ...CHANGE,
  forRuns: 'any',
  graphless: true,
  instead: 'agency add role',
  summary: 'Add a role: what an agent does',
  examples: [
    'troupe agency add role Tester -d "Finds what breaks." --outcome "Every fault has a way to see it." --skill testing',
    'troupe agency add role Editor -d "Shortens texts." --outcome "Half the words." --skill "inline:Cut adjectives."',
  ],
  input: z.strictObject({
    name: argument('The name of it', z.string()),
    description: option('A one-line description', z.string(), { short: 'd', value: 'TEXT' }),
    outcome: option('What a good result looks like', z.string(), { value: 'TEXT' }),
    ...roleFields,
  }),
  output: changedShape,
  run: async (context: WorkContext & MachineContext, input) =>
    await add(context, (agency, maker) => {
      const draft = {
        name: typedName(input.name),
        description: typedText('The description', input.description),
        desired_outcome: typedText('The outcome', input.outcome),
        skills: typedSkills(input.skills),
        ...(input.scope === undefined ? {} : { default_context_scope: input.scope }),
        ...(input.exec_mode === undefined ? {} : { default_exec_mode: input.exec_mode }),
      };
      return newRole(agency, draft, maker);
    }),
});

export const tradeoffAdd = operation({
  name: 'tradeoff.add',
  command: 'tradeoff add',
  ...CHANGE,
  forRuns: 'any',
  graphless: true,
  instead: 'agency add tradeoff',
  summary: 'Add a trade-off: how an agent weighs things',
  examples: [
    'troupe agency add tradeoff Frugal -d "Prefers little." --accept "Takes longer" --reject "Wastes"',
    'troupe agency add tradeoff Bold -d "Tries new ways." --accept "Fails at times"',
  ],
  input: z.strictObject({
    name: argument('The name of it', z.string()),
    description: option('A one-line description', z.string(), { short: 'd', value: 'TEXT' }),
    ...tradeoffFields,
  }),
  output: changedShape,
  run: async (context: WorkContext & MachineContext, input) =>
    await add(context, (agency, maker) => {
      const draft = {
        name: typedName(input.name),
        description: typedText('The description', input.description),
        acceptable_tradeoffs: typedList('What is acceptable', input.accept),
        unacceptable_tradeoffs: typedList('What is not acceptable', input.reject),
      };
      return newTradeoff(agency, draft, maker);
    }),
});

/** Editable fields of an agent. */
export const agentFields = {
  capabilities: option('Tasks it is a match for', texts, { value: 'WORD' }),
  rate: option('Cost per hour', z.optional(z.number().check(z.nonnegative())), { value: 'N' }),
  capacity: option('Maximum concurrent tasks (default: 1)', z.optional(z.int().check(z.minimum(1), z.maximum(1_000))), {
    value: 'N',
  }),
  trust_level: option('verified, provisional or unknown', z.optional(z.enum(TRUST_LEVELS)), { value: 'LEVEL' }),
  contact: option('Where to reach a person', text, { value: 'TEXT' }),
  executor: option(
    'Its executor; email or matrix for a person (default: claude)',
    z.optional(z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,63}$/))),
    { value: 'NAME' },
  ),
  model: option('The model it prefers', text, { value: 'MODEL' }),
  provider: option('The provider of that model', z.optional(z.enum(PROVIDERS)), { value: 'NAME' }),
};
const agentInput = z.strictObject({
  name: argument('The name of it', z.string()),
  role: option('What it does', text, { value: 'R' }),
  tradeoff: option('How it weighs things', text, { aliases: ['motivation'], value: 'T' }),
  ...agentFields,
});

/** Agent fields of an input; omitted fields stay omitted. */
function agentFieldsFrom(input: Omit<z.infer<typeof agentInput>, 'name'>): Partial<Agent> {
  return {
    ...(input.capabilities === undefined ? {} : { capabilities: typedList('Capabilities', input.capabilities) }),
    ...(input.rate === undefined ? {} : { rate: input.rate }),
    ...(input.capacity === undefined ? {} : { capacity: input.capacity }),
    ...(input.trust_level === undefined ? {} : { trust_level: input.trust_level }),
    ...(input.contact === undefined ? {} : { contact: typedText('The contact', input.contact) }),
    ...(input.executor === undefined ? {} : { executor: input.executor }),
    ...(input.model === undefined ? {} : { preferred_model: typedText('The model', input.model) }),
    ...(input.provider === undefined ? {} : { preferred_provider: input.provider }),
  };
}

/** Refuses a trust level set by a run: only people decide about trust. */
function refuseVouching(context: Pick<Context, 'caller'>, trust: string | undefined): void {
  if (context.caller.kind !== 'run' || trust === undefined) return;
  throw new TroupeError('not_yours', { what: 'Only a person can decide whom to trust.' });
}

export const agentCreate = operation({
  name: 'identity.create',
  command: 'agent create',
  ...CHANGE,
  graphless: true,
  instead: 'agency add agent',
  summary: 'Create an agent from a role and a trade-off, or add a person',
  examples: [
    'troupe agency add agent "Careful Programmer" --role Programmer --tradeoff Careful --capabilities rust,testing',
    'troupe agency add agent Ann --executor email --contact ann@example.org',
  ],
  input: agentInput,
  output: changedShape,
  async run(context: WorkContext & MachineContext, input) {
    refuseVouching(context, input.trust_level);
    if (input.executor !== undefined) await refuseUnknownAssignee(context, input.executor);
    const human = await isPerson(context, input.executor ?? 'claude');
    return await add(context, (agency, maker) => {
      const draft = {
        executor: 'claude',
        capabilities: [],
        trust_level: 'provisional' as const,
        ...agentFieldsFrom(input),
        name: typedName(input.name),
        role_id: idNamed(agency, 'role', input.role),
        tradeoff_id: idNamed(agency, 'tradeoff', input.tradeoff),
      };
      return newAgent(agency, draft, human, maker);
    });
  },
});

async function edit(context: WorkContext, decide: (agency: Agency) => EditResult<Entity> & { readonly from: Entity }) {
  return await changeEntity(context, (agency) => {
    const { entity, successor, changed, from } = decide(agency);
    const warnings = successor
      ? [`This created a new ${entity.kind}, ${shortId(entity.id)}; ${shortId(from.id)} is unchanged.`]
      : nameWarnings(agency, entity);
    return { entity, op: successor ? 'agency_add' : 'agency_edit', changed, warnings };
  });
}

export const roleEdit = operation({
  name: 'role.edit',
  command: 'role edit',
  ...CHANGE,
  graphless: true,
  instead: 'agency edit role',
  summary: 'Change a role; a new description creates a successor',
  examples: ['troupe agency edit role Tester --name Breaker', 'troupe agency edit role Tester --scope graph'],
  input: z.strictObject({
    id: argument('The role: id, id prefix or name', z.string()),
    name: option('A new name', text, { value: 'NAME' }),
    description: option('A one-line description', text, { short: 'd', value: 'TEXT' }),
    outcome: option('What a good result looks like', text, { value: 'TEXT' }),
    ...roleFields,
  }),
  output: changedShape,
  async run(context: WorkContext & MachineContext, input) {
    const maker = await makerOf(context);
    return await edit(context, (agency) => {
      const from = agency.find('role', input.id);
      const changes = {
        ...(input.name === undefined ? {} : { name: typedName(input.name) }),
        ...(input.description === undefined ? {} : { description: typedText('The description', input.description) }),
        ...(input.outcome === undefined ? {} : { desired_outcome: typedText('The outcome', input.outcome) }),
        ...(input.skills === undefined ? {} : { skills: typedSkills(input.skills) }),
        ...(input.scope === undefined ? {} : { default_context_scope: input.scope }),
        ...(input.exec_mode === undefined ? {} : { default_exec_mode: input.exec_mode }),
      };
      return { ...editRole(agency, from, changes, maker), from };
    });
  },
});

export const tradeoffEdit = operation({
  name: 'tradeoff.edit',
  command: 'tradeoff edit',
  ...CHANGE,
  graphless: true,
  instead: 'agency edit tradeoff',
  summary: 'Change a trade-off; a new description creates a successor',
  examples: ['troupe agency edit tradeoff Frugal --name Thrifty', 'troupe agency edit tradeoff Frugal --reject Waste'],
  input: z.strictObject({
    id: argument('The trade-off: id, id prefix or name', z.string()),
    name: option('A new name', text, { value: 'NAME' }),
    description: option('A one-line description', text, { short: 'd', value: 'TEXT' }),
    ...tradeoffFields,
  }),
  output: changedShape,
  async run(context: WorkContext & MachineContext, input) {
    const maker = await makerOf(context);
    return await edit(context, (agency) => {
      const from = agency.find('tradeoff', input.id);
      const changes = {
        ...(input.name === undefined ? {} : { name: typedName(input.name) }),
        ...(input.description === undefined ? {} : { description: typedText('The description', input.description) }),
        ...(input.accept === undefined ? {} : { acceptable_tradeoffs: typedList('What is acceptable', input.accept) }),
        ...(input.reject === undefined
          ? {}
          : { unacceptable_tradeoffs: typedList('What is not acceptable', input.reject) }),
      };
      return { ...editTradeoff(agency, from, changes, maker), from };
    });
  },
});

export const agentEdit = operation({
  name: 'identity.edit',
  command: 'agent edit',
  ...CHANGE,
  graphless: true,
  instead: 'agency edit agent',
  summary: 'Change the editable fields of an agent',
  examples: ['troupe agency edit agent Ann --trust-level verified', 'troupe agency edit agent Ann --capacity 3'],
  input: z.strictObject({
    id: argument('The agent: id, id prefix or name', z.string()),
    name: option('A new name', text, { value: 'NAME' }),
    ...agentFields,
  }),
  output: changedShape,
  async run(context: WorkContext & MachineContext, input) {
    refuseVouching(context, input.trust_level);
    if (input.executor !== undefined) await refuseUnknownAssignee(context, input.executor);
    return await edit(context, (agency) => {
      const from = agency.find('agent', input.id);
      const name = input.name === undefined ? {} : { name: typedName(input.name) };
      return { ...editAgent(from, { ...agentFieldsFrom(input), ...name }), from };
    });
  },
});

export const agencyRemove = operation({
  name: 'agency.remove',
  command: 'agency rm',
  ...CHANGE,
  graphless: true,
  summary: 'Retire a role, trade-off or agent',
  examples: ['troupe agency rm tradeoff Careful', 'troupe agency rm role 1caa4c3c'],
  input: namedInput,
  output: changedShape,
  async run(context: WorkContext, { kind, id }) {
    refuseRuns(context);
    return await changeEntity(context, (agency) => {
      const entity = retire(agency, agency.find(kind, id));
      return { entity, op: 'agency_retire', changed: true, warnings: [] };
    });
  },
});

export const agencyRestore = operation({
  name: 'agency.restore',
  command: 'agency restore',
  ...CHANGE,
  graphless: true,
  instead: 'agency rm --undo',
  summary: 'Restore a retired role, trade-off or agent',
  examples: ['troupe agency rm tradeoff Careful --undo', 'troupe agency rm role 1caa4c3c --undo'],
  input: namedInput,
  output: changedShape,
  async run(context: WorkContext, { kind, id }) {
    refuseRuns(context);
    return await changeEntity(context, (agency) => {
      const entity = unretire(agency.find(kind, id, true));
      return { entity, op: 'agency_restore', changed: true, warnings: nameWarnings(agency, entity) };
    });
  },
});

/** Accepts entries from another project; an agent together with its parts. */
export const agencyTrust = operation({
  name: 'agency.trust',
  command: 'agency trust',
  ...CHANGE,
  trusts: true,
  graphless: true,
  summary: 'Accept roles, trade-offs or agents that came from another project',
  examples: ['troupe agency trust role Tester', 'troupe agency trust agent --all'],
  input: z.strictObject({
    kind: argument('role, tradeoff or agent', kindShape),
    ids: argument('Ids, id prefixes or names', texts),
    all: option('All of this kind that are waiting', z.optional(z.boolean())),
  }),
  output: z.object({ kind: kindShape, accepted: z.array(shortEntity), seq: z.number() }),
  async run(context: WorkContext, { kind, ids = [], all = false }) {
    refuseRuns(context);
    if (ids.length > 0 === all) throw new TroupeError('usage', { what: 'Name them, or use --all.' });
    const { result, seq } = await changeAgency(context, (agency) => {
      const named = all ? agency.waiting(kind) : ids.map((id) => agency.find(kind, id));
      const ours = all ? undefined : named.find((entity) => awaitedDecision(entity) === 'review');
      if (ours) throw notAccepted(ours);
      const waiting = named
        .flatMap((entity) => agency.waitingIn(entity))
        .filter((one) => awaitedDecision(one) === 'trust');
      const entities = [...new Map(waiting.map((one) => [`${one.kind} ${one.id}`, one])).values()].map(accept);
      return {
        entities,
        events: entities.map((entity) => agencyEvent(context, 'agency_accept', entity)),
        result: entities.map((entity) => ({ kind: entity.kind, id: entity.id, name: entity.name })),
      };
    });
    return { kind, accepted: result, seq };
  },
});

function refuseRuns({ caller }: Pick<Context, 'caller'>): void {
  if (caller.kind === 'run')
    throw new TroupeError('not_yours', { what: 'Only a person can retire or restore entries.' });
}

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

/** Adds a new entity. */
async function add(context: Context, make: (agency: Agency, maker: Maker) => Entity) {
  const maker = await makerOf(context);
  const { result, seq } = await changeAgency(context, (agency) => {
    const entity = make(agency, maker);
    return {
      entities: [entity],
      events: [agencyEvent(context, 'agency_add', entity)],
      result: changedAnswer(entity, true, nameWarnings(agency, entity)),
    };
  });
  return { ...result, seq };
}

export const roleAdd = operation({
  name: 'role.add',
  input: z.strictObject({
    name: z.string(),
    description: z.string(),
    outcome: z.string(),
    skills: texts,
    scope: z.optional(z.enum(CONTEXT_SCOPES)),
    exec_mode: z.optional(z.enum(EXEC_MODES)),
  }),
  output: changedShape,
  run: async (context, input) =>
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
  input: z.strictObject({ name: z.string(), description: z.string(), accept: texts, reject: texts }),
  output: changedShape,
  run: async (context, input) =>
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
  capabilities: texts,
  rate: z.optional(z.number().check(z.nonnegative())),
  capacity: z.optional(z.int().check(z.minimum(1), z.maximum(1_000))),
  trust_level: z.optional(z.enum(TRUST_LEVELS)),
  contact: text,
  executor: z.optional(z.string().check(z.regex(/^[a-z][a-z0-9_-]{0,63}$/))),
  model: text,
  provider: z.optional(z.enum(PROVIDERS)),
};
const agentInput = z.strictObject({ name: z.string(), role: text, tradeoff: text, ...agentFields });

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
function refuseVouching(context: Context, trust: string | undefined): void {
  if (context.caller.kind !== 'run' || trust === undefined) return;
  throw new TroupeError('not_yours', { what: 'Only a person can decide whom to trust.' });
}

export const agentCreate = operation({
  name: 'identity.create',
  input: agentInput,
  output: changedShape,
  async run(context, input) {
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

async function edit(context: Context, decide: (agency: Agency) => EditResult<Entity> & { readonly from: Entity }) {
  const { result, seq } = await changeAgency(context, (agency) => {
    const { entity, successor, changed, from } = decide(agency);
    const warnings = successor
      ? [`This created a new ${entity.kind}, ${shortId(entity.id)}; ${shortId(from.id)} is unchanged.`]
      : nameWarnings(agency, entity);
    return {
      entities: changed ? [entity] : [],
      events: changed ? [agencyEvent(context, successor ? 'agency_add' : 'agency_edit', entity)] : [],
      result: changedAnswer(entity, changed, warnings),
    };
  });
  return { ...result, seq };
}

export const roleEdit = operation({
  name: 'role.edit',
  input: z.strictObject({
    id: z.string(),
    name: text,
    description: text,
    outcome: text,
    skills: texts,
    scope: z.optional(z.enum(CONTEXT_SCOPES)),
    exec_mode: z.optional(z.enum(EXEC_MODES)),
  }),
  output: changedShape,
  async run(context, input) {
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
  input: z.strictObject({ id: z.string(), name: text, description: text, accept: texts, reject: texts }),
  output: changedShape,
  async run(context, input) {
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
  input: z.strictObject({ id: z.string(), name: text, ...agentFields }),
  output: changedShape,
  async run(context, input) {
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
  input: namedInput,
  output: changedShape,
  async run(context, { kind, id }) {
    refuseRuns(context);
    const { result, seq } = await changeAgency(context, (agency) => {
      const entity = retire(agency, agency.find(kind, id));
      return {
        entities: [entity],
        events: [agencyEvent(context, 'agency_retire', entity)],
        result: changedAnswer(entity, true, []),
      };
    });
    return { ...result, seq };
  },
});

export const agencyRestore = operation({
  name: 'agency.restore',
  input: namedInput,
  output: changedShape,
  async run(context, { kind, id }) {
    refuseRuns(context);
    const { result, seq } = await changeAgency(context, (agency) => {
      const entity = unretire(agency.find(kind, id, true));
      return {
        entities: [entity],
        events: [agencyEvent(context, 'agency_restore', entity)],
        result: changedAnswer(entity, true, nameWarnings(agency, entity)),
      };
    });
    return { ...result, seq };
  },
});

/** Accepts entries from another project; an agent together with its parts. */
export const agencyTrust = operation({
  name: 'agency.trust',
  input: z.strictObject({ kind: kindShape, ids: texts, all: z.optional(z.boolean()) }),
  output: z.object({ kind: kindShape, accepted: z.array(shortEntity), seq: z.number() }),
  async run(context, { kind, ids = [], all = false }) {
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

function refuseRuns({ caller }: Context): void {
  if (caller.kind === 'run')
    throw new TroupeError('not_yours', { what: 'Only a person can retire or restore entries.' });
}

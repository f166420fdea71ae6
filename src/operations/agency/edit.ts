import * as z from 'zod/mini';
import type { Agency } from '#core/agency/agency.js';
import { type Entity, type Kind, shortId } from '#core/agency/entities.js';
import {
  type Edited,
  editAgent,
  editRole,
  editTradeoff,
  nameWarnings,
  restored,
  retire,
  typedList,
  typedName,
  typedSkills,
  typedText,
} from '#core/agency/entity-edits.js';
import { CONTEXT_SCOPES, EXEC_MODES } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import { type Context, operation } from '#operations/operation.js';
import { text, texts } from '#operations/shapes.js';
import { agentFields, agentFieldsFrom, refuseVouching } from './add.js';
import { changeAgency } from './open.js';
import { refuseUnknownAssignee } from './person.js';
import { agencyEvent, changedAnswer, changedShape, makerOf, nameOf } from './shapes.js';

async function edit(context: Context, decide: (agency: Agency) => Edited<Entity> & { readonly from: Entity }) {
  const { result, seq } = await changeAgency(context, (agency) => {
    const { entity, successor, changed, from } = decide(agency);
    const warnings = successor
      ? [`It is another ${entity.kind} now, ${shortId(entity.id)}; ${shortId(from.id)} stays as it was.`]
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
      const said = {
        ...(input.name === undefined ? {} : { name: typedName(input.name) }),
        ...(input.description === undefined ? {} : { description: typedText('The description', input.description) }),
        ...(input.outcome === undefined ? {} : { desired_outcome: typedText('The outcome', input.outcome) }),
        ...(input.skills === undefined ? {} : { skills: typedSkills(input.skills) }),
        ...(input.scope === undefined ? {} : { default_context_scope: input.scope }),
        ...(input.exec_mode === undefined ? {} : { default_exec_mode: input.exec_mode }),
      };
      return { ...editRole(agency, from, said, maker), from };
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
      const said = {
        ...(input.name === undefined ? {} : { name: typedName(input.name) }),
        ...(input.description === undefined ? {} : { description: typedText('The description', input.description) }),
        ...(input.accept === undefined ? {} : { acceptable_tradeoffs: typedList('What is acceptable', input.accept) }),
        ...(input.reject === undefined
          ? {}
          : { unacceptable_tradeoffs: typedList('What is not acceptable', input.reject) }),
      };
      return { ...editTradeoff(agency, from, said, maker), from };
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

const one = z.strictObject({ id: z.string() });

function removal<const K extends Kind>(kind: K) {
  return operation({
    name: `${nameOf(kind)}.remove`,
    input: one,
    output: changedShape,
    async run(context, input) {
      refuseRuns(context);
      const { result, seq } = await changeAgency(context, (agency) => {
        const entity = retire(agency, agency.find(kind, input.id));
        return {
          entities: [entity],
          events: [agencyEvent(context, 'agency_retire', entity)],
          result: changedAnswer(entity, true, []),
        };
      });
      return { ...result, seq };
    },
  });
}

function restoring<const K extends Kind>(kind: K) {
  return operation({
    name: `${nameOf(kind)}.restore`,
    input: one,
    output: changedShape,
    async run(context, input) {
      refuseRuns(context);
      const { result, seq } = await changeAgency(context, (agency) => {
        const entity = restored(agency.find(kind, input.id, true));
        return {
          entities: [entity],
          events: [agencyEvent(context, 'agency_restore', entity)],
          result: changedAnswer(entity, true, nameWarnings(agency, entity)),
        };
      });
      return { ...result, seq };
    },
  });
}

/** The same for each kind, under its name. */
export type Removal<K extends Kind> = ReturnType<typeof removal<K>>;
export type Restoring<K extends Kind> = ReturnType<typeof restoring<K>>;

function refuseRuns({ caller }: Context): void {
  if (caller.kind === 'run') throw new TroupeError('not_yours', { what: 'Who is in use is for persons to say.' });
}

export const roleRemove = removal('role');
export const tradeoffRemove = removal('tradeoff');
export const agentRemove = removal('agent');
export const roleRestore = restoring('role');
export const tradeoffRestore = restoring('tradeoff');
export const agentRestore = restoring('agent');

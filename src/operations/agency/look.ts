import * as z from 'zod/mini';
import { type Agency, lineageOf } from '#core/agency/agency.js';
import { type Entity, evaluationRefShape, KINDS, type Kind } from '#core/agency/entities.js';
import { loadOf, matchesOf, matchShape, waitingMatches } from '#core/agency/match.js';
import { notAccepted } from '#core/agency/waiting.js';
import { taskOf } from '#core/graph/task-of.js';
import { TroupeError } from '#kernel/errors.js';
import type { WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { loadAgency } from '#operations/load-agency.js';
import { operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { ancestorShape, entityAnswer, entityShape, kindShape, namedInput } from './shapes.js';

/** Entries of one kind, or of all. */
export const agencyList = operation({
  name: 'agency.list',
  command: 'agency list',
  group: 'Agency',
  kind: 'read',
  graphless: true,
  summary: 'List the roles, trade-offs and agents',
  examples: ['troupe agency list', 'troupe agency list role --retired'],
  input: z.strictObject({
    kind: argument('role, tradeoff or agent (default: all)', z.optional(kindShape)),
    retired: option('List the retired ones', z.optional(z.boolean())),
  }),
  output: z.object({
    kind: z.nullable(kindShape),
    retired: z.boolean(),
    entities: z.array(entityShape),
    warnings: z.readonly(z.array(z.string())),
  }),
  async run(context: WorkContext, { kind, retired = false }) {
    const agency = await loadAgency(context);
    const listed = (one: Kind): readonly Entity[] =>
      retired ? agency.all(one, true) : [...agency.all(one), ...agency.waiting(one)];
    const entities = (kind === undefined ? KINDS : [kind]).flatMap(listed);
    return {
      kind: kind ?? null,
      retired,
      entities: entities.map((entity) => withNames(agency, entity)),
      warnings: agency.warnings,
    };
  },
});

export const agencyShow = operation({
  name: 'agency.show',
  command: 'agency show',
  group: 'Agency',
  kind: 'read',
  graphless: true,
  summary: 'Show one role, trade-off or agent',
  examples: ['troupe agency show role Programmer', 'troupe agency show agent Ann --json'],
  input: namedInput,
  output: z.object({ entity: entityShape, warnings: z.readonly(z.array(z.string())) }),
  async run(context: WorkContext, { kind, id }) {
    const agency = await loadAgency(context);
    return { entity: withNames(agency, findInUseOrRetired(agency, kind, id)), warnings: agency.warnings };
  },
});

export const agencyLineage = operation({
  name: 'agency.lineage',
  command: 'agency lineage',
  group: 'Agency',
  kind: 'read',
  graphless: true,
  instead: 'agency show --lineage',
  summary: 'Show the ancestors of a role, trade-off or agent',
  examples: ['troupe agency show role Programmer --lineage', 'troupe agency show tradeoff Careful --lineage --json'],
  input: namedInput,
  output: z.object({
    id: z.string(),
    ancestors: z.array(ancestorShape),
  }),
  async run(context: WorkContext, { kind, id }) {
    const agency = await loadAgency(context);
    const entity = findInUseOrRetired(agency, kind, id);
    const ancestors = lineageOf(agency, entity).map((one) => ({ ...one, parent_ids: [...one.parent_ids] }));
    return { id: entity.id, ancestors };
  },
});

/** Finds an entity, including retired ones. */
function findInUseOrRetired(agency: Agency, kind: Kind, word: string): Entity {
  try {
    return agency.find(kind, word);
  } catch (error) {
    if (!(error instanceof TroupeError) || error.code !== 'not_found') throw error;
    const retired = agency.all(kind, true).some(({ id, name }) => name === word || id.startsWith(word));
    if (!retired) throw error;
    return agency.find(kind, word, true);
  }
}

/** The entity, with the names of an agent's role and trade-off. */
function withNames(agency: Agency, entity: Entity) {
  if (entity.kind !== 'agent') return entityAnswer(entity);
  const role = agency.role(entity.role_id)?.name ?? null;
  const tradeoff = agency.tradeoff(entity.tradeoff_id)?.name ?? null;
  return { ...entityAnswer(entity), role_name: role, tradeoff_name: tradeoff };
}

/** Scores of an agent, newest last. */
export const agentPerformance = operation({
  name: 'identity.performance',
  command: 'agent performance',
  group: 'Agency',
  kind: 'read',
  graphless: true,
  instead: 'agency stats --agent',
  summary: 'Show the scores of an agent',
  examples: ['troupe agency stats --agent Ann', 'troupe agency stats --agent Ann --json'],
  input: z.strictObject({ id: argument('The agent: id, id prefix or name', z.string()) }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    task_count: z.number(),
    avg_score: z.nullable(z.number()),
    evaluations: z.array(evaluationRefShape),
  }),
  async run(context: WorkContext, input) {
    const { id, name, performance } = findInUseOrRetired(await loadAgency(context), 'agent', input.id);
    return { id, name, ...performance, evaluations: performance.evaluations.map((reference) => ({ ...reference })) };
  },
});

/** Agents that could take a task, best first. */
export const match = operation({
  name: 'agency.match',
  command: 'match',
  group: 'Tasks',
  kind: 'read',
  instead: 'assign --list',
  summary: 'Show the agents that match a task, best first',
  examples: ['troupe assign write-the-parser --list', 'troupe assign write-the-parser --list --json'],
  input: z.strictObject({ id: TASK_ID }),
  output: z.object({
    task_id: z.string(),
    skills: z.array(z.string()),
    matches: z.array(matchShape),
    /** Agents that would fit but await a decision, with the command for it. */
    waiting: z.array(z.object({ agent_id: z.string(), agent_name: z.string(), hint: z.string() })),
    warnings: z.readonly(z.array(z.string())),
  }),
  async run(context: WorkContext, input) {
    const view = await (await context.graph()).view();
    const task = taskOf(view, input.id);
    const agency = await loadAgency(context);
    const load = loadOf(view);
    const matches = matchesOf(agency, task, load);
    const waiting = waitingMatches(agency, task, load).flatMap(({ agent_id, agent_name }) => {
      const agent = agency.agent(agent_id);
      const [part] = agent ? agency.waitingIn(agent) : [];
      return part ? [{ agent_id, agent_name, hint: notAccepted(part).hint }] : [];
    });
    return { task_id: task.id, skills: [...(task.skills ?? [])], matches, waiting, warnings: agency.warnings };
  },
});

import * as z from 'zod/mini';
import { proposalSchema } from '#core/casting/proposal.js';
import { archetypeSchema, groupingSchema, universeSchema } from '#core/catalog/catalog.js';
import { blueprintSchema } from '#core/catalog/policies.js';
import { workflowSchema } from '#core/catalog/workflow.js';
import { operationLine, resourceLine, taskLine } from '#core/graph/file-schemas.js';
import { functionSchema } from '#core/playbooks/function-file.js';
import { evidenceSchema, planSchema } from '#core/review/plan.js';
import { reportSchema } from '#core/review/report.js';
import { executorFileSchema } from '#core/runs/custom-executor.js';
import { settingsSchema } from '#core/settings/schema.js';
import { eventSchema } from '#core/squad/registry.js';
import { recordSchema } from '#core/squad/shared-record.js';
import { snapshotSchema } from '#core/squad/team-history.js';
import { policySchema } from '#core/squad/universe.js';
import { TroupeError } from '#kernel/errors.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { jsonSchemaOf } from '#kernel/json-schema.js';
import { didYouMean } from '#kernel/text.js';
import { argument } from '#operations/fields.js';
import { operation } from '#operations/operation.js';

export interface Format {
  readonly name: string;
  /** Path of such files. */
  readonly file: string;
  readonly about: string;
  readonly schema: z.ZodMiniType;
}

/** File formats that a person or another tool may read or write, by name. */
export const FORMATS: readonly Format[] = [
  { name: 'task', file: FROM_PROJECT.graph, about: 'A task: one line of the graph', schema: taskLine },
  {
    name: 'resource',
    file: FROM_PROJECT.graph,
    about: 'A resource: one line of the graph',
    schema: resourceLine,
  },
  {
    name: 'operation',
    file: FROM_PROJECT.log,
    about: 'An event: one line of the log',
    schema: operationLine,
  },
  { name: 'config', file: FROM_PROJECT.settings, about: 'The settings of a project', schema: settingsSchema },
  {
    name: 'executor',
    file: `${FROM_PROJECT.executors}/*.toml`,
    about: 'An executor: a program that runs tasks',
    schema: executorFileSchema,
  },
  {
    name: 'function',
    file: `${FROM_PROJECT.functions}/*.yaml`,
    about: 'A function: tasks to apply again',
    schema: functionSchema,
  },
  {
    name: 'review-plan',
    file: `${FROM_PROJECT.reports}/*/plan.json`,
    about: 'The plan of a review',
    schema: planSchema,
  },
  {
    name: 'evidence',
    file: `${FROM_PROJECT.reports}/*/evidence/*.json`,
    about: 'The evidence of one review step',
    schema: evidenceSchema,
  },
  {
    name: 'report',
    file: `${FROM_PROJECT.reports}/*/report.json`,
    about: 'The report of a review',
    schema: reportSchema,
  },
  {
    name: 'casting-event',
    file: '.squad/casting/registry.events.jsonl',
    about: 'A change of a team: one line',
    schema: eventSchema,
  },
  {
    name: 'casting-history',
    file: '.squad/casting/history.events.jsonl',
    about: 'A confirmed team: one line',
    schema: snapshotSchema,
  },
  {
    name: 'memory-record',
    file: '.squad/memory.events.jsonl',
    about: 'A change to a decision, a memory or a session: one line',
    schema: recordSchema,
  },
  { name: 'casting-policy', file: '.squad/casting/policy.json', about: 'The casting policy', schema: policySchema },
  {
    name: 'proposal',
    file: FROM_PROJECT.proposal,
    about: 'A proposed team',
    schema: proposalSchema,
  },
  {
    name: 'archetype',
    file: 'data/catalog/archetypes/*.yaml',
    about: 'An archetype: a kind of member to cast',
    schema: archetypeSchema,
  },
  {
    name: 'blueprint',
    file: 'data/catalog/blueprints/*.yaml',
    about: 'A blueprint: how to start a kind of project',
    schema: blueprintSchema,
  },
  {
    name: 'grouping',
    file: 'data/catalog/groupings/*.yaml',
    about: 'A grouping: archetypes that work well together',
    schema: groupingSchema,
  },
  {
    name: 'universe',
    file: 'data/catalog/universes/*.yaml',
    about: 'A universe: a pool of names',
    schema: universeSchema,
  },
  {
    name: 'workflow',
    file: 'data/catalog/workflows/*.yaml',
    about: 'A workflow: steps that become tasks',
    schema: workflowSchema,
  },
];

/** JSON Schema of a format. Rules that JSON Schema cannot express are checked when the file is read. */
export function jsonSchema({ name, file, about, schema }: Format): Record<string, unknown> {
  const { $schema, ...rest } = jsonSchemaOf(schema, 'input');
  return { $schema, $id: `troupe:${name}`, title: about, description: `Found in ${file}.`, ...rest };
}

/** The JSON Schema of one format, or the list of formats. */
export const schema = operation({
  name: 'format.schema',
  command: 'schema',
  group: 'Settings',
  kind: 'read',
  where: 'caller',
  place: 'here',
  summary: 'Show the JSON Schema of a file format, or list the formats',
  examples: ['troupe schema', 'troupe schema task --json'],
  input: z.strictObject({ name: argument('The format (default: list them)', z.optional(z.string())) }),
  output: z.looseObject({
    formats: z.optional(z.array(z.object({ name: z.string(), file: z.string(), about: z.string() }))),
  }),
  async run(_context, { name }) {
    if (name === undefined) return { formats: FORMATS.map(({ name, file, about }) => ({ name, file, about })) };
    const format = FORMATS.find((candidate) => candidate.name === name);
    if (format) return jsonSchema(format);
    const near = didYouMean(
      name.slice(0, 60),
      FORMATS.map((candidate) => candidate.name),
    );
    throw new TroupeError('not_found', {
      what: `There is no format ${JSON.stringify(name.slice(0, 60))}.`,
      hint: near ? `Did you mean ${near}?` : 'Run `troupe schema` to see them.',
    });
  },
});

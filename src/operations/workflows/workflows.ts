import * as z from 'zod/mini';
import { workflowFlow } from '#core/catalog/workflow-flow.js';
import { allows } from '#core/playbooks/project-choice.js';
import { triggerText } from '#core/playbooks/triggered.js';
import { TroupeError } from '#kernel/errors.js';
import type { FilesContext, MachineContext, ProjectContext, TeamContext } from '#operations/contexts.js';
import { argument } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { compilerOf, seatsOf } from './compile.js';
import { choiceOf, policyOf } from './policy.js';
import { triggerShape, triggerStandings } from './triggers.js';
import { commandsOf, everyWorkflow, findWorkflow } from './workflow-source.js';

const rowShape = z.object({
  id: z.string(),
  name: z.string(),
  source: z.enum(['shipped', 'project']),
  description: z.string(),
  /** Whether its commands may run here; always true without commands. */
  trusted: z.boolean(),
  /** Whether the project allows it, and whether it is the default. */
  allowed: z.boolean(),
  default: z.boolean(),
  /** Status of its trigger; absent if only a person starts it. */
  begins: z.optional(triggerShape),
  /** Reason why the file is invalid. */
  problem: z.optional(z.string()),
});
type Row = z.infer<typeof rowShape>;

/** All workflows, shipped ones first. */
export const workflowList = operation({
  name: 'workflow.list',
  command: 'workflow list',
  group: 'Plans',
  kind: 'read',
  graphless: true,
  instead: 'playbooks --kind workflow',
  summary: 'List all workflows, shipped and of the project',
  examples: ['troupe workflow list', 'troupe workflow list --json'],
  input: z.strictObject({}),
  output: z.object({ workflows: z.array(rowShape) }),
  async run(context: ProjectContext) {
    const choice = await choiceOf(context);
    const standingOf = (id: string) => ({ allowed: allows(choice, id), default: id === choice.default_workflow });
    const standings = await triggerStandings(context);
    const workflows = (await everyWorkflow(context)).map((entry): Row => {
      if ('error' in entry) {
        const { id, error } = entry;
        const unread = { id, name: id, source: 'project', description: '', trusted: false } as const;
        return { ...unread, ...standingOf(id), problem: error.message };
      }
      const { workflow, source } = entry;
      const trusted = entry.trusted || commandsOf(workflow).length === 0;
      const { id, name, description } = workflow;
      const begins = standings.get(id);
      return { id, name, source, description, trusted, ...standingOf(id), ...(begins ? { begins } : {}) };
    });
    return { workflows };
  },
});

/** One workflow: its steps in order, edges, cycles and commands. */
export const workflowShow = operation({
  name: 'workflow.show',
  command: 'workflow show',
  group: 'Plans',
  kind: 'read',
  graphless: true,
  instead: 'playbooks --kind workflow',
  summary: 'Show the steps, cycles, inputs and commands of a workflow',
  examples: ['troupe workflow show bug-fix', 'troupe workflow show repository-review --json'],
  input: z.strictObject({ id: argument('The workflow', z.string(), { names: 'workflow' }) }),
  output: z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    version: z.number(),
    source: z.enum(['shipped', 'project']),
    file: z.string(),
    trusted: z.boolean(),
    trigger: z.string(),
    /** Status of its trigger; null if only a person starts it. */
    begins: z.nullable(triggerShape),
    inputs: z.array(z.object({ name: z.string(), description: z.string(), default: z.optional(z.string()) })),
    nodes: z.array(
      z.object({
        id: z.string(),
        type: z.string(),
        label: z.string(),
        archetypes: z.array(z.string()),
        after: z.array(z.string()),
      }),
    ),
    loops: z.array(z.object({ from: z.array(z.string()), to: z.string(), max: z.number() })),
    commands: z.array(z.object({ node: z.string(), run: z.string() })),
    warnings: z.array(z.string()),
  }),
  async run(context: ProjectContext, { id }) {
    const { workflow, source, file, trusted } = await findWorkflow(context, id);
    const flow = workflowFlow(workflow);
    const nodes = flow.order.flatMap((each) => {
      const node = workflow.nodes.find((other) => other.id === each);
      if (!node) return [];
      const after = flow.forward.filter((edge) => edge.to === each).map((edge) => edge.from);
      return [{ id: each, type: node.type, label: node.label, archetypes: [node.archetype ?? []].flat(), after }];
    });
    const { trigger } = workflow;
    return {
      id,
      name: workflow.name,
      description: workflow.description,
      version: workflow.version,
      source,
      file,
      trusted,
      trigger: triggerText(trigger ?? { type: 'manual' }),
      begins: (await triggerStandings(context)).get(id) ?? null,
      inputs: (workflow.inputs ?? []).map((input) => ({
        name: input.name,
        description: input.description ?? '',
        ...(input.default === undefined ? {} : { default: input.default }),
      })),
      nodes,
      loops: flow.loops.map(({ header, gates, max }) => ({ from: [...gates], to: header, max })),
      commands: commandsOf(workflow),
      warnings: [...flow.warnings],
    };
  },
});

const checkedShape = z.object({
  id: z.string(),
  ok: z.boolean(),
  tasks: z.number(),
  warnings: z.array(z.string()),
  problem: z.optional(z.string()),
});

/** Checks that one or all workflows compile for this project and its team. */
export const workflowCheck = operation({
  name: 'workflow.check',
  command: 'workflow check',
  group: 'Plans',
  kind: 'read',
  graphless: true,
  summary: 'Check whether workflows compile to tasks: one or all',
  examples: ['troupe workflow check', 'troupe workflow check bug-fix'],
  input: z.strictObject({ id: argument('The workflow; default: all', z.optional(z.string()), { names: 'workflow' }) }),
  output: z.object({ ok: z.boolean(), workflows: z.array(checkedShape) }),
  async run(context: TeamContext & FilesContext & MachineContext, { id }) {
    const policy = await policyOf(context, undefined);
    const rows: z.infer<typeof checkedShape>[] = [];
    for (const entry of id === undefined ? await everyWorkflow(context) : [await findWorkflow(context, id)]) {
      if ('error' in entry) {
        rows.push({ id: entry.id, ok: false, tasks: 0, warnings: [], problem: entry.error.message });
        continue;
      }
      const { workflow } = entry;
      try {
        const requiredInputs = (workflow.inputs ?? []).filter((input) => input.default === undefined);
        const team = await seatsOf(context);
        const inputs = requiredInputs.map((input) => `${input.name}=`);
        const compiled = (await compilerOf(context, entry, { inputs, policy, team, run: 'fast' }))(
          workflow.prefix ?? workflow.id,
        );
        rows.push({ id: workflow.id, ok: true, tasks: compiled.tasks.length, warnings: [...compiled.warnings] });
      } catch (error) {
        if (!(error instanceof TroupeError)) throw error;
        rows.push({ id: workflow.id, ok: false, tasks: 0, warnings: [], problem: error.message });
      }
    }
    return { ok: rows.every((row) => row.ok), workflows: rows };
  },
});

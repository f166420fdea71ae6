import * as z from 'zod/mini';
import { option } from '#operations/fields.js';
import { chain } from '#operations/formations/chain.js';
import { crew } from '#operations/formations/crew.js';
import { FORMATION_NAMES, type FormationName } from '#operations/formations/names.js';
import { panel } from '#operations/formations/panel.js';
import { sweep } from '#operations/formations/sweep.js';
import { operation } from '#operations/operation.js';
import { list as functionList } from '#operations/workflows/functions.js';
import { workflowList } from '#operations/workflows/workflows.js';

const KINDS = ['workflow', 'formation', 'function'] as const;

const rowShape = z.object({
  name: z.string(),
  kind: z.enum(KINDS),
  source: z.enum(['shipped', 'project']),
  description: z.string(),
  /** Command line that starts it, with placeholders. */
  start: z.string(),
  /** Reason why it cannot run here. */
  problem: z.optional(z.string()),
});
type Row = z.infer<typeof rowShape>;
type Listed = z.infer<(typeof workflowList)['output']>;

/** Everything that turns a goal into tasks: workflows, formations of roles, and functions of this project. */
export const playbookList = operation({
  name: 'playbook.list',
  command: 'playbooks',
  group: 'Start',
  kind: 'read',
  graphless: true,
  summary: 'List the playbooks: all that `troupe run NAME "GOAL"` can run',
  examples: ['troupe playbooks', 'troupe playbooks --kind workflow --json'],
  input: z.strictObject({
    kind: option('Only workflows, formations or functions', z.optional(z.enum(KINDS)), { value: 'KIND' }),
  }),
  output: z.object({ playbooks: z.array(rowShape) }),
  async run(context, { kind }) {
    const [{ workflows }, { functions, problems }] = await Promise.all([
      workflowList.run(context, {}),
      functionList.run(context, {}),
    ]);
    const playbooks = [
      ...workflows.map(workflowRow),
      ...FORMATION_NAMES.map((name) => formationRow(name, workflows)),
      ...functions.map(({ id, name, description }) => functionRow(id, description ?? name ?? '')),
      ...problems.map(({ id, message }) => ({ ...functionRow(id, ''), problem: message })),
    ];
    return { playbooks: kind === undefined ? playbooks : playbooks.filter((row) => row.kind === kind) };
  },
});

function workflowRow(workflow: Listed['workflows'][number]): Row {
  const { id, source, description, allowed, trusted } = workflow;
  const hindrance = allowed ? 'its commands are not trusted' : 'the project does not allow it';
  const problem = workflow.problem ?? (allowed && trusted ? undefined : hindrance);
  const row: Row = { name: id, kind: 'workflow', source, description, start: `troupe run ${id} "GOAL"` };
  return problem === undefined ? row : { ...row, problem };
}

/** Operations that start a formation. */
const STARTS = { crew, panel, sweep, chain } satisfies Readonly<Record<FormationName, unknown>>;

/** `run` prefers a workflow of the same name; then the formation has its own command only. */
function formationRow(name: FormationName, workflows: Listed['workflows']): Row {
  const { summary, command: own } = STARTS[name];
  const command = workflows.some(({ id }) => id === name) ? own : `run ${name}`;
  return { name, kind: 'formation', source: 'shipped', description: summary, start: `troupe ${command} "GOAL"` };
}

const functionRow = (id: string, description: string): Row => ({
  name: id,
  kind: 'function',
  source: 'project',
  description,
  start: `troupe func apply ${id}`,
});

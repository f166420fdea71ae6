import * as z from 'zod/mini';
import { PANEL_SPECS } from '#operations/formations/panel-specs.js';
import { FORMATION_SPECS } from '#operations/formations/specs.js';
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

/** Operations that start a formation, by its name. */
const FORMATIONS: ReadonlyMap<string, string> = new Map([
  ['formation.crew', 'crew'],
  ['formation.panel', 'panel'],
  ['formation.sweep', 'sweep'],
  ['formation.chain', 'chain'],
]);

/** Everything that turns a goal into tasks: workflows, formations of roles, and functions of this project. */
export const playbookList = operation({
  name: 'playbook.list',
  input: z.strictObject({ kind: z.optional(z.enum(KINDS)) }),
  output: z.object({ playbooks: z.array(rowShape) }),
  async run(context, { kind }) {
    const [{ workflows }, { functions, problems }] = await Promise.all([
      workflowList.run(context, {}),
      functionList.run(context, {}),
    ]);
    const playbooks = [
      ...workflows.map(workflowRow),
      ...[...FORMATION_SPECS, ...PANEL_SPECS].flatMap(formationRow),
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

function formationRow({ name, summary }: { readonly name: string; readonly summary: string }): Row[] {
  const formation = FORMATIONS.get(name);
  if (formation === undefined) return [];
  const start = `troupe run ${formation} "GOAL"`;
  return [{ name: formation, kind: 'formation', source: 'shipped', description: summary, start }];
}

const functionRow = (id: string, description: string): Row => ({
  name: id,
  kind: 'function',
  source: 'project',
  description,
  start: `troupe func apply ${id}`,
});

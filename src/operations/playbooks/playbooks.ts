import * as z from 'zod/mini';
import type { Blueprint } from '#core/catalog/policies.js';
import { TroupeError } from '#kernel/errors.js';
import { cut, didYouMean, inert } from '#kernel/text.js';
import type { ProjectContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { chain } from '#operations/formations/chain.js';
import { crew } from '#operations/formations/crew.js';
import { FORMATION_NAMES, type FormationName } from '#operations/formations/names.js';
import { panel } from '#operations/formations/panel.js';
import { sweep } from '#operations/formations/sweep.js';
import { operation } from '#operations/operation.js';
import { list as functionList, show as functionShow } from '#operations/workflows/functions.js';
import { workflowList, workflowShow } from '#operations/workflows/workflows.js';
import { blueprintList, blueprintShow } from './blueprints.js';

const KINDS = ['workflow', 'formation', 'function', 'blueprint'] as const;

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

/** Everything that turns a goal into tasks: workflows, formations of roles, functions of this project, blueprints. */
export const playbookList = operation({
  name: 'playbook.list',
  command: 'playbooks',
  group: 'Start',
  kind: 'read',
  graphless: true,
  summary: 'List the playbooks: all that `troupe run NAME "GOAL"` can run',
  examples: ['troupe playbooks', 'troupe playbooks --kind workflow --json'],
  input: z.strictObject({
    kind: option('Only workflows, formations, functions or blueprints', z.optional(z.enum(KINDS)), { value: 'KIND' }),
  }),
  output: z.object({ playbooks: z.array(rowShape) }),
  async run(context: ProjectContext, { kind }) {
    const [{ workflows }, { functions, problems }, { blueprints }] = await Promise.all([
      workflowList.run(context, {}),
      functionList.run(context, {}),
      blueprintList.run(context, {}),
    ]);
    const playbooks = [
      ...workflows.map(workflowRow),
      ...FORMATION_NAMES.map((name) => formationRow(name, workflows)),
      ...functions.map(({ id, name, description }) => functionRow(id, description ?? name ?? '')),
      ...problems.map(({ id, message }) => ({ ...functionRow(id, ''), problem: message })),
      ...blueprints.map(blueprintRow),
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

const blueprintRow = ({ id, description }: Blueprint): Row => ({
  name: id,
  kind: 'blueprint',
  source: 'shipped',
  description,
  start: `troupe run --blueprint ${id} "GOAL"`,
});

/** One playbook in full: of the kind asked for, or of the first kind that has the name. */
export const playbookShow = operation({
  name: 'playbook.show',
  command: 'playbook show',
  group: 'Start',
  kind: 'read',
  graphless: true,
  instead: 'playbooks',
  summary: 'Show a playbook: its steps, inputs, commands or team',
  examples: ['troupe playbooks bug-fix', 'troupe playbooks support --kind blueprint --json'],
  input: z.strictObject({
    name: argument('Its name, as in `troupe playbooks`', z.string(), { names: 'workflow' }),
    kind: option('A workflow, formation, function or blueprint', z.optional(z.enum(KINDS)), { value: 'KIND' }),
  }),
  output: z.object({
    kind: z.enum(KINDS),
    workflow: z.optional(workflowShow.output),
    formation: z.optional(rowShape),
    function: z.optional(functionShow.output),
    blueprint: z.optional(blueprintShow.output),
  }),
  async run(context: ProjectContext, { name: id, kind }) {
    const { playbooks } = await playbookList.run(context, kind === undefined ? {} : { kind });
    const row = playbooks.find(({ name }) => name === id) ?? playbooks.find(({ name }) => name === `blueprint-${id}`);
    if (row === undefined) throw unknownPlaybook(id, playbooks);
    switch (row.kind) {
      case 'workflow':
        return { kind: row.kind, workflow: await workflowShow.run(context, { id }) };
      case 'function':
        return { kind: row.kind, function: await functionShow.run(context, { id }) };
      case 'blueprint':
        return { kind: row.kind, blueprint: await blueprintShow.run(context, { id: row.name }) };
      case 'formation':
        return { kind: row.kind, formation: row };
    }
  },
});

/** Refusal of `run` for a name that is no workflow: all that could be meant. */
export async function notAWorkflow(context: ProjectContext, id: string): Promise<TroupeError> {
  const { playbooks } = await playbookList.run(context, {});
  const what = `There is no workflow ${JSON.stringify(cut(inert(id), 60))}.`;
  const details = { playbooks: playbooks.map(({ kind, name }) => `${kind} ${name}`) };
  const named = playbooks.find(({ name }) => name === id) ?? playbooks.find(({ name }) => name === `blueprint-${id}`);
  if (named !== undefined) {
    const hint = `It is a ${named.kind}: \`${named.start}\`.`;
    return new TroupeError('unknown_workflow', { what, hint, details });
  }
  const suggestion = didYouMean(id, [...new Set(playbooks.map(({ name }) => name))]);
  const listed = KINDS.flatMap((kind) => {
    const names = playbooks.filter((row) => row.kind === kind).map(({ name }) => name);
    return names.length === 0 ? [] : [`${kind}s: ${names.join(', ')}`];
  });
  const hint =
    suggestion === undefined ? `\`troupe playbooks\` shows them: ${listed.join('; ')}.` : `Did you mean ${suggestion}?`;
  return new TroupeError('unknown_workflow', { what, hint, details });
}

function unknownPlaybook(id: string, playbooks: readonly Row[]): TroupeError {
  const suggestion = didYouMean(id, [...new Set(playbooks.map(({ name }) => name))]);
  return new TroupeError('not_found', {
    what: `There is no playbook ${JSON.stringify(cut(inert(id), 60))}.`,
    hint: suggestion === undefined ? '`troupe playbooks` lists them.' : `Did you mean ${suggestion}?`,
  });
}

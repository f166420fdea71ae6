import { parseWorkflow } from '#core/catalog/parse-workflow.js';
import type { Workflow } from '#core/catalog/workflow.js';
import { TroupeError } from '#kernel/errors.js';
import { didYouMean } from '#kernel/text.js';
import type { FilesContext, MachineContext, TeamContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import type { ListedEntry, ProjectEntry } from '#ports/workflow-files.js';

export interface SourcedWorkflow {
  readonly workflow: Workflow;
  readonly source: 'shipped' | 'project';
  readonly file: string;
  /** Hash of a project file, to which trust applies. */
  readonly sha256?: string;
  /** Modification time of a project file in milliseconds. */
  readonly changedAt?: number;
  /** Whether its commands may run here. */
  readonly trusted: boolean;
}

export type ListedWorkflow =
  | SourcedWorkflow
  | { readonly id: string; readonly file: string; readonly error: TroupeError };

/** Key under which trust in a workflow is stored, in the same file as that for executors. */
export const trustName = (id: string) => `workflow:${id}`;

/**
 * A shipped workflow, otherwise one of the project. Errors: `unknown_workflow`, `workflow_invalid`,
 * `workflow_unsupported`.
 */
export async function findWorkflow(
  context: TeamContext & FilesContext & MachineContext,
  id: string,
): Promise<SourcedWorkflow> {
  const source = await context.catalog();
  const { workflows } = await source.load();
  if (workflows.includes(id)) return shippedEntry(await source.workflow(id));
  const files = await context.workflowFiles();
  const entry = await files.read('workflows', id);
  if (entry) return await parseEntry(context, entry);
  const ids = [...workflows, ...(await files.list('workflows')).map((each) => each.id)];
  const suggestion = didYouMean(id, ids);
  throw new TroupeError('unknown_workflow', {
    what: `There is no workflow ${JSON.stringify(id.slice(0, 60))}.`,
    hint: suggestion === undefined ? `Name one of: ${ids.join(', ')}.` : `Did you mean ${suggestion}?`,
    details: { workflows: ids },
  });
}

/** All workflows; an invalid file of the project has its error. */
export async function everyWorkflow(context: TeamContext & FilesContext & MachineContext): Promise<ListedWorkflow[]> {
  const source = await context.catalog();
  const { workflows } = await source.load();
  return [
    ...(await Promise.all(workflows.map(async (id) => shippedEntry(await source.workflow(id))))),
    ...(await projectWorkflows(context)),
  ];
}

/** Workflows of the project. */
export async function projectWorkflows(
  context: TeamContext & FilesContext & MachineContext,
): Promise<ListedWorkflow[]> {
  const own = await (await context.workflowFiles()).list('workflows');
  return await Promise.all(own.map((entry) => listEntry(context, entry)));
}

function shippedEntry(workflow: Workflow): SourcedWorkflow {
  return { workflow, source: 'shipped', file: `workflows/${workflow.id}.yaml`, trusted: true };
}

async function listEntry(
  context: Pick<Context, 'catalog' | 'executorTrust'>,
  entry: ListedEntry,
): Promise<ListedWorkflow> {
  if ('error' in entry) return entry;
  try {
    return await parseEntry(context, entry);
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return { id: entry.id, file: entry.file.name, error };
  }
}

async function parseEntry(
  context: Pick<Context, 'catalog' | 'executorTrust'>,
  { id, file, sha256, changedAt }: ProjectEntry,
): Promise<SourcedWorkflow> {
  const workflow = parseWorkflow(file.value, file.name);
  const refuse = (what: string): never => {
    throw new TroupeError('workflow_invalid', { what: `${file.name}: id: ${what}`, details: { file: file.name } });
  };
  if (workflow.id !== id) refuse(`“${workflow.id}” is not the name of the file`);
  if ((await (await context.catalog()).load()).workflows.includes(id)) refuse(`“${id}” is the name of a shipped one`);
  const agreed = (await (await context.executorTrust()).all()).get(trustName(id));
  return { workflow, source: 'project', file: file.name, sha256, changedAt, trusted: agreed?.sha256 === sha256 };
}

/** Steps with a command. */
export function commandsOf(workflow: Workflow): { node: string; run: string }[] {
  return workflow.nodes.flatMap((node) => [
    ...(node.run === undefined ? [] : [{ node: node.id, run: node.run }]),
    ...(node.steps ?? []).flatMap((step) =>
      step.run === undefined ? [] : [{ node: `${node.id}-${step.id}`, run: step.run }],
    ),
  ]);
}

import type { Workflow } from '#core/catalog/workflow.js';
import type { CompiledWorkflow, PolicyStep, Seats } from '#core/playbooks/compiled.js';
import { compileWorkflow } from '#core/playbooks/workflow.js';
import type { RunMode } from '#core/review/plan.js';
import { TroupeError } from '#kernel/errors.js';
import { readableTeam } from '#operations/agency/assignee.js';
import type { FilesContext, TeamContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { askRepository, describeRepository } from '#operations/review/start-review.js';
import type { SourcedWorkflow } from './workflow-source.js';

export interface CompileWish {
  /** Entries of the form `NAME=VALUE`. */
  readonly inputs: readonly string[];
  readonly goal?: string | undefined;
  readonly policy: readonly PolicyStep[];
  readonly team: Seats;
  /** Checks of the repository that the steps run. */
  readonly run: RunMode;
}

/** Returns a function that compiles the workflow for this project and team, given the name of a run. */
export async function compilerOf(
  context: TeamContext & FilesContext,
  entry: SourcedWorkflow,
  wish: CompileWish,
): Promise<(prefix: string) => CompiledWorkflow> {
  const { workflow } = entry;
  const [catalog, questions] = await Promise.all([
    (await context.catalog()).load(),
    questionsOf(context, workflow, wish.run),
  ]);
  const values = valuesOf(workflow, wish.inputs);
  const goal = [wish.goal, ...[...values].map(([name, value]) => (value === '' ? '' : `${name}: ${value}`))]
    .filter(Boolean)
    .join('\n');
  return (prefix) =>
    compileWorkflow(workflow, {
      ...questions,
      team: wish.team,
      prefix,
      policy: wish.policy,
      environment: Object.fromEntries([...values].map(([name, value]) => [`IN_${name.toUpperCase()}`, value])),
      capabilities: (archetype) => catalog.archetypes.get(archetype)?.capabilities ?? [],
      ...(goal === '' ? {} : { goal }),
      subject: wish.goal ?? values.get('goal'),
      ...(entry.trusted ? {} : { untrusted: entry.sha256 }),
    });
}

/** The team; empty if none was cast. */
export async function seatsOf(context: Pick<Context, 'squad'>): Promise<Seats> {
  const team = await readableTeam(context);
  return team ?? { leader: '', members: [] };
}

/** Facts and commands of the repository, which is scanned only for a workflow that needs them. */
async function questionsOf(context: FilesContext, workflow: Workflow, run: RunMode) {
  if (!workflow.nodes.some((node) => node.when !== undefined || node.for_each !== undefined))
    return { facts: [], commands: [] };
  const { top } = await describeRepository(context);
  return await askRepository(context, await context.inspector(), top, run);
}

function valuesOf(workflow: Workflow, assignments: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const { name, default: otherwise } of workflow.inputs ?? [])
    if (otherwise !== undefined) values.set(name, otherwise);
  const names = new Set((workflow.inputs ?? []).map((input) => input.name));
  for (const pair of assignments) {
    const [, name = '', value = ''] = /^([a-z][a-z0-9_]*)=(.*)$/s.exec(pair) ?? [];
    if (!names.has(name)) {
      throw new TroupeError('bad_input', {
        what: `${workflow.id} has no input ${JSON.stringify(pair.slice(0, 60))}.`,
        hint: names.size === 0 ? 'It takes no inputs.' : `Write NAME=VALUE; it takes ${[...names].join(', ')}.`,
      });
    }
    if (value.includes('\0') || value.length > 2_000)
      throw new TroupeError('bad_input', { what: `The value of ${name} is too long or contains a NUL.` });
    values.set(name, value);
  }
  const missing = [...names].filter((name) => !values.has(name));
  if (missing.length > 0)
    throw new TroupeError('bad_input', {
      what: `${workflow.id} needs ${missing.map((name) => `--input ${name}=…`).join(' ')}.`,
    });
  return values;
}

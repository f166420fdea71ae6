import path from 'node:path';
import * as z from 'zod/mini';
import { insideProject } from '#core/graph/inside-project.js';
import { extractFunction } from '#core/playbooks/extract-function.js';
import type { TaskTemplate } from '#core/playbooks/function.js';
import { generalizeBlocks, parseGeneralized } from '#core/playbooks/generalize.js';
import { TroupeError } from '#kernel/errors.js';
import { readableTeam } from '#operations/agency/assignee.js';
import type { MachineContext, ModelContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { refuseForeignPlace } from '#operations/keep-output.js';
import { type Context, operation } from '#operations/operation.js';
import { REPLACE } from '#operations/options.js';
import { ask, modelOrRefusal } from '#operations/settings/ask.js';

const flag = z.optional(z.boolean());
const text = z.optional(z.string());

/** Writes a function file extracted from done tasks. Does not change the graph. */
export const extract = operation({
  name: 'func.extract',
  command: 'func extract',
  group: 'Plans',
  kind: 'write',
  forRuns: 'any',
  asks: { purpose: 'functions', when: 'generalize' },
  summary: 'Extract a reusable function from done tasks',
  examples: [
    'troupe func extract write-draft --subgraph --name draft-review',
    'troupe func extract build test --force',
    'troupe func extract build test --generalize',
  ],
  input: z.strictObject({
    tasks: argument('The tasks to extract', z.array(z.string()).check(z.minLength(1), z.maxLength(1_000)), {
      names: 'task',
    }),
    name: option('Its id (default: from the task ids)', text, { value: 'ID' }),
    output: option('Another file inside the project', text, { value: 'FILE', path: 'always', writes: true }),
    force: REPLACE,
    subgraph: option('Include everything that depends on them', flag),
    recursive: option('Include the tasks their runs added', flag),
    include_evaluations: option('Include the tasks that assign and evaluate', flag),
    generalize: option('Have a model generalize the texts', flag),
  }),
  output: z.object({
    function_id: z.string(),
    file: z.string(),
    task_count: z.number(),
    inputs: z.array(z.object({ name: z.string(), type: z.string(), value: z.unknown() })),
    warnings: z.array(z.string()),
  }),
  async run(context: Context, input) {
    if (input.generalize === true) await modelOrRefusal(context, 'functions');
    const output = input.output === undefined ? undefined : outputPath(context.projectFolder, input.output);
    if (output !== undefined) await refuseForeignPlace(context, path.join(context.projectFolder, output));
    else if (input.force === true && context.caller.kind === 'run') {
      throw new TroupeError('not_yours', {
        what: 'A run cannot replace a function of the project.',
        hint: 'Choose another --name.',
      });
    }
    const view = await (await context.graph()).view();
    const plain = extractFunction(view, input.tasks, {
      now: context.clock.now(),
      actor: context.caller.name,
      name: input.name,
      roles: await rolesOf(context),
      subgraph: input.subgraph,
      recursive: input.recursive,
      includeEvaluations: input.include_evaluations,
    });
    const { tasks, warnings } = input.generalize
      ? await reword(context, plain.tasks)
      : { tasks: plain.tasks, warnings: [] };
    const draft = { ...plain, tasks };
    const files = await context.functions();
    const file = await files.write(draft.id, draft, { force: input.force === true, output });
    return {
      function_id: draft.id,
      file,
      task_count: draft.tasks.length,
      inputs: draft.inputs.map(({ name, type, default: value, example }) => ({ name, type, value: value ?? example })),
      warnings,
    };
  },
});

/** Relative path of the output: a YAML file inside the project, outside the folder of git. Errors: `bad_input`. */
function outputPath(project: string, named: string): string {
  const relative = insideProject(project, named);
  if (/\.ya?ml$/i.test(relative) && !relative.toLowerCase().split(path.sep).includes('.git')) return relative;
  throw new TroupeError('bad_input', { what: '--output requires a .yaml file inside the project.' });
}

/** Role of each team member, empty without a team: a function stores roles instead of persons. */
async function rolesOf(context: Pick<Context, 'squad'>): Promise<ReadonlyMap<string, string>> {
  const team = await readableTeam(context);
  return new Map((team?.members ?? []).map((member) => [member.name, member.roleTitle]));
}

interface Rewording {
  readonly tasks: readonly TaskTemplate[];
  readonly warnings: string[];
}

/**
 * Has a model generalise the texts. If its answer is unusable, the templates are unchanged and there is a warning.
 * Errors: `no_model`.
 */
async function reword(context: ModelContext & MachineContext, tasks: readonly TaskTemplate[]): Promise<Rewording> {
  const plain = (why: string): Rewording => ({ tasks, warnings: [`${why} The texts are unchanged.`] });
  const blocks = generalizeBlocks(tasks);
  if (blocks === undefined)
    return plain('These texts cannot be sent to a model: too long, or with hidden characters or secrets.');
  const { answer, failure } = await ask(context, {
    purpose: 'functions',
    name: 'generalize',
    blocks,
    take: (text) => parseGeneralized(tasks, text),
  });
  if (answer) return { tasks: answer, warnings: [] };
  if (failure.code !== 'no_model') return plain(failure.reason);
  throw new TroupeError('no_model', { what: failure.reason, hint: failure.hint });
}

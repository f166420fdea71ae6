import path from 'node:path';
import * as z from 'zod/mini';
import type { Plan } from '#core/graph/event.js';
import type { GraphView } from '#core/graph/view.js';
import { applyFunction, type FunctionApplication } from '#core/playbooks/apply-function.js';
import type { TraceFunction } from '#core/playbooks/function.js';
import { checkedValues, type FileContent, inputFiles, type ValueProblem } from '#core/playbooks/function-values.js';
import { seedLimits } from '#core/settings/settings.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { FilesContext, ProjectContext, TeamContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { loadSettings } from '#operations/load-settings.js';
import { type Context, operation } from '#operations/operation.js';
import { moverOf } from '#operations/shapes.js';
import { foreignFunction, ownFunction } from './functions.js';

const flag = z.optional(z.boolean());
const text = z.optional(z.string());

/** A task that an application would add, for a preview. */
const previewShape = z.object({
  id: z.string(),
  title: z.string(),
  after: z.readonly(z.array(z.string())),
  paused: z.boolean(),
});

/** Adds the tasks of a function in one commit; with `dry_run`, only computes them. */
export const apply = operation({
  name: 'func.apply',
  command: 'func apply',
  group: 'Plans',
  kind: 'write',
  forRuns: 'any',
  summary: 'Add the tasks of a function to the graph',
  examples: [
    'troupe func apply draft-review --input "feature_name=Login page" --dry-run',
    'troupe func apply draft-review --from ../other-project --input feature_name=Search',
    'troupe func apply --from shared:draft-review --input feature_name=Search',
  ],
  input: z.strictObject({
    id: argument('The function; leave out if --from names it', text),
    input: option('An input value', z.optional(z.array(z.string()).check(z.maxLength(TEAM_LIMITS.functionInputs))), {
      each: true,
      value: 'K=V',
    }),
    input_file: option('Values in YAML or JSON', text, { value: 'FILE', path: 'always' }),
    prefix: option('A prefix for the new ids', text, { value: 'TEXT' }),
    after: option('Dependencies of the first tasks', z.optional(z.array(z.string())), { value: 'ID', names: 'task' }),
    dry_run: option('Only show what would be added', flag),
    model: option('The model of the new tasks', text, { value: 'MODEL' }),
    from: option(
      'A file, the folder of another project, or one of `agency remote show`; folder and name may end in :ID',
      text,
      { value: 'SOURCE', path: 'if-like-one' },
    ),
    trust: option('Trust the commands of such a function', flag),
  }),
  output: z.object({
    function_id: z.string(),
    prefix: z.string(),
    task_count: z.number(),
    task_ids: z.array(z.string()),
    /** Paused tasks whose commands need review by a person; absent if there are none. */
    held: z.optional(z.array(z.string())),
    /** Dry run only. */
    tasks: z.optional(z.array(previewShape)),
  }),
  async run(context: ProjectContext, input) {
    if (input.trust === true && context.caller.kind === 'run') {
      throw new TroupeError('not_yours', { what: 'A run may not use --trust.' });
    }
    const definition = await functionOf(context, input);
    const { inputs, problems } = await givenValues(context, input);
    const values = checkedValues(definition, inputs, await contentsOf(context, definition, inputs), problems);
    const limits = seedLimits((await loadSettings(context)).settings);
    const decide = (view: GraphView): Plan<FunctionApplication> =>
      applyFunction(view, definition, values, {
        now: context.clock.now(),
        by: moverOf(context),
        limits,
        prefix: input.prefix,
        after: input.after,
        model: input.model,
        holdCommands: input.from !== undefined && input.trust !== true,
      });
    const store = await context.graph();
    if (input.dry_run === true) {
      const { result } = decide(await store.view());
      const tasks = result.drafts.map((draft) => ({
        id: draft.id,
        title: draft.title,
        after: draft.after ?? [],
        paused: draft.paused === true,
      }));
      return { ...answerOf(definition.id, result), tasks };
    }
    const { result } = await store.commit(decide, context.request);
    return answerOf(definition.id, result);
  },
});

function answerOf(id: string, { prefix, drafts, held }: FunctionApplication) {
  const taskIds = drafts.map((draft) => draft.id).sort();
  return {
    function_id: id,
    prefix,
    task_count: taskIds.length,
    task_ids: taskIds,
    ...(held.length > 0 ? { held: [...held].sort() } : {}),
  };
}

async function functionOf(
  context: TeamContext & FilesContext,
  input: { id?: string | undefined; from?: string | undefined },
) {
  if (input.from !== undefined) return await foreignFunction(context, input.from, input.id);
  if (input.id !== undefined) return await ownFunction(context, input.id);
  throw new TroupeError('usage', {
    what: 'A function is required.',
    hint: 'Run `troupe playbooks --functions` to see them.',
  });
}

/** Values of `--input-file`, overridden by those of `--input`. */
async function givenValues(
  context: FilesContext,
  input: { input?: readonly string[] | undefined; input_file?: string | undefined },
): Promise<{ inputs: Record<string, unknown>; problems: ValueProblem[] }> {
  const problems: ValueProblem[] = [];
  const inputs: Record<string, unknown> = {};
  if (input.input_file !== undefined) {
    const file = path.resolve(context.projectFolder, input.input_file);
    const values = await (await context.functions()).readValues(file, context.caller.kind === 'run');
    if (!isJsonObject(values)) {
      throw new TroupeError('bad_input', { what: '--input-file has no names with values.' });
    }
    Object.assign(inputs, values);
  }
  const names = new Set<string>();
  for (const pair of input.input ?? []) {
    const [, name = '', value = ''] = /^([A-Za-z0-9_-]+)=(.*)$/s.exec(pair) ?? [];
    if (name === '')
      problems.push({ input: JSON.stringify(pair.slice(0, 60)), problem: 'is not in the form NAME=VALUE' });
    else if (names.has(name)) problems.push({ input: name, problem: 'is given twice' });
    else inputs[name] = value;
    names.add(name);
  }
  return { inputs, problems };
}

async function contentsOf(
  context: Pick<Context, 'functions'>,
  definition: TraceFunction,
  inputs: Readonly<Record<string, unknown>>,
): Promise<ReadonlyMap<string, FileContent>> {
  const files = await context.functions();
  const contents = new Map<string, FileContent>();
  for (const { input, file } of inputFiles(definition, inputs)) contents.set(input, await files.readContent(file));
  return contents;
}

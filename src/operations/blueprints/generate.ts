import * as z from 'zod/mini';
import { blueprintByWords } from '#core/blueprints/offline.js';
import { blueprintPrompt } from '#core/blueprints/prompts.js';
import { type Generated, type Library, readBlueprint } from '#core/blueprints/read-answer.js';
import { blueprintSchema, type ReviewPolicy, type SandboxProfile } from '#core/catalog/policies.js';
import type { Workflow } from '#core/catalog/workflow.js';
import { filled } from '#core/prompts/wording.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { configuredModel, modelFailed } from '#operations/casting/ask-model.js';
import { modelWishes, teamSize } from '#operations/casting/shapes.js';
import { type Context, operation } from '#operations/operation.js';
import { keepOutput } from '#operations/outputs/keep-output.js';
import { everyWorkflow } from '#operations/workflows/source.js';
import type { Model } from '#ports/model.js';
import { nonceFor, withDraft } from './draft.js';
import { checkedValue } from './source.js';

interface Shelf extends Library {
  readonly processes: readonly Workflow[];
  readonly rules: readonly ReviewPolicy[];
  readonly rooms: readonly SandboxProfile[];
  /** Files of the project that are no workflows; their ids are taken all the same. */
  readonly unreadable: readonly string[];
}

/**
 * A blueprint from a description: a model chooses and may draft a workflow, else words choose. Only an answer comes of it;
 * nothing is written but the records of the calls.
 */
export const blueprintGenerate = operation({
  name: 'blueprint.generate',
  input: z.strictObject({
    ...modelWishes,
    description: z.string(),
    size: teamSize,
    out: z.optional(z.string()),
    force: z.optional(z.boolean()),
  }),
  output: z.object({
    blueprint: blueprintSchema,
    method: z.enum(['model', 'lexical']),
    warnings: z.readonly(z.array(z.object({ code: z.string(), message: z.string() }))),
    /** The records of the calls, in their order. */
    run_ids: z.readonly(z.array(z.string())),
    /** Where it was written, if that was asked for. */
    file: z.optional(z.string()),
  }),
  async run(context, { description, size, out, force, ...wish }) {
    const words = description.trim();
    if (words === '' || [...words].length > LIMITS.goalCharacters) {
      throw new TroupeError('bad_input', {
        what: words === '' ? 'The description is empty.' : `It is longer than ${LIMITS.goalCharacters} characters.`,
        hint: 'Say in a few sentences what the project is for and how its work goes.',
        details: { field: 'description' },
      });
    }
    const shelf = await shelfOf(context);
    const model = wish.offline === true ? undefined : await configuredModel(context, wish);
    const made = model
      ? await byModel(context, model, words, shelf, size)
      : { ...blueprintByWords(words, shelf, size), method: 'lexical' as const, run_ids: [] };
    const { valid, errors } = await checkedValue(context, made.blueprint);
    if (!valid) throw new TroupeError('blueprint_generation_failed', { what: errors.join('; ') });
    if (out === undefined) return made;
    const text = `${JSON.stringify(made.blueprint, null, 2)}\n`;
    return { ...made, file: await keepOutput(context, out, text, { force }) };
  },
});

async function byModel(context: Context, model: Model, description: string, shelf: Shelf, size: number | undefined) {
  const nonce = nonceFor(context);
  const { teamSizeModelLeast: least, teamSizeModelMost: most } = LIMITS;
  const { blueprint: wording } = await (await context.wording()).load();
  const prompt = blueprintPrompt(filled(wording, { nonce, count: size ?? `${least} to ${most}` }), nonce, {
    description,
    menu: shelf.catalog.menu,
    workflows: shelf.processes,
    policies: shelf.rules,
    profiles: shelf.rooms,
  });
  const answer = await model.complete({ prompt, timeMs: LIMITS.modelCallMs, purpose: 'blueprint' }).catch(modelFailed);
  const run_ids = answer.runId === undefined ? [] : [answer.runId];
  const read = told(() => readBlueprint(answer.text, description, shelf), run_ids);
  const taken = new Set([...shelf.workflows, ...shelf.unreadable]);
  const drafted =
    read.blueprint.workflows.length > 0
      ? { ...read, run_ids: [] }
      : await withDraft(context, model, { description, menu: shelf.catalog.menu, taken, ...read });
  return { ...drafted, method: 'model' as const, run_ids: [...run_ids, ...drafted.run_ids] };
}

/** An answer of no use is told with the record of its call. */
function told(read: () => Generated, runIds: readonly string[]): Generated {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    throw new TroupeError(error.code, { what: error.message, details: { run_id: runIds[0] ?? null }, cause: error });
  }
}

/** Everything that may be chosen. */
async function shelfOf(context: Context): Promise<Shelf> {
  const source = await context.catalog();
  const [catalog, policies, profiles, blueprints, workflows] = await Promise.all([
    source.load(),
    source.reviewPolicies(),
    source.sandboxProfiles(),
    source.blueprints(),
    everyWorkflow(context),
  ]);
  const processes = workflows.flatMap((found) => ('error' in found ? [] : [found.workflow]));
  return {
    catalog,
    processes,
    rules: [...policies.values()],
    rooms: [...profiles.values()],
    workflows: new Set(processes.map((workflow) => workflow.id)),
    policies: new Set(policies.keys()),
    profiles: new Set(profiles.keys()),
    blueprints: new Set(blueprints.keys()),
    unreadable: workflows.flatMap((found) => ('error' in found ? [found.id] : [])),
  };
}

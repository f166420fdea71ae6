import * as z from 'zod/mini';
import { blueprintByWords } from '#core/casting/offline.js';
import { blueprintBlocks, draftBlocks } from '#core/casting/prompts.js';
import { type GeneratedBlueprint, type Library, readBlueprint } from '#core/casting/read-answer.js';
import { readDraft, triggerFromWords } from '#core/casting/read-draft.js';
import type { Archetype } from '#core/catalog/catalog.js';
import { type Blueprint, blueprintSchema, type ReviewPolicy, type SandboxProfile } from '#core/catalog/policies.js';
import type { Workflow } from '#core/catalog/workflow.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { FilesContext, MachineContext, ModelContext, TeamContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { keepOutput } from '#operations/keep-output.js';
import { type Context, operation } from '#operations/operation.js';
import { type AskFailure, ask, badAnswer, type NamedModel } from '#operations/settings/ask.js';
import { type ModelWish, withoutModel } from '#operations/squad/ask-model.js';
import { modelInputs, teamSize } from '#operations/squad/team-shapes.js';
import { policyOf } from '#operations/workflows/policy.js';
import { everyWorkflow } from '#operations/workflows/workflow-source.js';
import { checkedValue } from './blueprints.js';

interface BlueprintChoices extends Library {
  readonly processes: readonly Workflow[];
  readonly rules: readonly ReviewPolicy[];
  readonly rooms: readonly SandboxProfile[];
  /** Ids of workflow files that cannot be parsed; these ids count as taken. */
  readonly unreadable: readonly string[];
}

/**
 * Generates a blueprint from a description: a model chooses and may draft a workflow; otherwise words decide. Writes
 * only the records of model calls, and `out` if requested.
 */
export const blueprintGenerate = operation({
  name: 'blueprint.generate',
  command: 'blueprint generate',
  group: 'Casting',
  kind: 'write',
  where: 'caller',
  asks: { purpose: 'blueprint', unless: [['offline', true]], without: '--offline' },
  summary: 'Generate a blueprint from a description without applying it',
  examples: [
    'troupe blueprint generate "plan and book trips for small groups" --out trips.json',
    'troupe blueprint generate "answer the mails of customers" --offline --json',
  ],
  resource: [
    {
      method: 'POST',
      path: '/api/blueprints/generate',
      summary: 'Generates a blueprint from a description; nothing is stored.',
      fields: ['description', ['team_size', 'size'], 'offline'],
    },
  ],
  input: z.strictObject({
    description: argument('What the project is for and how its work is done', z.string()),
    size: option('How many members, 1 to 20', teamSize, { value: 'N' }),
    ...modelInputs,
    out: option('Write it to this file, for blueprint apply', z.optional(z.string()), {
      value: 'FILE',
      path: 'always',
      writes: true,
    }),
    force: option('Overwrite an existing file', z.optional(z.boolean())),
  }),
  output: z.object({
    blueprint: blueprintSchema,
    method: z.enum(['model', 'lexical']),
    warnings: z.readonly(z.array(z.object({ code: z.string(), message: z.string() }))),
    /** Ids of the model calls, in order. */
    run_ids: z.readonly(z.array(z.string())),
    /** Path of the output file, if requested. */
    file: z.optional(z.string()),
  }),
  async run(context: Context, { description, size, out, force, ...wish }) {
    const words = description.trim();
    if (words === '' || [...words].length > TEAM_LIMITS.goalCharacters) {
      throw new TroupeError('bad_input', {
        what:
          words === ''
            ? 'The description is empty.'
            : `The description is longer than ${TEAM_LIMITS.goalCharacters} characters.`,
        hint: 'Describe in a few sentences what the project is for and how its work is done.',
        details: { field: 'description' },
      });
    }
    const shelf = await shelfOf(context);
    const outcome =
      wish.offline === true ? byWords(words, shelf, size) : await byModel(context, words, shelf, { ...wish, size });
    const { valid, errors } = await checkedValue(context, outcome.blueprint);
    if (!valid && outcome.method === 'lexical')
      throw new TroupeError('blueprint_generation_failed', { what: errors.join('; ') });
    const usable = valid ? outcome : byWordsInstead(badAnswer(errors.join('; ')), words, shelf, size, outcome.run_ids);
    if (out === undefined) return usable;
    const text = `${JSON.stringify(usable.blueprint, null, 2)}\n`;
    return { ...usable, file: await keepOutput(context, out, text, { force }) };
  },
});

function byWords(description: string, shelf: BlueprintChoices, size: number | undefined) {
  return {
    ...blueprintByWords(description, shelf, size),
    method: 'lexical' as const,
    run_ids: [] as readonly string[],
  };
}

/** Falls back to words after a model failed, and reports the reason. */
function byWordsInstead(
  failure: AskFailure,
  description: string,
  shelf: BlueprintChoices,
  size: number | undefined,
  run_ids: readonly string[],
) {
  const ruled = byWords(description, shelf, size);
  return { ...ruled, warnings: [...withoutModel(failure), ...ruled.warnings], run_ids };
}

/** Generates a blueprint with a model; falls back to words if it fails, and reports the reason. */
async function byModel(
  context: TeamContext & FilesContext & ModelContext & MachineContext,
  description: string,
  shelf: BlueprintChoices,
  wish: ModelWish,
) {
  const { teamSizeModelLeast: least, teamSizeModelMost: most } = TEAM_LIMITS;
  const topic = {
    description,
    menu: shelf.catalog.menu,
    workflows: shelf.processes,
    policies: shelf.rules,
    profiles: shelf.rooms,
  };
  const { answer, failure, runIds } = await ask(context, {
    purpose: 'blueprint',
    name: 'blueprint',
    named: wish,
    values: { count: wish.size ?? `${least} to ${most}` },
    blocks: blueprintBlocks(topic),
    take: (text) => readBlueprint(text, description, shelf),
  });
  if (failure) return byWordsInstead(failure, description, shelf, wish.size, runIds);
  const reservedIds = new Set([...shelf.workflows, ...shelf.unreadable]);
  const drafted =
    answer.blueprint.workflows.length > 0
      ? { ...answer, run_ids: [] }
      : await withDraft(context, wish, { description, menu: shelf.catalog.menu, reservedIds, ...answer });
  return { ...drafted, method: 'model' as const, run_ids: [...runIds, ...drafted.run_ids] };
}

/** Loads all available choices. */
async function shelfOf(context: TeamContext & FilesContext & MachineContext): Promise<BlueprintChoices> {
  const source = await context.catalog();
  const [catalog, policies, profiles, blueprints, workflows] = await Promise.all([
    source.load(),
    source.reviewPolicies(),
    source.sandboxProfiles(),
    source.blueprints(),
    everyWorkflow(context),
  ]);
  const processes = workflows.flatMap((entry) => ('error' in entry ? [] : [entry.workflow]));
  return {
    catalog,
    processes,
    rules: [...policies.values()],
    rooms: [...profiles.values()],
    workflows: new Set(processes.map((workflow) => workflow.id)),
    policies: new Set(policies.keys()),
    profiles: new Set(profiles.keys()),
    blueprints: new Set(blueprints.keys()),
    unreadable: workflows.flatMap((entry) => ('error' in entry ? [entry.id] : [])),
  };
}

const TRIES = 2;

interface DraftWish extends GeneratedBlueprint {
  readonly description: string;
  readonly menu: readonly Archetype[];
  readonly reservedIds: ReadonlySet<string>;
}

type DraftResult = GeneratedBlueprint & { readonly run_ids: readonly string[] };

/**
 * Adds a workflow drafted by a model. A draft that does not compile is requested once more, with the problem; if that
 * or the call fails, `default` is used, with a warning.
 */
async function withDraft(
  context: TeamContext & FilesContext & ModelContext & MachineContext,
  named: NamedModel,
  wish: DraftWish,
): Promise<DraftResult> {
  const { blueprint, warnings } = wish;
  const run_ids: string[] = [];
  const trigger = triggerFromWords(wish.description);
  const policy = await policyOf(context, blueprint.review_policy);
  let problem: string | undefined;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const { answer, failure, runIds } = await ask(context, {
      purpose: 'workflow',
      name: 'workflow-draft',
      named,
      blocks: draftBlocks({ ...wish, problem }),
      take: (text) => readDraft(text, { blueprint, existing: wish.reservedIds, trigger, policy }),
    });
    run_ids.push(...runIds);
    if (answer) return { ...withAcceptedDraft(wish, answer), run_ids };
    problem = failure?.reason;
    if (failure?.code !== 'bad_answer') break;
  }
  const message = `No library workflow fits and none could be drafted: using “default”. ${problem ?? ''}`;
  return {
    blueprint: { ...blueprint, workflows: ['default'] },
    warnings: [...warnings, { code: 'default_workflow', message: message.trim() }],
    run_ids,
  };
}

type Draft = NonNullable<Blueprint['draft']>;

function withAcceptedDraft({ blueprint, warnings }: GeneratedBlueprint, draft: Draft): GeneratedBlueprint {
  const trigger = draft['trigger'];
  const drafted = `No library workflow fits: ${draft.id} was drafted. Review it before it runs.`;
  return {
    blueprint: { ...blueprint, workflows: [draft.id], draft },
    warnings: [
      ...warnings,
      { code: 'drafted_workflow', message: drafted },
      ...(trigger === undefined
        ? []
        : [{ code: 'begins_by_itself', message: `${draft.id} starts automatically: ${JSON.stringify(trigger)}.` }]),
    ],
  };
}

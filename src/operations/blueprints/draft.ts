import { draftPrompt } from '#core/blueprints/prompts.js';
import type { Generated } from '#core/blueprints/read-answer.js';
import { readDraft } from '#core/blueprints/read-draft.js';
import { triggerFromWords } from '#core/blueprints/trigger-words.js';
import type { Archetype } from '#core/catalog/entries.js';
import type { Blueprint } from '#core/catalog/policies.js';
import { filled } from '#core/prompts/wording.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { Context } from '#operations/operation.js';
import { policyOf } from '#operations/workflows/policy.js';
import type { Model } from '#ports/model.js';

const TRIES = 2;

interface DraftWish extends Generated {
  readonly description: string;
  readonly menu: readonly Archetype[];
  readonly taken: ReadonlySet<string>;
}

type Drafted = Generated & { readonly run_ids: readonly string[] };

/** Random text that no author of what stands in a prompt can know. */
export function nonceFor(context: Context): string {
  return `${context.freshId()}${context.freshId()}`.replace(/[^A-Za-z0-9_-]/g, '').slice(0, 64);
}

/**
 * The blueprint with a workflow that a model drafts for it. A draft that does not compile is asked for once more, with what is
 * wrong with it; then, or when the call fails, `default` does, and that is told.
 */
export async function withDraft(context: Context, model: Model, wish: DraftWish): Promise<Drafted> {
  const { blueprint, warnings } = wish;
  const run_ids: string[] = [];
  const trigger = triggerFromWords(wish.description);
  const policy = await policyOf(context, blueprint.review_policy);
  let problem: string | undefined;
  try {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const { text, runId } = await asked(context, model, { ...wish, problem });
      if (runId !== undefined) run_ids.push(runId);
      const draft = attempted(() => readDraft(text, { blueprint, taken: wish.taken, trigger, policy }));
      if (!('problem' in draft)) return { ...accepted(wish, draft.draft), run_ids };
      ({ problem } = draft);
    }
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    problem = error.message;
  }
  const message = `No workflow of the library fits, and none could be drafted: it is “default”. ${problem ?? ''}`;
  return {
    blueprint: { ...blueprint, workflows: ['default'] },
    warnings: [...warnings, { code: 'default_workflow', message: message.trim() }],
    run_ids,
  };
}

type Draft = NonNullable<Blueprint['draft']>;

function attempted(read: () => Draft): { readonly draft: Draft } | { readonly problem: string } {
  try {
    return { draft: read() };
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return { problem: error.message };
  }
}

function accepted({ blueprint, warnings }: Generated, draft: Draft): Generated {
  const trigger = draft['trigger'];
  const drafted = `No workflow of the library fits: ${draft.id} was drafted. Read it before it runs.`;
  return {
    blueprint: { ...blueprint, workflows: [draft.id], draft },
    warnings: [
      ...warnings,
      { code: 'drafted_workflow', message: drafted },
      ...(trigger === undefined
        ? []
        : [{ code: 'begins_by_itself', message: `${draft.id} begins by itself: ${JSON.stringify(trigger)}.` }]),
    ],
  };
}

async function asked(context: Context, model: Model, wish: DraftWish & { problem: string | undefined }) {
  const nonce = nonceFor(context);
  const wording = (await (await context.wording()).load())['workflow-draft'];
  const prompt = draftPrompt(filled(wording, { nonce }), nonce, wish);
  return await model.complete({ prompt, timeMs: LIMITS.modelCallMs, purpose: 'workflow' });
}

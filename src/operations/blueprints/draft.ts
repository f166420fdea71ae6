import { draftBlocks } from '#core/blueprints/prompts.js';
import type { Generated } from '#core/blueprints/read-answer.js';
import { readDraft, triggerFromWords } from '#core/blueprints/read-draft.js';
import type { Archetype } from '#core/catalog/catalog.js';
import type { Blueprint } from '#core/catalog/policies.js';
import { ask, type NamedModel } from '#operations/models/ask.js';
import type { Context } from '#operations/operation.js';
import { policyOf } from '#operations/workflows/policy.js';

const TRIES = 2;

interface DraftWish extends Generated {
  readonly description: string;
  readonly menu: readonly Archetype[];
  readonly taken: ReadonlySet<string>;
}

type Drafted = Generated & { readonly run_ids: readonly string[] };

/**
 * The blueprint with a workflow that a model drafts for it. A draft that does not compile is asked for once more, with what is
 * wrong with it; then, or when the call fails, `default` does, and that is told.
 */
export async function withDraft(context: Context, named: NamedModel, wish: DraftWish): Promise<Drafted> {
  const { blueprint, warnings } = wish;
  const run_ids: string[] = [];
  const trigger = triggerFromWords(wish.description);
  const policy = await policyOf(context, blueprint.review_policy);
  let problem: string | undefined;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    const { answer, failure, runIds } = await ask(context, {
      ...{ purpose: 'workflow', name: 'workflow-draft', named },
      blocks: draftBlocks({ ...wish, problem }),
      take: (text) => readDraft(text, { blueprint, taken: wish.taken, trigger, policy }),
    });
    run_ids.push(...runIds);
    if (answer) return { ...accepted(wish, answer), run_ids };
    problem = failure?.reason;
    if (failure?.code !== 'bad_answer') break;
  }
  const message = `No workflow of the library fits, and none could be drafted: it is “default”. ${problem ?? ''}`;
  return {
    blueprint: { ...blueprint, workflows: ['default'] },
    warnings: [...warnings, { code: 'default_workflow', message: message.trim() }],
    run_ids,
  };
}

type Draft = NonNullable<Blueprint['draft']>;

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

import * as z from 'zod/mini';
import { blocksOf, judgementIn, scoreOf } from '#core/agency/evaluation-judge.js';
import { evaluationOf, type Verdict } from '#core/agency/record-evaluation.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { TroupeError } from '#kernel/errors.js';
import { loadSettings } from '#operations/load-settings.js';
import { promptOf } from '#operations/models/ask.js';
import { type Context, operation } from '#operations/operation.js';
import { moverOf } from '#operations/shapes.js';
import { assignedTo } from './assigned.js';
import { scoreAnswerShape } from './evaluations.js';
import { flipVerdict } from './flip.js';
import { judged } from './judgement.js';
import { loadAgency } from './open.js';
import { keepScore } from './record-score.js';
import { doerBlocks, identityBlocks, output, requestBlocks } from './work-shown.js';

const flag = z.optional(z.boolean());
const text = z.optional(z.string());

/** Has a model judge a task. Its parts come from the model, the score from us; without a model nothing is made up. */
export const evaluationRun = operation({
  name: 'evaluation.run',
  input: z.strictObject({ id: z.string(), evaluator_model: text, dry_run: flag, flip: flag }),
  output: z.object({
    ...z.partial(scoreAnswerShape).shape,
    task_id: z.string(),
    /** The score of the comparison, where one was asked for. */
    flip: z.optional(scoreAnswerShape),
    /** Why there is no second score although one was asked for; the first one counts all the same. */
    flip_failed: text,
    /** What would be asked; then nothing else is answered. */
    prompt: text,
  }),
  async run(context, { id, evaluator_model, dry_run: dry, flip }) {
    const by = moverOf(context);
    const view = await (await context.graph()).view();
    const task = taskOf(view, id);
    evaluationOf(view, id, { score: 0 }, by, context.clock.now()); // refuses before anybody is asked
    const evaluator = await evaluatorOf(context, task);
    const blocks = [
      ...requestBlocks(task),
      ...(await doerBlocks(context, task)),
      ...identityBlocks('you judge as', evaluator),
      ...(await output(context, task)),
    ];
    const wording = { name: 'evaluate', blocks: blocksOf(blocks) } as const;
    if (dry === true) return { task_id: id, prompt: await promptOf(context, wording) };
    const { answer, model: name } = await judged(context, {
      ...{ ...wording, purpose: 'evaluator', task: id, named: { model: evaluator_model } },
      take: judgementIn,
    });
    const { dimensions, notes } = answer;
    const said = { score: scoreOf(dimensions), dimensions, notes, source: 'llm', model: name };
    const verdict = { ...said, evaluator: evaluator?.agent.id ?? name, attempt: task.fence ?? 0 };
    // At once: it is paid for, whatever becomes of the second look.
    const first = await keepScore(context, id, verdict, by);
    const wanted = flip ?? (await loadSettings(context)).settings.agency.flip_enabled;
    const { flipped, failed } = wanted ? await secondLook(context, task) : {};
    const second = flipped && (await keepScore({ ...context, request: {} }, id, flipped, by));
    return {
      ...first,
      ...(second ? { flip: second } : {}),
      ...(failed === undefined ? {} : { flip_failed: failed }),
    };
  },
});

/** The second score, or why there is none: what was paid for the first is not lost with it. */
async function secondLook(context: Context, task: Task): Promise<{ flipped?: Verdict; failed?: string }> {
  try {
    return { flipped: await flipVerdict(context, task) };
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return { failed: error.message };
  }
}

/** Whose eyes the settings say it is judged with. Errors: `own_work` for whoever did it. */
async function evaluatorOf(context: Context, task: Task) {
  const named = (await loadSettings(context)).settings.agency.evaluator_agent;
  if (named === undefined) return undefined;
  const agency = await loadAgency(context);
  const agent = agency.find('agent', named);
  if ((await assignedTo(context, task))?.agent.id === agent.id) {
    throw new TroupeError('own_work', {
      what: `${task.id} is the work of the agent that is to judge it.`,
      hint: 'Name another one: `troupe config set agency.evaluator_agent ID`.',
      details: { id: task.id },
    });
  }
  return { agent, role: agency.role(agent.role_id), tradeoff: agency.tradeoff(agent.tradeoff_id) };
}

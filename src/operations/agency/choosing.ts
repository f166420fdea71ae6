import type { Agency } from '#core/agency/agency.js';
import { type Assignment, assignTask } from '#core/agency/assign.js';
import { candidatesText, chosenIn } from '#core/agency/candidates.js';
import { choose, isExploring, type Ranked, rankedFor } from '#core/agency/choose.js';
import { type Load, loadOf } from '#core/agency/match.js';
import type { MoveOptions } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { modelFor, questionOf } from '#operations/evaluation/judging-model.js';
import type { Context } from '#operations/operation.js';
import type { Model } from '#ports/model.js';
import { loadAgency } from './open.js';
import { peopleOf } from './person.js';

/** What is known before anything is locked: whose scores say nothing of a pair, and whom a model named. */
export interface Advice {
  readonly people: ReadonlySet<string>;
  readonly named?: Assignment;
  /** Why the rules decide although a model was asked. */
  readonly unusable?: string;
}

/** Somebody chosen without a person. */
export interface Chosen extends Assignment {
  readonly chosen_by: 'model' | 'rules';
}

/** What keeps a model from answering keeps nobody from being chosen. */
const UNANSWERED: ReadonlyMap<string, string> = new Map([
  ['bad_model_answer', 'the model gave no answer'],
  ['budget_spent', 'the budget leaves nothing for a model'],
]);

/**
 * Asks a model whom a task is for, where there is one. Nothing is locked meanwhile, and nothing changed. Whoever may not
 * assign the task is refused before anything is asked.
 */
export async function advised(context: Context, id: string, options: MoveOptions): Promise<Advice> {
  const agency = await loadAgency(context);
  const people = await peopleOf(context, agency);
  const model = isExploring(agency) ? undefined : await readyModel(context);
  if (!model) return { people };
  const view = await (await context.graph()).view();
  const task = taskOf(view, id);
  const load = loadOf(view);
  const candidates = amongThese(agency, view, task, load, people);
  const [best] = candidates;
  if (best) assignTask(view, id, { agent: best.agent }, options);
  if (candidates.length < 2) return { people }; // that is no choice
  const prompt = await questionOf(context, 'assign', (nonce) => candidatesText(nonce, task, agency, candidates, load));
  try {
    const { text } = await model.complete({ prompt, timeMs: LIMITS.modelCallMs, purpose: 'assigner', task: id });
    const named = chosenIn(text, candidates, agency);
    if (!named) return { people, unusable: 'what the model answered names none of the candidates' };
    return { people, named: { ...named, reason: `${model.name ?? 'a model'} chose: ${named.reason ?? ''}` } };
  } catch (error) {
    const why = error instanceof TroupeError ? UNANSWERED.get(error.code) : undefined;
    if (why === undefined) throw error;
    return { people, unusable: why };
  }
}

async function readyModel(context: Context): Promise<Model | undefined> {
  try {
    return await modelFor(context, 'assigner');
  } catch (error) {
    if (error instanceof TroupeError && error.code === 'model_required') return undefined;
    throw error;
  }
}

/** Whom the model named, as long as it is a candidate now; else whom the rules say. Errors: `no_candidate`. */
export function chosenFor(agency: Agency, view: GraphView, id: string, advice: Advice): Chosen {
  const { people, named, unusable } = advice;
  const task = taskOf(view, id);
  const load = loadOf(view);
  const still = named && amongThese(agency, view, task, load, people).find(({ agent }) => agent.id === named.agent.id);
  if (still) return { ...named, agent: still.agent, chosen_by: 'model' };
  const ruled = choose(agency, view, task, load, people);
  const why = named ? 'whom the model chose is no candidate any more' : unusable;
  return { ...ruled, reason: why === undefined ? ruled.reason : `${ruled.reason}; ${why}`, chosen_by: 'rules' };
}

function amongThese(
  agency: Agency,
  view: GraphView,
  task: Task,
  load: Load,
  people: ReadonlySet<string>,
): readonly Ranked[] {
  return rankedFor(agency, view, task, load, people).slice(0, LIMITS.assignmentCandidates);
}

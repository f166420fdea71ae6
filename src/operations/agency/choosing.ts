import type { Agency } from '#core/agency/agency.js';
import { type Assignment, assignTask } from '#core/agency/assign.js';
import { candidatesText, chosenIn } from '#core/agency/candidates.js';
import { choose, isExploring, type Ranked, rankedFor } from '#core/agency/choose.js';
import { loadOf } from '#core/agency/match.js';
import type { MoveOptions } from '#core/graph/moves.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { modelFor, questionOf } from '#operations/evaluation/judging-model.js';
import type { Context } from '#operations/operation.js';
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

/**
 * Asks a model whom a task is for, where there is one. Nothing is locked meanwhile, and nothing changed. Whoever may not
 * assign the task, or has nobody for it, is refused before anything is asked.
 */
export async function advised(context: Context, id: string, options: MoveOptions): Promise<Advice> {
  const view = await (await context.graph()).view();
  const agency = await loadAgency(context);
  const people = await peopleOf(context, agency);
  const task = taskOf(view, id);
  const load = loadOf(view);
  assignTask(view, id, choose(agency, view, task, load, people), options);
  const candidates = amongThese(agency, view, id, people);
  if (isExploring(agency) || candidates.length < 2) return { people };
  try {
    const model = await modelFor(context, 'assigner');
    const blocks = (nonce: string) => candidatesText(nonce, task, agency, candidates, load);
    const prompt = await questionOf(context, 'assign', blocks);
    const { text } = await model.complete({ prompt, timeMs: LIMITS.modelCallMs, purpose: 'assigner', task: id });
    const named = chosenIn(text, candidates, agency);
    if (!named) return { people, unusable: 'what the model answered names none of the candidates' };
    return { people, named: { ...named, reason: `${model.name ?? 'a model'} chose: ${named.reason ?? ''}` } };
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    if (error.code === 'model_required') return { people };
    if (error.code === 'budget_spent') return { people, unusable: 'the budget allows no question to a model' };
    if (error.code !== 'bad_model_answer') throw error;
    return { people, unusable: 'the model gave no answer' };
  }
}

/** Whom the model named, as long as it is a candidate now; else whom the rules say. Errors: `no_candidate`. */
export function chosenFor(agency: Agency, view: GraphView, id: string, advice: Advice): Chosen {
  const { people, named, unusable } = advice;
  const still = named && amongThese(agency, view, id, people).find(({ agent }) => agent.id === named.agent.id);
  if (still) return { ...named, agent: still.agent, chosen_by: 'model' };
  const ruled = choose(agency, view, taskOf(view, id), loadOf(view), people);
  const why = named ? 'whom the model chose is no candidate any more' : unusable;
  return { ...ruled, reason: why === undefined ? ruled.reason : `${ruled.reason}; ${why}`, chosen_by: 'rules' };
}

function amongThese(agency: Agency, view: GraphView, id: string, people: ReadonlySet<string>): Ranked[] {
  return rankedFor(agency, view, taskOf(view, id), loadOf(view), people).slice(0, LIMITS.assignmentCandidates);
}

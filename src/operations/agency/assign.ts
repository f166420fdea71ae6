import * as z from 'zod/mini';
import type { Agency } from '#core/agency/agency.js';
import { type Assignment, assignTask } from '#core/agency/assign.js';
import { candidateBlocks, chosenIn } from '#core/agency/candidates.js';
import { type Candidate, type ChoiceTerms, candidatesOf, choose, isExploring } from '#core/agency/choose.js';
import { type AgentLoad, loadOf } from '#core/agency/match.js';
import { acceptedIn } from '#core/agency/waiting.js';
import type { MoveOptions } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { barredAgents } from '#core/playbooks/independence.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { MachineContext, ModelContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { loadAgency } from '#operations/load-agency.js';
import { loadSettings } from '#operations/load-settings.js';
import { operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { ask } from '#operations/settings/ask.js';
import { moveOptions, text } from '#operations/shapes.js';
import { changeAgency } from './open.js';
import { peopleOf } from './person.js';

const flag = z.optional(z.boolean());

/**
 * Assigns a task to a named agent or the best match, or clears the assignment. The status of the task does not change.
 */
export const assign = operation({
  name: 'agency.assign',
  command: 'assign',
  group: 'Tasks',
  kind: 'write',
  forRuns: 'any',
  asks: { purpose: 'assigner', when: 'auto' },
  summary: 'Assign a task to an agent',
  examples: ['troupe assign write-the-parser "Careful Programmer"', 'troupe assign write-the-parser --auto'],
  input: z.strictObject({
    id: TASK_ID,
    agent: argument('The agent: id, id prefix or name', text),
    auto: option('Choose one of the best matches: by a model if there is one, else by rank', flag),
    clear: option('Remove the assignment', flag),
    actor: text,
  }),
  output: z.object({
    id: z.string(),
    agent_id: z.nullable(z.string()),
    agent_name: z.nullable(z.string()),
    reason: text,
    /** For a choice made without a person: by a model, or by the rules if the model gave none. */
    chosen_by: z.optional(z.enum(['model', 'rules'])),
    exploration: z.boolean(),
    changed: z.boolean(),
    seq: z.number(),
  }),
  async run(context: WorkContext & ModelContext & MachineContext, input) {
    const { id, agent, auto = false, clear = false } = input;
    if (Number(agent !== undefined) + Number(auto) + Number(clear) !== 1)
      throw new TroupeError('usage', { what: 'Name an agent, or use --auto or --clear.' });
    const options = moveOptions(context, input);
    const advice = auto ? await adviceOn(context, id, options) : undefined;
    const { result, seq } = await changeAgency(context, (agency, view) => {
      if (!view) throw new TroupeError('not_initialized');
      const assignment: (Assignment & Partial<AgentChoice>) | undefined = clear
        ? undefined
        : advice
          ? chooseAgent(agency, view, id, advice)
          : { agent: acceptedIn(agency, 'agent', agent ?? '') };
      const plan = assignTask(view, id, assignment, { ...options, barred: barredAgents(view, taskOf(view, id)) });
      const { changed } = plan.result;
      const state = { kind: 'record' as const, id: 'state', text: `{"assignments": ${agency.assignments + 1}}\n` };
      return {
        files: auto && changed ? [state] : [],
        events: plan.events,
        result: {
          id,
          agent_id: assignment?.agent.id ?? null,
          agent_name: assignment?.agent.name ?? null,
          ...(assignment?.reason === undefined ? {} : { reason: assignment.reason }),
          ...(assignment?.chosen_by === undefined ? {} : { chosen_by: assignment.chosen_by }),
          exploration: assignment?.exploration === true,
          changed,
        },
      };
    });
    return { ...result, seq };
  },
});

/** Inputs gathered before any lock is taken: terms for the rules, and the agent a model named. */
interface Advice {
  readonly terms: Omit<ChoiceTerms, 'barred'>;
  readonly named?: Assignment;
  /** Reason why the rules decide although a model was asked. */
  readonly unusable?: string;
}

/** Assignment chosen without a person. */
interface AgentChoice extends Assignment {
  readonly chosen_by: 'model' | 'rules';
}

/** A failure of the model does not prevent an assignment: the rules decide then. */
const UNUSABLE = {
  call_failed: 'the model did not answer',
  bad_answer: 'the model named none of the candidates',
  budget_spent: 'the budget leaves nothing for a model',
} as const;

/**
 * Asks a model for the assignment, if there is one. Takes no lock and changes nothing. A caller who may not assign the
 * task is refused before the model is asked.
 */
async function adviceOn(
  context: WorkContext & ModelContext & MachineContext,
  id: string,
  options: MoveOptions,
): Promise<Advice> {
  const agency = await loadAgency(context);
  const terms = await termsOf(context, agency);
  if (isExploring(agency, terms.exploration)) return { terms };
  const view = await (await context.graph()).view();
  const task = taskOf(view, id);
  const load = loadOf(view);
  const barred = barredAgents(view, task);
  const candidates = candidatesFor(agency, task, load, barred);
  const [best] = candidates;
  if (best) assignTask(view, id, { agent: best.agent }, { ...options, barred });
  if (candidates.length < 2) return { terms }; // no choice to make
  const { answer, failure, model } = await ask(context, {
    purpose: 'assigner',
    name: 'assign',
    task: id,
    blocks: candidateBlocks(task, agency, candidates, load),
    take: (text) => chosenIn(text, candidates, agency),
  });
  if (answer) return { terms, named: { ...answer, reason: `${model} chose: ${answer.reason ?? ''}` } };
  return failure.code === 'no_model' ? { terms } : { terms, unusable: UNUSABLE[failure.code] };
}

/** Agents that are people, and the exploration settings. */
async function termsOf(context: MachineContext, agency: Agency): Promise<Advice['terms']> {
  const { exploration_every, exploration_constant, novelty_bonus } = (await loadSettings(context)).settings.agency;
  return {
    people: await peopleOf(context, agency),
    exploration: { every: exploration_every, constant: exploration_constant, novelty: novelty_bonus },
  };
}

/** The agent named by the model if it is still a candidate; else the choice of the rules. Errors: `no_candidate`. */
function chooseAgent(agency: Agency, view: GraphView, id: string, advice: Advice): AgentChoice {
  const { terms, named, unusable } = advice;
  const task = taskOf(view, id);
  const load = loadOf(view);
  const barred = barredAgents(view, task);
  const still = named && candidatesFor(agency, task, load, barred).find(({ agent }) => agent.id === named.agent.id);
  if (still) return { ...named, agent: still.agent, chosen_by: 'model' };
  const ruled = choose(agency, view, task, load, { ...terms, barred });
  const reason = named ? 'the agent chosen by the model is no longer a candidate' : unusable;
  return { ...ruled, reason: reason === undefined ? ruled.reason : `${ruled.reason}; ${reason}`, chosen_by: 'rules' };
}

/** Candidates shown to a model, which may name only these. */
function candidatesFor(agency: Agency, task: Task, load: AgentLoad, barred: ReadonlySet<string>): readonly Candidate[] {
  return candidatesOf(agency, task, load, barred).slice(0, TEAM_LIMITS.assignmentCandidates);
}

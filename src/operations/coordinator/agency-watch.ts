import { evaluationsOf } from '#core/agency/list-evaluations.js';
import { type AgentLoad, capacityOf, eligible, matchesOf } from '#core/agency/match.js';
import { mayAutoCreateAgent } from '#core/agency/provide.js';
import { type AgencyFacts, NO_AGENCY } from '#core/coordinator/agency.js';
import { evaluationTask } from '#core/coordinator/scoring.js';
import { isTask } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { type Person, personOf } from '#core/mail/person.js';
import { modelChoice } from '#core/settings/model-choice.js';
import type { Settings } from '#core/settings/schema.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { isPerson } from '#operations/agency/person.js';
import type { MachineContext, ModelContext, WorkContext } from '#operations/contexts.js';
import { loadAgency } from '#operations/load-agency.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';
import { modelFor } from '#operations/settings/ask.js';
import { commitOnly, type HostOf } from './host.js';

/** Host for internal tasks about other tasks. */
export function agencyHost(readFacts: () => Promise<AgencyFacts>): HostOf<'agency'> {
  return {
    facts: async () => ({ agency: await readFacts() }),
    carryOut: { 'add-task': commitOnly, 'edit-task': commitOnly },
  };
}

/** Cached facts of the agency: read again when its files change, and the settings every few seconds. */
export function watchedAgency(context: WorkContext & ModelContext & MachineContext): () => Promise<AgencyFacts> {
  let read: { readonly stamp: string; readonly at: number; readonly facts: AgencyFacts } | undefined;
  const judge = new Judge(context);
  const unscored = new Unscored(context);
  return async () => {
    const stamp = await (await context.agency()).stamp();
    const now = context.clock.now();
    if (read && read.stamp === stamp && Math.abs(now - read.at) < WORK_LIMITS.clientLookMs) return read.facts;
    read = { stamp, at: now, facts: await factsOf(context, judge, unscored) };
    return read.facts;
  };
}

/** A busy agent counts as a match too. */
const NO_LOAD: AgentLoad = { running: new Map(), open: new Map() };

async function factsOf(context: WorkContext & MachineContext, judge: Judge, unscored: Unscored): Promise<AgencyFacts> {
  const all = (await loadSettings(context)).settings;
  const { agency: settings } = all;
  const agency = await loadAgency(context);
  const working = agency.working();
  const { flip_verification_threshold: verifyBelow } = settings;
  const isQuiet = !settings.auto_create && !settings.auto_evaluate && verifyBelow === undefined;
  if (working.length === 0 && isQuiet) return NO_AGENCY;
  const agents = await Promise.all(
    working.map(async (agent) => {
      const human = await isPerson(context, agent.executor);
      const { executor, preferred_provider: provider } = agent;
      return [agent.id, { human, capacity: capacityOf(agent), executor, provider }] as const;
    }),
  );
  const threshold = settings.eval_gate_threshold;
  return {
    autoAssign: settings.auto_assign,
    autoCreate: settings.auto_create && mayAutoCreateAgent(agency, context.clock.now()),
    matches: (task) => eligible(agency, matchesOf(agency, task, NO_LOAD)).length > 0,
    autoEvaluate: settings.auto_evaluate,
    ...(settings.auto_evaluate ? await judge.look(all) : { unjudged: undefined, judgeIsNew: false }),
    unscored: await unscored.look(settings.auto_evaluate),
    agents: new Map(agents),
    gate: threshold === undefined ? undefined : { threshold, all: settings.eval_gate_all },
    verifyBelow,
  };
}

/** The agents that are people, by id; read again when the files of the agency change. */
export function peopleById(context: WorkContext & MachineContext): () => Promise<ReadonlyMap<string, Person>> {
  let read: { readonly stamp: string; readonly people: ReadonlyMap<string, Person> } | undefined;
  return async () => {
    const stamp = await (await context.agency()).stamp();
    if (read?.stamp !== stamp) read = { stamp, people: await peopleOf(context) };
    return read.people;
  };
}

async function peopleOf(context: WorkContext & MachineContext): Promise<ReadonlyMap<string, Person>> {
  const people = new Map<string, Person>();
  for (const agent of (await loadAgency(context)).working()) {
    // A person reached by the shell gets no message: their task has a command, or waits for a person to claim it.
    if (agent.executor === 'shell' || !(await isPerson(context, agent.executor))) continue;
    people.set(agent.id, personOf({ ...agent, capacity: capacityOf(agent) }));
  }
  return people;
}

/** Finished tasks without a score from before scoring was switched on. The graph and all scores are scanned once. */
export class Unscored {
  private readonly context: Pick<Context, 'graph' | 'traceFiles'>;
  private ids: readonly string[] | undefined;

  constructor(context: Pick<Context, 'graph' | 'traceFiles'>) {
    this.context = context;
  }

  /** Their ids, without those whose evaluation exists already; empty if scoring is off. */
  async look(asked: boolean): Promise<readonly string[]> {
    if (!asked) {
      this.ids = undefined;
      return [];
    }
    const view = await (await this.context.graph()).view();
    this.ids = (this.ids ?? (await this.all(view))).filter((id) => !view.wasUsed(evaluationTask(id)));
    return this.ids;
  }

  private async all(view: GraphView): Promise<readonly string[]> {
    const { records } = await (await this.context.traceFiles()).evaluations();
    const scored = new Set(evaluationsOf(records).map(({ task_id }) => task_id));
    return [...view.nodes()]
      .filter((node) => isTask(node) && (node.status === 'done' || node.status === 'failed') && !scored.has(node.id))
      .map(({ id }) => id)
      .sort();
  }
}

/** Availability of a model for scoring. A model that was found is not looked up again until the settings change. */
export class Judge {
  private readonly context: ModelContext & MachineContext;
  private usableChoice: string | undefined;

  constructor(context: ModelContext & MachineContext) {
    this.context = context;
  }

  /** Reason why there is no model, and whether one has just become available. */
  async look(settings: Settings): Promise<Pick<AgencyFacts, 'unjudged' | 'judgeIsNew'>> {
    const choice = JSON.stringify([modelChoice(settings, 'evaluator'), settings.models.ask]);
    if (this.usableChoice === choice) return { unjudged: undefined, judgeIsNew: false };
    const recipient = await modelFor(this.context, 'evaluator');
    const unjudged = 'failure' in recipient ? recipient.failure.reason : undefined;
    this.usableChoice = unjudged === undefined ? choice : undefined;
    return { unjudged, judgeIsNew: unjudged === undefined };
  }
}

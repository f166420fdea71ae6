import { AGENT, HUMAN } from '#core/graph/assignee.js';
import { editTask } from '#core/graph/edit.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import { isMeta } from '#core/graph/meta.js';
import { logTask } from '#core/graph/moves.js';
import { readiness } from '#core/graph/ready.js';
import { isIdForm } from '#core/graph/slug.js';
import { isTerminal, type NodeFields, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { countUp } from '#kernel/numbers.js';
import { CHAT_TAG } from './sessions.js';
import type { BaseDecision, Tick } from './tick.js';

/** Facts about agents and about the scoring of their work. */
export interface AgencyFacts {
  readonly autoAssign: boolean;
  /** An agent may be created now for a task that no agent matches. */
  readonly autoCreate: boolean;
  /** Whether an agent matches a task. */
  readonly matches: (task: Task) => boolean;
  readonly autoEvaluate: boolean;
  /** Reason why there is no model for scoring; undefined if there is one or scoring is off. */
  readonly unjudged: string | undefined;
  /** A model for scoring became available just now. */
  readonly judgeIsNew: boolean;
  /** Ids of tasks without a score that ended before scoring was switched on; empty if it is off. */
  readonly unscored: readonly string[];
  /** Agents that tasks can be assigned to, by id. */
  readonly agents: ReadonlyMap<
    string,
    {
      readonly human: boolean;
      readonly capacity: number;
      readonly executor: string;
      readonly provider: string | undefined;
    }
  >;
  /** A score below `threshold` fails a task; `all`: also tasks without the tag. */
  readonly gate: { readonly threshold: number; readonly all: boolean } | undefined;
  /** Work with a lower flip score is verified. */
  readonly verifyBelow: number | undefined;
}

export interface WithAgency {
  readonly agency: AgencyFacts;
}

export const NO_AGENCY: AgencyFacts = {
  autoAssign: false,
  autoCreate: false,
  autoEvaluate: false,
  unjudged: undefined,
  judgeIsNew: false,
  unscored: [],
  matches: () => false,
  agents: new Map(),
  gate: undefined,
  verifyBelow: undefined,
};

/** Whether there are agents, or any feature of the agency is switched on. */
export function hasAgencyWork({ agents, autoCreate, autoEvaluate, verifyBelow }: AgencyFacts): boolean {
  return agents.size > 0 || autoCreate || autoEvaluate || verifyBelow !== undefined;
}

/** The assigned agent of a task if it does not exist (unknown, retired, edited by hand); else undefined. */
export function missingAgent(task: Task, agency: Pick<AgencyFacts, 'agents'> | undefined): string | undefined {
  const agent = AGENT.of(task);
  if (agent === undefined || agency?.agents.has(String(agent)) === true) return undefined;
  return String(agent);
}

const BY = { name: 'coordinator' };

/** Adds an internal task about another task, or edits that task. */
export type AgencyDecision =
  | (BaseDecision & { readonly do: 'add-task'; readonly task: string; readonly about: string })
  | (BaseDecision & { readonly do: 'edit-task'; readonly task: string });

export type AgencyTick = Tick<WithAgency, AgencyDecision>;
/** Work about the agency itself, and the chat with a coordinator, are neither assigned nor scored. */
const META_TAGS: readonly string[] = ['assignment', 'evaluation', 'evolution', CHAT_TAG];
const NOTE = 'No one was assigned';

/** Before phase 3: creates an agent for a ready, unassigned task that no agent matches; one per tick. */
export function create(tick: AgencyTick): void {
  const { agency } = tick.facts;
  if (!agency.autoCreate) return;
  for (const task of readyTasks(tick)) {
    if (isTaken(task) || isOurs(tick, task)) continue;
    const id = `create-agent-${task.id}`;
    if (agency.matches(task) || tick.graph.wasUsed(id) || !isIdForm(id)) continue;
    const reason = 'No agent matches it';
    addFor(
      tick,
      task,
      metaTask(tick, id, `Create an agent for ${task.id}`, 'assign "$IN_TASK" --provide', 'assignment', task.id),
      reason,
    );
    keep(tick, task.id, reason, editTask(tick.graph, task.id, { add_after: [id] }, { by: BY }));
    return;
  }
}

/** Phase 3: adds an assignment task before a ready, unassigned task. */
export function assign(tick: AgencyTick): void {
  const { agency } = tick.facts;
  if (!agency.autoAssign || agency.agents.size === 0) return;
  let remaining: number = TEAM_LIMITS.metaTasksAtOnce;
  for (const task of readyTasks(tick)) {
    if (remaining === 0) return;
    if (isTaken(task) || isOurs(tick, task)) continue;
    const id = `assign-${task.id}`;
    const there = tick.graph.task(id);
    if (there === undefined) {
      if (tick.graph.wasUsed(id) || !isIdForm(id)) continue;
      addFor(
        tick,
        task,
        metaTask(tick, id, `Assign ${task.id}`, 'assign "$IN_TASK" --auto', 'assignment', task.id),
        'It has no agent yet',
      );
      keep(tick, task.id, 'It has no agent yet', editTask(tick.graph, task.id, { add_after: [id] }, { by: BY }));
      remaining--;
    } else if (there.status !== 'done' && isTerminal(there.status) && !isNoted(task)) {
      const message = `${NOTE}: ${id} ended as ${there.status}. It runs unassigned.`;
      keep(tick, task.id, message, logTask(tick.graph, task.id, message, { now: tick.now, by: BY }));
      remaining--;
    }
  }
}

/** Open candidates that are due, sorted by id, in the current state of the draft. */
export function* readyTasks({ graph, now }: Tick): Iterable<Task> {
  for (const id of [...graph.candidates()].sort()) {
    if ((graph.readyAt(id) ?? 0) > now && !readiness(graph, id, now).ready) continue;
    const task = graph.task(id);
    if (task?.status === 'open') yield task;
  }
}

/**
 * Whether a task is neither assigned nor scored: work of a person, an internal task, or work about the agency itself.
 */
export function isOurs({ graph }: Tick, task: Task): boolean {
  return HUMAN.of(task) === true || isMeta(graph, task) || META_TAGS.some((tag) => task.tags?.includes(tag) === true);
}

/** Whether a command or an assignee exists already: an agent, a member of a team, or a conversation partner. */
function isTaken(task: Task): boolean {
  const { exec, member, conversation } = task;
  return [exec, member, conversation, AGENT.of(task)].some((value) => value !== undefined);
}

function isNoted(task: Task): boolean {
  return task.log?.some(({ actor, message }) => actor === BY.name && message.startsWith(NOTE)) === true;
}

/** Fields of an internal task about another task. Its command gets the id of that task from the environment. */
export function metaTask(
  tick: Tick,
  id: string,
  title: string,
  command: string,
  tag: string,
  about: string,
): NodeFields {
  return {
    kind: 'task',
    id,
    title: title.slice(0, WORK_LIMITS.titleCharacters),
    status: 'open',
    tags: [tag],
    exec: `"$TROUPE_BIN" ${command}`,
    environment: { IN_TASK: about },
    created_at: timestamp(tick.now),
    created_by: BY.name,
  };
}

export function addFor(tick: AgencyTick, about: Task, fields: NodeFields, reason: string): void {
  const id = String(fields['id']);
  const event: EventDraft = { op: 'add_task', task_id: id, actor: BY.name, patch: [{ id, put: fields }] };
  const events = tick.act({ events: [event], result: undefined });
  tick.want({ do: 'add-task', task: id, about: about.id, reason, events });
}

export function keep(tick: AgencyTick, task: string, reason: string, plan: Plan<unknown>): void {
  if (plan.events.length > 0) tick.want({ do: 'edit-task', task, reason, events: tick.act(plan) });
}

/** Number of running tasks of each agent. */
export function busyAgents({ graph, facts }: Tick<WithAgency>): Map<string, number> {
  return busyWith(graph, hasAgencyWork(facts.agency) ? facts.runs.map(({ taskId }) => taskId) : []);
}

/** Number of tasks in progress of each agent, among tasks with a run. */
export function busyWith(graph: GraphView, taskIds: readonly string[]): Map<string, number> {
  const busy = new Map<string, number>();
  for (const taskId of taskIds) {
    const task = graph.task(taskId);
    const agent = task?.status === 'in-progress' ? AGENT.of(task) : undefined;
    if (typeof agent === 'string') countUp(busy, agent);
  }
  return busy;
}

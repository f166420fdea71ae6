import { addTask } from '#core/graph/add.js';
import { editTask } from '#core/graph/edit.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import { reopenTask } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { wake } from '#core/graph/wait.js';
import { cutBytes } from '#kernel/fence.js';
import { FORMATION_LIMITS } from '#kernel/limits/formations.js';
import { inert } from '#kernel/text.js';
import { isPhase } from './crew.js';
import { formationTag, type NewTask } from './formation.js';
import { handoffFiles } from './handoffs.js';
import { type Climb, escalationLine, nextRung } from './ladder.js';
import {
  activeRuns,
  type FormationRecord,
  NO_STUMBLE,
  recordEvent,
  recordOf,
  type SeatRecord,
  type StumbleReport,
  stepId,
} from './record.js';
import { Moves, withNotes } from './run-moves.js';

const COORDINATOR = 'coordinator';

/** What the ladder has to know beside the graph. */
export interface LadderFacts {
  readonly now: number;
  readonly tiers: readonly string[];
  /** Nothing more may be spent on this task. */
  readonly overBudget: boolean;
}

/** A phase that needs the ladder. */
export interface Stuck {
  readonly record: FormationRecord;
  readonly phase: string;
  readonly task: Task;
  readonly report: StumbleReport | undefined;
}

/** The phases that are stuck and that nobody was asked about: of runs that are under way, and of these each seat once. */
export function* stuckPhases(view: GraphView): Iterable<Stuck> {
  for (const run of activeRuns(view)) {
    const record = recordOf(view, run);
    if (record?.state !== 'running' || record.formation !== 'crew') continue;
    for (const { name, phase = name } of record.seats) {
      const task = view.task(stepId(run, phase));
      const stumble = record.stumbles[phase] ?? NO_STUMBLE;
      if (!task) continue;
      if (task.status === 'waiting' && stumble.report !== undefined)
        yield { record, phase, task, report: stumble.report };
      else if (task.status === 'failed' && !stumble.rungs.includes('user') && isOut(view, task, phase))
        yield { record, phase, task, report: undefined };
    }
  }
}

/** A failed phase that nothing opens again: qa while its cycle goes round is another pass. */
function isOut(view: GraphView, task: Task, phase: string): boolean {
  if (phase !== 'qa') return true;
  const around = view.cyclesOf(task.id).filter((cycle) => cycle.configured);
  return around.every((cycle) => view.task(cycle.header)?.cycle_ended !== undefined);
}

/** The next rung for one of them, and all that it changes. */
export function climb(view: GraphView, stuck: Stuck, facts: LadderFacts): Plan<Climb> {
  const { record, phase, task, report } = stuck;
  const seat = record.seats.find((one) => (one.phase ?? one.name) === phase) ?? { name: phase };
  const stumble = record.stumbles[phase] ?? NO_STUMBLE;
  const next: Climb =
    report === undefined
      ? { rung: 'user', why: `it failed: ${task.failure_reason ?? 'no reason was given'}` }
      : nextRung({
          ...{ phase, seat, report, rungs: stumble.rungs, passed: stumble.passed, tiers: facts.tiers },
          others: record.seats.filter((other) => other.name !== seat.name),
          overBudget: facts.overBudget,
          canReplan: phase !== 'architect' && record.seats.some((one) => (one.phase ?? one.name) === 'architect'),
        });
  const moves = new Moves(view);
  const noted: FormationRecord = {
    ...withNotes(record, [escalationLine(phase, seat.name, next)]),
    stumbles: { ...record.stumbles, [phase]: { rungs: [...stumble.rungs, next.rung], passed: stumble.passed } },
  };
  const changed = take(moves, { ...stuck, record: noted }, seat, next, facts.now);
  const detail = { phase, rung: next.rung, why: next.why };
  moves.do((graph) => [recordEvent(graph, changed, 'formation_rung', { actor: COORDINATOR, detail })]);
  return moves.plan(next);
}

/** What a rung does to tasks; answers what the run remembers of it. */
function take(moves: Moves, stuck: Stuck, seat: SeatRecord, next: Climb, now: number): FormationRecord {
  const { record, phase, task, report } = stuck;
  switch (next.rung) {
    case 'clarify': {
      append(moves, task.id, `It asked for what is there. Read: ${next.context.join(', ')}.`);
      goOn(moves, task, next, now);
      return record;
    }
    case 're-tier': {
      edit(moves, task.id, { model: next.tier });
      goOn(moves, task, next, now);
      return seated(record, phase, { ...seat, tier: next.tier });
    }
    case 're-role': {
      const tools = next.minted && seat.tools !== undefined ? { tools: `${seat.tools}, ${TOOL_OF(next.owner)}` } : {};
      const owner: SeatRecord = next.minted
        ? { name: next.owner, minted: true, ...tools }
        : (record.seats.find((one) => one.name === next.owner) ?? { name: next.owner });
      edit(moves, task.id, {
        add_tags: [`seat:${next.owner}`],
        remove_tags: [`seat:${seat.name}`],
        ...(owner.tier === undefined ? {} : { model: owner.tier }),
      });
      append(moves, task.id, `${next.owner} takes over from ${seat.name}, who was stuck: ${quoted(report)}`);
      goOn(moves, task, next, now);
      return seated(record, phase, { ...owner, phase });
    }
    case 're-plan':
      return replan(moves, stuck, next, now);
    case 'user':
      return askPerson(moves, stuck, next, now);
  }
}

/** Of a minted role `dev-bash` the tool it was made for, as fields of rows write it. */
const TOOL_OF = (name: string) => {
  const word = name.slice(name.lastIndexOf('-') + 1);
  return word.charAt(0).toUpperCase() + word.slice(1);
};

/** Back to the architect: what later phases handed over counts no more, and their tasks are open again. */
function replan(moves: Moves, { record, phase, task, report }: Stuck, next: Climb, now: number): FormationRecord {
  const phases = record.seats.map((one) => one.phase ?? one.name);
  const from = phases.indexOf('architect');
  const later = phases.slice(from + 1);
  append(
    moves,
    stepId(record.run, 'architect'),
    `Plan again: ${phase} says that the contract is wrong. ${quoted(report)}`,
  );
  for (const one of [...later].reverse()) reopen(moves, stepId(record.run, one), next, now);
  for (const step of record.tasks) if (/-(?:check|brief)-/.test(step)) reopen(moves, step, next, now);
  reopen(moves, stepId(record.run, 'architect'), next, now);
  goOn(moves, task, next, now);
  const files = later.flatMap(handoffFiles);
  const stale = files.flatMap((file) => record.handoffs[file] ?? []);
  const handoffs = Object.fromEntries(Object.entries(record.handoffs).filter(([file]) => !files.includes(file)));
  return { ...record, handoffs, stale: [...new Set([...record.stale, ...stale])] };
}

/** A step of its own that a person does; what is stuck waits for it. */
function askPerson(moves: Moves, { record, phase, task, report }: Stuck, next: Climb, now: number): FormationRecord {
  const number = record.tasks.filter((id) => id.includes(`-decide-${phase}`)).length + 1;
  const id = stepId(record.run, `decide-${phase}${number === 1 ? '' : `-${number}`}`);
  const decide: NewTask = {
    id,
    title: `Decide: the ${phase} of ${record.run} is stuck`,
    description: [
      `Why a person is asked: ${inert(next.why)}`,
      ...(report === undefined
        ? [`Fix it and run \`troupe retry ${task.id}\`, or end the run: \`troupe formation stop ${record.run}\`.`]
        : [
            quoted(report),
            `\`troupe formation edit ${record.run} --steer "…"\` tells it what it should know; \`troupe done ${id}\` continues.`,
          ]),
    ].join('\n\n'),
    human: true,
    tags: [formationTag(record.run)],
    no_place: true,
  };
  moves.do((graph) => addTask(graph, decide, { now, actor: COORDINATOR }).events);
  if (task.status === 'waiting' && task.wait_condition !== undefined) {
    const { wait_condition: wait } = task;
    const conditions = [...wait.conditions, { type: 'task-status', task_id: id, status: 'done' }];
    moves.do(() => [
      {
        op: 'wait_progress',
        task_id: task.id,
        actor: COORDINATOR,
        patch: [{ id: task.id, set: { wait_condition: { ...wait, conditions } } }],
      },
    ]);
  }
  return { ...record, tasks: [...record.tasks, id] };
}

/** The report in a line or two, for texts that people and prompts show: what it holds is inert. */
function quoted(report: StumbleReport | undefined): string {
  if (report === undefined) return '';
  const { tried, why, needs, escalation } = report;
  const part = (title: string, text: string) => `${title}: ${inert(cutBytes(text, FORMATION_LIMITS.noteBytes))}`;
  return [part('Tried', tried), part('Why stuck', why), part('Needs', needs), part('Suggested', escalation)].join('\n');
}

function seated(record: FormationRecord, phase: string, seat: SeatRecord): FormationRecord {
  const seats = record.seats.map((one) => ((one.phase ?? one.name) === phase ? { ...seat, phase } : one));
  return { ...record, seats };
}

function edit(moves: Moves, id: string, change: Parameters<typeof editTask>[2]): void {
  if (moves.graph.task(id)) moves.do((graph) => editTask(graph, id, change, { by: { name: COORDINATOR } }).events);
}

function append(moves: Moves, id: string, text: string): void {
  const description = moves.graph.task(id)?.description ?? '';
  edit(moves, id, { description: cutBytes(`${description}\n\n${text}`, FORMATION_LIMITS.descriptionBytes) });
}

/** What waited is open again, for the next attempt. */
function goOn(moves: Moves, { id }: Task, { why }: Climb, now: number): void {
  const task = moves.graph.task(id);
  if (task?.status === 'waiting') moves.do((): EventDraft[] => [wake(task, why, { now, by: { name: COORDINATOR } })]);
}

/** What is over is open again; what waits or is open stays as it is. */
function reopen(moves: Moves, id: string, { why }: Climb, now: number): void {
  const status = moves.graph.task(id)?.status;
  if (status !== 'done' && status !== 'failed') return;
  moves.do((graph) => reopenTask(graph, id, { now, by: { name: COORDINATOR }, reason: why }).events);
}

/** The files that were handed over for a plan that is no more, by their names: to be put aside. */
export function staleFiles(record: FormationRecord): readonly string[] {
  const phases = record.seats.map((one) => one.phase ?? one.name);
  return phases.filter((phase) => !isPhase(phase) || phase !== 'architect').flatMap(handoffFiles);
}

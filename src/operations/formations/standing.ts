import * as z from 'zod/mini';
import { chainState } from '#core/formations/chain.js';
import { lossesOf } from '#core/formations/crew.js';
import { placeOf, runFolder } from '#core/formations/formation.js';
import { handoffFiles } from '#core/formations/handoffs.js';
import { changesOf } from '#core/formations/line-up.js';
import { panelLosses } from '#core/formations/panel.js';
import { heldBy, PENDING_KINDS, pendingOf } from '#core/formations/pending.js';
import type { FormationRecord } from '#core/formations/record.js';
import { sweepLosses } from '#core/formations/sweep.js';
import { HUMAN } from '#core/graph/assignee.js';
import { usageOf } from '#core/graph/attempts.js';
import { readiness, sayReason } from '#core/graph/ready.js';
import { SHOWN_STATES } from '#core/graph/status-look.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { LineUpCost } from './cost.js';

const text = z.optional(z.string());
const list = z.readonly(z.array(z.string()));

/** A run of a formation: its line-up, its steps, what was handed over, and who was asked for help. */
export const standingShape = z.object({
  run: z.string(),
  formation: z.enum(['crew', 'panel', 'sweep']),
  goal: z.string(),
  state: z.enum(['proposed', 'running', 'ended']),
  /** When it was proposed. */
  at: z.string(),
  outcome: text,
  options: z.record(z.string(), z.string()),
  folder: z.string(),
  seats: z.array(
    z.object({ name: z.string(), phase: text, tier: text, charter: z.string(), minted: z.boolean(), core: text }),
  ),
  /** What is lost with the default seats that were cut. */
  losses: list,
  steps: z.array(
    z.object({
      id: z.string(),
      step: z.string(),
      title: z.string(),
      status: z.string(),
      /** As people are shown it: an open one that may begin is ready. */
      state: z.enum(SHOWN_STATES),
      paused: z.boolean(),
      /** Of a phase or a seat: who sits there. */
      seat: text,
      phase: text,
      who: z.enum(['role', 'person', 'command']),
      rungs: z.optional(list),
      reason: text,
      /** Of one that is open: why it does not run. */
      why: text,
      started_at: text,
      completed_at: text,
      attempts: z.number(),
      usd: z.number(),
      tokens: z.number(),
    }),
  ),
  /** What a person has to do for it to go on, the most urgent first. */
  pending: z.array(z.object({ kind: z.enum(PENDING_KINDS), task: text, command: z.string() })),
  /** The step that failed, or was abandoned, where nothing goes on without it; what is pending says how it is taken again. */
  held: z.optional(z.object({ task: z.string(), reason: z.string() })),
  /** By all attempts at all steps. */
  spent: z.object({ usd: z.number(), tokens: z.number() }),
  files: z.array(z.object({ file: z.string(), phase: z.string(), state: z.enum(['handed-over', 'open']) })),
  notes: list,
  /** What comes after it, and what keeps that from coming. */
  chain: z.optional(z.object({ next: list, stopped: text })),
  /** Only before it begins. */
  cost: z.optional(z.object({ usd: z.number(), tokens: z.number(), over: text })),
});
export type FormationStanding = z.infer<typeof standingShape>;

/** What is lost with default seats that were cut. */
const LOSSES = { crew: lossesOf, panel: panelLosses, sweep: sweepLosses } as const;

/** How a run stands, from the graph alone. */
export function standingOf(
  view: GraphView,
  record: FormationRecord,
  now: number,
  cost?: LineUpCost,
): FormationStanding {
  const { run, formation, goal, state, at, outcome, options, seats, notes } = record;
  const chain = chainState(view, record);
  const tasks = record.tasks.flatMap((id) => view.task(id) ?? []);
  const held = heldBy(view, record, now);
  const steps = tasks.map((task) => stepOf(view, record, task, now));
  return {
    ...{ run, formation, goal, state, at, options, folder: runFolder(formation, run), notes },
    ...(outcome === undefined ? {} : { outcome }),
    ...(chain === undefined ? {} : { chain }),
    ...(held === undefined ? {} : { held: { ...held } }),
    seats: seats.map(({ name, phase, tier, charter, minted = false, core }) => ({
      ...{ name, minted, charter: charter ?? '' },
      ...(phase === undefined ? {} : { phase }),
      ...(tier === undefined ? {} : { tier }),
      ...(core === undefined ? {} : { core }),
    })),
    losses: LOSSES[formation](
      changesOf(
        record.defaults,
        seats.map((seat) => ({ name: seat.phase ?? seat.name })),
      ).cut,
    ),
    steps,
    pending: pendingOf(view, record, now).map(({ kind, task, command }) => ({
      ...{ kind, command },
      ...(task === undefined ? {} : { task }),
    })),
    spent: {
      usd: steps.reduce((sum, { usd }) => sum + usd, 0),
      tokens: steps.reduce((sum, { tokens }) => sum + tokens, 0),
    },
    files: filesOf(record, tasks),
    ...(cost === undefined
      ? {}
      : { cost: { usd: cost.usd, tokens: cost.tokens, ...(cost.over === undefined ? {} : { over: cost.over }) } }),
  };
}

function stepOf(view: GraphView, { run, state, stumbles }: FormationRecord, task: Task, now: number) {
  const step = task.id.slice(run.length + 1);
  const rungs = stumbles[step]?.rungs ?? [];
  const { seat } = placeOf(task.tags) ?? {};
  const phase = task.tags?.find((tag) => tag.startsWith('phase:'))?.slice('phase:'.length);
  const ready = state === 'running' && task.status === 'open' ? readiness(view, task.id, now) : undefined;
  const [why] = ready?.reasons ?? [];
  return {
    ...{ id: task.id, step, title: task.title, status: task.status, paused: task.paused === true },
    state: ready?.ready === true ? ('ready' as const) : task.status,
    ...(seat === undefined ? {} : { seat }),
    ...(phase === undefined ? {} : { phase }),
    who:
      HUMAN.of(task) === true
        ? ('person' as const)
        : task.exec_mode === 'shell'
          ? ('command' as const)
          : ('role' as const),
    ...(rungs.length > 0 ? { rungs } : {}),
    ...(task.failure_reason === undefined ? {} : { reason: task.failure_reason }),
    ...(why === undefined ? {} : { why: sayReason(why) }),
    ...(task.started_at === undefined ? {} : { started_at: task.started_at }),
    ...(task.completed_at === undefined ? {} : { completed_at: task.completed_at }),
    attempts: task.fence ?? 0,
    usd: usageOf(task, 'cost_usd'),
    tokens: usageOf(task, 'input_tokens') + usageOf(task, 'output_tokens'),
  };
}

/** What steps hand over, and whether they have: of a crew by what its gate remembers, else by what was registered. */
function filesOf(record: FormationRecord, tasks: readonly Task[]): FormationStanding['files'] {
  const { formation, run, seats, handoffs } = record;
  const stateOf = (over: boolean) => (over ? ('handed-over' as const) : ('open' as const));
  if (formation === 'crew')
    return seats.flatMap(({ name, phase = name }) =>
      handoffFiles(phase).map((file) => ({ file, phase, state: stateOf((handoffs[file] ?? '') !== '') })),
    );
  const folder = `${runFolder(formation, run)}/`;
  return tasks.flatMap(({ id, deliverables = [], artifacts = [] }) =>
    [...new Set([...deliverables, ...artifacts])]
      .filter((file) => file.startsWith(folder))
      .map((file) => ({
        file: file.slice(folder.length),
        phase: id.slice(run.length + 1),
        state: stateOf(artifacts.includes(file)),
      })),
  );
}

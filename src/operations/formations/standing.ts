import * as z from 'zod/mini';
import { HUMAN } from '#core/graph/assignee.js';
import { usageOf } from '#core/graph/attempts.js';
import { formatReadinessReason, readiness } from '#core/graph/ready.js';
import { SHOWN_STATES } from '#core/graph/status-look.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { chainState } from '#core/playbooks/chain.js';
import { lossesOf } from '#core/playbooks/crew.js';
import { placeOf, runFolder } from '#core/playbooks/formation.js';
import { handoffFiles } from '#core/playbooks/handoffs.js';
import { changesOf } from '#core/playbooks/line-up.js';
import { panelLosses } from '#core/playbooks/panel.js';
import { blockingStep, PENDING_KINDS, pendingOf } from '#core/playbooks/pending.js';
import type { FormationRecord } from '#core/playbooks/record.js';
import { formationRun } from '#core/playbooks/runs.js';
import { sweepLosses } from '#core/playbooks/sweep.js';
import type { LineUpCost } from './cost.js';

const text = z.optional(z.string());
const list = z.readonly(z.array(z.string()));

export const pendingShape = z.object({ kind: z.enum(PENDING_KINDS), task: text, command: z.string() });
/** The failed or abandoned step without which nothing continues; `pending` has the command that retries it. */
export const heldShape = z.object({ task: z.string(), reason: z.string() });

/** State of a formation run: its line-up, steps, handoffs, and requests for help. */
export const standingShape = z.object({
  run: z.string(),
  formation: z.enum(['crew', 'panel', 'sweep']),
  goal: z.string(),
  state: z.enum(['proposed', 'running', 'ended']),
  /** Time of its proposal. */
  at: z.string(),
  outcome: text,
  options: z.record(z.string(), z.string()),
  folder: z.string(),
  seats: z.array(
    z.object({ name: z.string(), phase: text, tier: text, charter: z.string(), minted: z.boolean(), core: text }),
  ),
  /** Losses for the default seats that were cut. */
  losses: list,
  steps: z.array(
    z.object({
      id: z.string(),
      step: z.string(),
      title: z.string(),
      status: z.string(),
      /** State for display: an open step that may begin is ready. */
      state: z.enum(SHOWN_STATES),
      paused: z.boolean(),
      /** Occupied seat, for a phase or seat. */
      seat: text,
      phase: text,
      who: z.enum(['role', 'person', 'command']),
      rungs: z.optional(list),
      reason: text,
      /** Reason why an open step does not run. */
      why: text,
      started_at: text,
      completed_at: text,
      attempts: z.number(),
      usd: z.number(),
      tokens: z.number(),
    }),
  ),
  /** Actions of a person that the run needs to continue, most urgent first. */
  pending: z.array(pendingShape),
  held: z.optional(heldShape),
  /** Total of all attempts at all steps. */
  spent: z.object({ usd: z.number(), tokens: z.number() }),
  files: z.array(z.object({ file: z.string(), phase: z.string(), state: z.enum(['handed-over', 'open']) })),
  notes: list,
  /** Following stages, and the failure that prevents them. */
  chain: z.optional(z.object({ next: list, stopped: text })),
  /** Only before the start. */
  cost: z.optional(z.object({ usd: z.number(), tokens: z.number(), over: text })),
});
export type FormationStanding = z.infer<typeof standingShape>;

/** Losses for cut default seats, by formation. */
const LOSSES = { crew: lossesOf, panel: panelLosses, sweep: sweepLosses } as const;

/** State of a run, from the graph alone. */
export function standingOf(
  view: GraphView,
  record: FormationRecord,
  now: number,
  cost?: LineUpCost,
): FormationStanding {
  const { run, formation, goal, state, at, outcome, options, seats, notes } = record;
  const chain = chainState(view, record);
  const playbookRun = formationRun(view, record);
  const { tasks } = playbookRun;
  const held = blockingStep(view, playbookRun, now);
  const steps = tasks.map((task) => stepOf(view, record, task, now));
  return {
    run,
    formation,
    goal,
    state,
    at,
    options,
    folder: runFolder(formation, run),
    notes,
    ...(outcome === undefined ? {} : { outcome }),
    ...(chain === undefined ? {} : { chain }),
    ...(held === undefined ? {} : { held: { ...held } }),
    seats: seats.map(({ name, phase, tier, charter, minted = false, core }) => ({
      name,
      minted,
      charter: charter ?? '',
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
    pending: pendingOf(view, playbookRun, now).map(({ kind, task, command }) => ({
      kind,
      command,
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
    id: task.id,
    step,
    title: task.title,
    status: task.status,
    paused: task.paused === true,
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
    ...(why === undefined ? {} : { why: formatReadinessReason(why) }),
    ...(task.started_at === undefined ? {} : { started_at: task.started_at }),
    ...(task.completed_at === undefined ? {} : { completed_at: task.completed_at }),
    attempts: task.fence ?? 0,
    usd: usageOf(task, 'cost_usd'),
    tokens: usageOf(task, 'input_tokens') + usageOf(task, 'output_tokens'),
  };
}

/** Expected files and whether they were handed over: for a crew from its record, else from registered artifacts. */
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

import * as z from 'zod/mini';
import { chainState } from '#core/formations/chain.js';
import { handoffFiles, lossesOf } from '#core/formations/crew.js';
import { runFolder } from '#core/formations/formation.js';
import { changesOf } from '#core/formations/line-up.js';
import { panelLosses } from '#core/formations/panel.js';
import type { FormationRecord } from '#core/formations/record.js';
import { sweepLosses } from '#core/formations/sweep.js';
import { HUMAN } from '#core/graph/assignee.js';
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
      status: z.string(),
      paused: z.boolean(),
      who: z.enum(['role', 'person', 'command']),
      rungs: z.optional(list),
      reason: text,
    }),
  ),
  files: z.array(z.object({ file: z.string(), phase: z.string(), state: z.enum(['handed-over', 'open']) })),
  notes: list,
  /** What comes after it, and what keeps that from coming. */
  chain: z.optional(z.object({ next: list, stopped: text })),
  /** Only before it begins. */
  cost: z.optional(z.object({ usd: z.number(), tokens: z.number(), over: text })),
});
export type Standing = z.infer<typeof standingShape>;

/** What is lost with default seats that were cut. */
const LOSSES = { crew: lossesOf, panel: panelLosses, sweep: sweepLosses } as const;

/** How a run stands, from the graph alone. */
export function standingOf(view: GraphView, record: FormationRecord, cost?: LineUpCost): Standing {
  const { run, formation, goal, state, outcome, options, seats, handoffs, stumbles, notes } = record;
  const crew = formation === 'crew';
  const chain = chainState(view, record);
  const phases = seats.map((seat) => seat.phase ?? seat.name);
  return {
    ...{ run, formation, goal, state, options, folder: runFolder(formation, run), notes },
    ...(outcome === undefined ? {} : { outcome }),
    ...(chain === undefined ? {} : { chain }),
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
    steps: record.tasks.flatMap((id) => {
      const task = view.task(id);
      if (!task) return [];
      const step = id.slice(run.length + 1);
      const rungs = stumbles[step]?.rungs ?? [];
      const reason = task.failure_reason;
      return [
        {
          ...{ id, step, status: task.status, paused: task.paused === true },
          who:
            HUMAN.of(task) === true
              ? ('person' as const)
              : task.exec_mode === 'shell'
                ? ('command' as const)
                : ('role' as const),
          ...(rungs.length > 0 ? { rungs } : {}),
          ...(reason === undefined ? {} : { reason }),
        },
      ];
    }),
    files: crew
      ? phases.flatMap((phase) =>
          handoffFiles(phase).map((file) => ({
            file,
            phase,
            state: handoffs[file] === undefined || handoffs[file] === '' ? ('open' as const) : ('handed-over' as const),
          })),
        )
      : [],
    ...(cost === undefined
      ? {}
      : { cost: { usd: cost.usd, tokens: cost.tokens, ...(cost.over === undefined ? {} : { over: cost.over }) } }),
  };
}

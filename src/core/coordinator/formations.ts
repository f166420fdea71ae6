import { Ledger } from '#core/coordinator/budget.js';
import {
  type RungHelp,
  rungOfFailed,
  type StuckPhase,
  staleFiles,
  stuckPhases,
  takeRung,
} from '#core/playbooks/climb.js';
import { type HandIn, passPhase, unrecordedPhases } from '#core/playbooks/hand-in.js';
import { OVER_BUDGET } from '#core/playbooks/ladder.js';
import {
  activeRuns,
  type FormationRecord,
  isFormationOver,
  recordOf,
  type StumbleReport,
} from '#core/playbooks/record.js';
import { endEvent, formationOutcome, withNotes } from '#core/playbooks/run-moves.js';
import { ErrandKind } from './errand.js';
import type { BaseDecision, Part, Tick } from './tick.js';

/** Facts for escalating stuck phases of crews. */
export interface WithFormations {
  /** Models of the default client from the cheapest to the most expensive; empty if their order is unknown. */
  readonly tiers: readonly string[];
}

/** Help for a stuck role, found among the present roles of the repository. */
interface FoundHelp {
  readonly of: 'help';
  readonly help: RungHelp;
}

export const HELP = new ErrandKind<FoundHelp>('help');

/** A stuck phase that reported a reason. */
export type Stumbled = StuckPhase & { readonly report: StumbleReport };

/** A run that is over was recorded in its lane and its log. */
export interface KeptRun {
  readonly of: 'formation';
}

/** Handoff of a phase that did not end by a run of Troupe. */
interface SeenHandIn {
  readonly of: 'hand-in';
  readonly handIn: HandIn;
}

export const LOOK = new ErrandKind<SeenHandIn>('hand-in');

export const KEEP_RUN = new ErrandKind<KeptRun>('formation');

type FormationDecision = BaseDecision &
  (
    | /** Searches the roles of the repository for help for a stuck role. */ {
        readonly do: 'look-for-help';
        readonly key: string;
        readonly stuck: Stumbled;
        readonly tiers: readonly string[];
      }
    | /** Applies the next rung for a stuck role. */ {
        readonly do: 'climb';
        readonly key: string;
        readonly record: FormationRecord;
        /** Files of a plan that no longer holds. */
        readonly stale: readonly string[];
      }
    | /** Records the outcome of a run; a later pass receives the result. */ {
        readonly do: 'keep-run';
        readonly key: string;
        readonly record: FormationRecord;
      }
    | { readonly do: 'end-run'; readonly key: string }
    | /** Reads the handoff of a phase that was done by other means than a run, by a person for example. */ {
        readonly do: 'look-hand-in';
        readonly key: string;
        readonly task: string;
      }
    | { readonly do: 'note-hand-in'; readonly key: string }
  );

type FormationTick = Tick<WithFormations, FormationDecision>;

export const formations: Part<WithFormations, FormationDecision> = {
  none: { tiers: [] },
  decide: (tick) => {
    look(tick);
    help(tick);
    end(tick);
  },
};

/**
 * Phase 2.96: applies the next rung to stuck roles. The cost is linear in the seats of active runs, and zero without
 * one.
 */
function help(tick: FormationTick): void {
  const { graph, now } = tick;
  for (const { record, phase } of [...stuckPhases(graph)]) {
    // Read again for each phase: an earlier rung may have reopened it.
    const stuck = [...stuckPhases(graph)].find((one) => one.phase === phase && one.record.run === record.run);
    if (!stuck) continue;
    const key = HELP.key(stuck.task.id, stuck.task.fence ?? 0, record.stumbles[phase]?.rungs.length ?? 0);
    const found = helpFor(tick, stuck, key);
    if (!found) continue;
    const plan = takeRung(graph, stuck, found, now);
    const stale = plan.result.rung === 're-plan' ? staleFiles(record) : [];
    const reason = `The ${phase} of ${record.run} is stuck: ${plan.result.rung}, ${plan.result.why}`;
    tick.want({ do: 'climb', key, record, stale, reason, events: tick.act(plan) });
  }
}

/** Undefined while the roles are being searched. */
function helpFor(tick: FormationTick, stuck: StuckPhase, key: string): RungHelp | undefined {
  const { facts } = tick;
  const { report } = stuck;
  const asked = (why: string): RungHelp => ({ climb: { rung: 'user', why }, relief: {} });
  if (report === undefined) return { climb: rungOfFailed(stuck.task), relief: {} };
  const ledger = facts.budget && new Ledger(facts.budget);
  if (ledger?.refusal(stuck.task) !== undefined) return asked(OVER_BUDGET);
  const answer = HELP.answer(facts.errands, key);
  if (answer) return answer.of === 'help' ? answer.help : asked(`nobody could be looked for: ${answer.text}`);
  if (!facts.errands.underWay.has(key)) {
    const reason = `The ${stuck.phase} of ${stuck.record.run} is stuck`;
    tick.want({ do: 'look-for-help', key, stuck: { ...stuck, report }, tiers: facts.tiers, reason, events: [] });
  }
  return undefined;
}

/** Records the handoffs of phases that are done and have none recorded. */
function look(tick: FormationTick): void {
  const { graph, facts } = tick;
  for (const task of [...unrecordedPhases(graph)]) {
    const key = LOOK.key(task.id, String(task.fence ?? 0), task.completed_at ?? '');
    const answer = LOOK.answer(facts.errands, key);
    if (answer) {
      const handIn = answer.of === 'hand-in' ? answer.handIn : { handoffs: {} };
      const events = tick.act({ events: passPhase(graph, task, task.completed_at ?? '', handIn), result: undefined });
      tick.want({ do: 'note-hand-in', key, reason: `What ${task.id} handed over is remembered`, events });
    } else if (!facts.errands.underWay.has(key))
      tick.want({ do: 'look-hand-in', key, task: task.id, reason: `${task.id} is done`, events: [] });
  }
}

/**
 * Ends runs whose tasks are all terminal: first their outcome is recorded in the lane, then in the graph. After a crash
 * in between the lane is told again, but counts it once.
 */
function end(tick: FormationTick): void {
  const { graph, facts, now } = tick;
  for (const run of activeRuns(graph)) {
    const record = recordOf(graph, run);
    if (record?.state !== 'running' || !isFormationOver(graph, record)) continue;
    const key = KEEP_RUN.key(run);
    const answer = KEEP_RUN.answer(facts.errands, key);
    const outcome = formationOutcome(graph, record);
    if (answer) {
      const noted =
        answer.of === 'formation' ? record : withNotes(record, [`gate-events: not written down: ${answer.text}`]);
      const event = endEvent(graph, noted, outcome, { now, actor: 'coordinator' });
      tick.want({
        do: 'end-run',
        key,
        reason: `${run} has ended: ${outcome}`,
        events: tick.act({ events: [event], result: undefined }),
      });
    } else if (!facts.errands.underWay.has(key))
      tick.want({
        do: 'keep-run',
        key,
        record: { ...record, outcome },
        reason: `${run} has ended: ${outcome}`,
        events: [],
      });
  }
}

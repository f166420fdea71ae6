import { Ledger } from '#core/coordinator/budget.js';
import { climb, staleFiles, stuckPhases } from '#core/formations/climb.js';
import { type HandIn, passPhase, unseenPhases } from '#core/formations/hand-in.js';
import { activeRuns, type FormationRecord, isOver, recordOf } from '#core/formations/record.js';
import { endEvent, outcomeOf, withNotes } from '#core/formations/run-moves.js';
import { ErrandKind } from './errand.js';
import type { BaseDecision, Part, Tick } from './tick.js';

/** What the ladder of a crew climbs by. */
export interface WithFormations {
  /** Names of models from the cheapest to the dearest, of the client that does tasks; none where no order of them is known. */
  readonly tiers: readonly string[];
}

/** A run is over: its lane counts it and its log has its entry. */
export interface KeptRun {
  readonly of: 'formation';
}

/** What a phase handed over that no run of ours ended. */
interface SeenHandIn {
  readonly of: 'hand-in';
  readonly handIn: HandIn;
}

export const LOOK = new ErrandKind<SeenHandIn>('hand-in');

export const KEEP_RUN = new ErrandKind<KeptRun>('formation');

type FormationDecision = BaseDecision &
  (
    | /** A role is stuck, and this is who helps. */ {
        readonly do: 'climb';
        readonly record: FormationRecord;
        /** Files for a plan that is no more. */
        readonly stale: readonly string[];
      }
    | /** What became of a run is written down; a later round hears of it. */ {
        readonly do: 'keep-run';
        readonly key: string;
        readonly record: FormationRecord;
      }
    | { readonly do: 'end-run'; readonly key: string }
    | /** A phase is done by other means than a run of ours, a person for one: what it handed over is looked at. */ {
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

/** Phase 2.96: roles that are stuck get the next rung. Costs the seats of the runs under way, and nothing where there is none. */
function help(tick: FormationTick): void {
  const { graph, facts, now } = tick;
  for (const { record, phase } of [...stuckPhases(graph)]) {
    // Each as it stands now: the rung before may have opened it again.
    const stuck = [...stuckPhases(graph)].find((one) => one.phase === phase && one.record.run === record.run);
    if (!stuck) continue;
    const ledger = facts.budget && new Ledger(facts.budget);
    const overBudget = ledger?.refusal(stuck.task) !== undefined;
    const plan = climb(graph, stuck, { now, tiers: facts.tiers, overBudget });
    const stale = plan.result.rung === 're-plan' ? staleFiles(record) : [];
    const reason = `The ${phase} of ${record.run} is stuck: ${plan.result.rung}, ${plan.result.why}`;
    tick.want({ do: 'climb', record, stale, reason, events: tick.act(plan) });
  }
}

/** Phases that are done and of which nothing is remembered. */
function look(tick: FormationTick): void {
  const { graph, facts } = tick;
  for (const task of [...unseenPhases(graph)]) {
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

/** A run is over when its tasks are: first its lane is told, then the graph says so. A crash in between tells it twice, and it counts once. */
function end(tick: FormationTick): void {
  const { graph, facts, now } = tick;
  for (const run of activeRuns(graph)) {
    const record = recordOf(graph, run);
    if (record?.state !== 'running' || !isOver(graph, record)) continue;
    const key = KEEP_RUN.key(run);
    const answer = KEEP_RUN.answer(facts.errands, key);
    const outcome = outcomeOf(graph, record);
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

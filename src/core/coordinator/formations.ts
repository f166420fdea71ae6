import { Ledger } from '#core/coordinator/budget.js';
import { climb, type Help, rungOfFailed, type Stuck, staleFiles, stuckPhases } from '#core/formations/climb.js';
import { type HandIn, passPhase, unseenPhases } from '#core/formations/hand-in.js';
import { OVER_BUDGET } from '#core/formations/ladder.js';
import {
  activeRuns,
  type FormationRecord,
  isFormationOver,
  recordOf,
  type StumbleReport,
} from '#core/formations/record.js';
import { endEvent, formationOutcome, withNotes } from '#core/formations/run-moves.js';
import { ErrandKind } from './errand.js';
import type { BaseDecision, Part, Tick } from './tick.js';

/** What the ladder of a crew climbs by. */
export interface WithFormations {
  /** Names of models from the cheapest to the dearest, of the client that does tasks; none where no order of them is known. */
  readonly tiers: readonly string[];
}

/** Who would help a role that is stuck, by the roles of the repository as they are now. */
interface FoundHelp {
  readonly of: 'help';
  readonly help: Help;
}

export const HELP = new ErrandKind<FoundHelp>('help');

/** A phase that is stuck and says why. */
export type Stumbled = Stuck & { readonly report: StumbleReport };

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
    | /** A role is stuck: the roles of the repository are looked through for who helps. */ {
        readonly do: 'look-for-help';
        readonly key: string;
        readonly stuck: Stumbled;
        readonly tiers: readonly string[];
      }
    | /** A role is stuck, and this is who helps. */ {
        readonly do: 'climb';
        readonly key: string;
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
  const { graph, now } = tick;
  for (const { record, phase } of [...stuckPhases(graph)]) {
    // Each as it stands now: the rung before may have opened it again.
    const stuck = [...stuckPhases(graph)].find((one) => one.phase === phase && one.record.run === record.run);
    if (!stuck) continue;
    const key = HELP.key(stuck.task.id, stuck.task.fence ?? 0, record.stumbles[phase]?.rungs.length ?? 0);
    const found = helpFor(tick, stuck, key);
    if (!found) continue;
    const plan = climb(graph, stuck, found, now);
    const stale = plan.result.rung === 're-plan' ? staleFiles(record) : [];
    const reason = `The ${phase} of ${record.run} is stuck: ${plan.result.rung}, ${plan.result.why}`;
    tick.want({ do: 'climb', key, record, stale, reason, events: tick.act(plan) });
  }
}

/** Undefined while the roles are looked through. */
function helpFor(tick: FormationTick, stuck: Stuck, key: string): Help | undefined {
  const { facts } = tick;
  const { report } = stuck;
  const asked = (why: string): Help => ({ climb: { rung: 'user', why }, relief: {} });
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

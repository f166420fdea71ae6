import * as z from 'zod/mini';
import { inputText, keptInput, type StageInput } from '#core/playbooks/chain.js';
import { formationRunId, type Seat } from '#core/playbooks/formation.js';
import {
  checkedRounds,
  compilePanel,
  defaultPanel,
  namedPanel,
  PANEL_STYLES,
  type PanelStyle,
} from '#core/playbooks/panel.js';
import type { FormationRecord, SeatRecord } from '#core/playbooks/record.js';
import { tiersOf } from '#core/playbooks/tiers.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { loadSettings } from '#operations/load-settings.js';
import { operation } from '#operations/operation.js';
import { ACCEPT_LINE_UP } from '#operations/options.js';
import { plainLetters } from '#operations/plain-letters.js';
import { loadRoles } from '#operations/roles/load-roles.js';
import { proposeRun } from './propose.js';
import { withNextStage } from './stages.js';
import { standingShape } from './standing.js';

/**
 * Proposes a panel for a goal: its line-up, and its paused tasks. With `yes`, the line-up is accepted if the budget
 * covers it.
 */
export const panel = operation({
  name: 'formation.panel',
  command: 'panel',
  group: 'Plans',
  kind: 'write',
  summary: 'Have a panel decide a question: independent seats, then one decision',
  examples: [
    'troupe panel "drop the queue?"',
    'troupe panel "move to SQLite" --seats operator,maintainer --style adversarial --rounds 2',
  ],
  input: z.strictObject({
    goal: argument('What to decide', z.string().check(z.minLength(1), z.maxLength(TEAM_LIMITS.goalCharacters))),
    seats: option('The seats, three to six; the skeptic is always included', z.optional(z.array(z.string())), {
      value: 'NAMES',
    }),
    style: option('How notes lead to a decision (default: swarm)', z.optional(z.enum(PANEL_STYLES)), {
      value: 'STYLE',
    }),
    rounds: option('Rounds before the decision, 1 to 4 (default: 1)', z.optional(z.number()), { value: 'N' }),
    yes: ACCEPT_LINE_UP,
  }),
  output: standingShape,
  async run(context: WorkContext & MachineContext, { goal, yes, ...wish }) {
    return await proposePanel(context, { goal, ...wish, stages: [], input: undefined }, yes === true);
  },
});

/** Parameters of a panel. */
export interface PanelRequest {
  readonly goal: string;
  readonly seats?: readonly string[] | undefined;
  readonly style?: PanelStyle | undefined;
  readonly rounds?: number | undefined;
  /** Stages that follow in a chain. */
  readonly stages: readonly string[];
  /** Output of the previous stage. */
  readonly input: StageInput | undefined;
}

export async function proposePanel(context: WorkContext & MachineContext, wish: PanelRequest, accepted: boolean) {
  const { style = 'swarm', stages, input } = wish;
  const rounds = checkedRounds(wish.rounds);
  const goal = checkedGoal(wish.goal, 'panel');
  const registry = await loadRoles(context);
  const usual = defaultPanel(registry, goal);
  const seats =
    wish.seats === undefined
      ? usual
      : namedPanel(
          registry,
          wish.seats.map((name) => ({ name })),
        );
  const { settings } = await loadSettings(context);
  const tiers = tiersOf(settings.coordinator.executor);
  const now = context.clock.now();
  const run = formationRunId(await plainLetters(goal), new Date(now), sha256(context.freshId()).slice(0, 4));
  const question = input === undefined ? goal : `${goal}\n\nDecide based on the research: ${inputText(input)}`;
  const record: FormationRecord = {
    formation: 'panel',
    run,
    goal: question,
    state: 'proposed',
    at: timestamp(now),
    tasks: [],
    seats: seats.map((seat) => seatRecordOf(seat, tiers[0])),
    options: { style, rounds: String(rounds), ...(stages.length > 0 ? { stages: stages.join(',') } : {}) },
    kept: { subject: goal, ...keptInput(input) },
    defaults: usual.map(({ name }) => name),
    stumbles: {},
    notes: [],
    handoffs: {},
    stale: [],
    judged: {},
  };
  const compiled = compilePanel(question, seats, { run, style, rounds, tiers });
  return await proposeRun(context, record, withNextStage(compiled, record), accepted);
}

/** The goal on one line. Errors: `bad_input` if it is empty. */
export function checkedGoal(said: string, kind: string): string {
  const goal = said.replace(/\s+/g, ' ').trim();
  if (goal === '') throw new TroupeError('bad_input', { what: `A ${kind} needs a goal.` });
  return goal;
}

/** A seat for the record of the run; `usual` is its default model. */
export function seatRecordOf(seat: Seat, usual: string | undefined): SeatRecord {
  const { name, row, core, minted } = seat;
  const tier = seat.tier ?? usual;
  const charter = core?.charter || row?.fields.get('charter') || row?.fields.get('lens') || row?.fields.get('angle');
  return {
    name,
    ...(charter ? { charter } : {}),
    ...(core === undefined ? {} : { core: core.name }),
    ...(tier === undefined ? {} : { tier }),
    ...(minted ? { minted: true } : {}),
  };
}

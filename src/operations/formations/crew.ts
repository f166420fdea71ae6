import * as z from 'zod/mini';
import { keptInput, type StageInput } from '#core/playbooks/chain.js';
import {
  CREW_MODES,
  type CrewMode,
  type CrewSeat,
  categoryOf,
  charterOf,
  compileCrew,
  defaultCrew,
  namedCrew,
  PHASES,
} from '#core/playbooks/crew.js';
import { formationRunId } from '#core/playbooks/formation.js';
import { checkedSeats } from '#core/playbooks/line-up.js';
import type { FormationRecord, SeatRecord } from '#core/playbooks/record.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { ACCEPT_LINE_UP } from '#operations/options.js';
import { plainLetters } from '#operations/plain-letters.js';
import { loadRoles } from '#operations/roles/load-roles.js';
import { proposeRun } from './propose.js';
import { standingShape } from './standing.js';

/**
 * Proposes a crew for a goal: its line-up, and its paused tasks. With `yes`, the line-up is accepted if the budget
 * covers it.
 */
export const crew = operation({
  name: 'formation.crew',
  command: 'crew',
  group: 'Plans',
  kind: 'write',
  summary: 'Have a crew deliver a goal: architect, dev, qa, deployer, in sequence',
  examples: ['troupe crew "add CSV export"', 'troupe crew "fix the login" --seats dev,qa --mode autopilot --yes'],
  input: z.strictObject({
    goal: argument('What to deliver', z.string().check(z.minLength(1), z.maxLength(TEAM_LIMITS.goalCharacters))),
    seats: option('The seats, in this order; default: the four phases', z.optional(z.array(z.string())), {
      value: 'NAMES',
    }),
    mode: option(
      'Person reviews only the release, after each phase (default), or before each',
      z.optional(z.enum(CREW_MODES)),
      { value: 'MODE' },
    ),
    yes: ACCEPT_LINE_UP,
  }),
  output: standingShape,
  async run(context: WorkContext & MachineContext, { yes, ...wish }) {
    return await proposeCrew(context, { ...wish, input: undefined }, yes === true);
  },
});

/** Parameters of a crew. */
export interface CrewRequest {
  readonly goal: string;
  readonly seats?: readonly string[] | undefined;
  readonly mode?: CrewMode | undefined;
  /** Output of the previous stage. */
  readonly input: StageInput | undefined;
}

export async function proposeCrew(context: WorkContext & MachineContext, wish: CrewRequest, accepted: boolean) {
  const { seats: names, mode = 'checkpoint', input } = wish;
  const goal = wish.goal.replace(/\s+/g, ' ').trim();
  if (goal === '') throw new TroupeError('bad_input', { what: 'A crew needs a goal.' });
  const registry = await loadRoles(context);
  const seats =
    names === undefined
      ? defaultCrew(registry, goal)
      : namedCrew(registry, checkedSeats(names.map((name) => ({ name }))));
  const now = context.clock.now();
  const run = formationRunId(await plainLetters(goal), new Date(now), sha256(context.freshId()).slice(0, 4));
  const record: FormationRecord = {
    formation: 'crew',
    run,
    goal,
    state: 'proposed',
    at: timestamp(now),
    seats: seats.map(seatRecord),
    tasks: [],
    kept: keptInput(input),
    options: { mode, category: categoryOf(goal) },
    defaults: PHASES,
    stumbles: {},
    notes: [],
    handoffs: {},
    judged: {},
    stale: [],
  };
  return await proposeRun(context, record, compileCrew(goal, seats, { run, mode }), accepted);
}

/** A seat for the record of the run. */
export function seatRecord(seat: CrewSeat): SeatRecord {
  const field = (key: string) => seat.row?.fields.get(key);
  const [tools, owns] = [field('tools'), field('owns')];
  return {
    name: seat.name,
    phase: seat.phase,
    charter: charterOf(seat, seat.phase),
    ...(seat.core === undefined ? {} : { core: seat.core.name }),
    ...(seat.tier === undefined ? {} : { tier: seat.tier }),
    ...(tools === undefined ? {} : { tools }),
    ...(owns === undefined ? {} : { owns }),
    ...(seat.minted ? { minted: true } : {}),
  };
}

export function modeOf({ options }: FormationRecord): CrewMode {
  return CREW_MODES.find((mode) => mode === options['mode']) ?? 'checkpoint';
}

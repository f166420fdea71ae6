import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { isJsonObject, type JsonObject, parseJsonObject } from '#kernel/json.js';
import { lineOf, pinsIn } from './crew-line.js';
import { type HandoffRecord, NO_RECORD } from './handoffs.js';
import { CREW_LINE } from './phases.js';
import type { FormationRecord, SeatRecord, Stumble } from './record.js';
import { RUNGS } from './rungs.js';
import { tiersOf } from './tiers.js';

/**
 * State of a crew run for places without access to the graph: the hook of a client, and the check of a task. Derived
 * from the graph, and stored in a small file beside it.
 */
export interface GateRecord extends HandoffRecord {
  /** State according to the coordinator; undefined without a record, or from an older version. */
  readonly state: FormationRecord['state'] | undefined;
  /** Seats with the data the ladder needs; the name of a row may differ from its phase. */
  readonly seats: readonly (SeatRecord & { readonly phase: string })[];
  readonly stumbles: Readonly<Record<string, Pick<Stumble, 'rungs' | 'passed' | 'answered'>>>;
  /** Models of the client in use, cheapest first. */
  readonly tiers: readonly string[];
}

/** Default for a run without a record. */
export const NO_GATE_RECORD: GateRecord = {
  ...NO_RECORD,
  state: undefined,
  seats: CREW_LINE.map(({ name }) => ({ name, phase: name })),
  stumbles: {},
  // Claude, the client that has such hooks.
  tiers: tiersOf('claude'),
};

/** Folder of the records, from the root of the project. */
export const GATE_RECORDS = FROM_PROJECT.formations;

/** File of a record, from the root of the project. */
export const gateRecordFile = (run: string): string => `${GATE_RECORDS}/${run}.json`;

export function gateRecordText(
  { state, seats, handoffs, judged, stumbles }: GateKept,
  tiers: readonly string[],
): string {
  const sitting = seats.map((seat) => ({ ...seat, phase: seat.phase ?? seat.name }));
  const stumbled = Object.entries(stumbles).map(([phase, { rungs, passed, answered }]) => [
    phase,
    { rungs, passed, answered },
  ]);
  return `${JSON.stringify({ state, seats: sitting, handoffs, judged, stumbles: Object.fromEntries(stumbled), tiers })}\n`;
}

type GateKept = Pick<FormationRecord, 'state' | 'seats' | 'handoffs' | 'judged' | 'stumbles'>;

/** Parses such a file; undefined if it is invalid. */
export function gateRecordIn(text: string): GateRecord | undefined {
  const { state, seats: list, judged, handoffs = {}, stumbles = {}, tiers } = parseJsonObject(text) ?? {};
  if (!Array.isArray(list) || !isJsonObject(judged) || !isJsonObject(handoffs)) return undefined;
  const seats = list.flatMap((seat: unknown) => seatIn(seat) ?? []);
  if (seats.length !== list.length || seats.length === 0) return undefined;
  return {
    state: STATES.find((one) => one === state),
    line: lineOf(seats),
    accepted: pinsIn(textsIn(handoffs)),
    judged: new Map(Object.entries(textsIn(judged))),
    seats,
    stumbles: isJsonObject(stumbles) ? stumblesIn(stumbles) : {},
    tiers: Array.isArray(tiers) ? tiers.filter((tier) => typeof tier === 'string') : NO_GATE_RECORD.tiers,
  };
}

function seatIn(seat: unknown): GateRecord['seats'][number] | undefined {
  const { name, phase, core, tier, tools, owns } = isJsonObject(seat) ? textsIn(seat) : {};
  if (name === undefined || phase === undefined) return undefined;
  const said = Object.entries({ core, tier, tools, owns }).filter(([, value]) => value !== undefined);
  return { name, phase, ...Object.fromEntries(said) };
}

function stumblesIn(stumbles: JsonObject): GateRecord['stumbles'] {
  return Object.fromEntries(
    Object.entries(stumbles).flatMap(([phase, stumble]) => {
      if (!isJsonObject(stumble)) return [];
      const { rungs, passed, answered } = stumble;
      const { sha256, rung: name, why } = isJsonObject(answered) ? textsIn(answered) : {};
      const rung = RUNGS.find((one) => one === name);
      return [
        [
          phase,
          {
            rungs: RUNGS.filter((one) => Array.isArray(rungs) && rungs.includes(one)),
            passed: Array.isArray(passed) ? passed.filter((count) => typeof count === 'number') : [],
            ...(sha256 !== undefined && rung !== undefined && why !== undefined
              ? { answered: { sha256, rung, why } }
              : {}),
          },
        ],
      ];
    }),
  );
}

const STATES = ['proposed', 'running', 'ended'] as const satisfies readonly FormationRecord['state'][];

const textsIn = (pairs: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(pairs).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));

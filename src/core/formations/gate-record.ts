import { isJsonObject, type JsonObject, parseJsonObject } from '#kernel/json.js';
import { lineOf, pinsIn } from './crew-line.js';
import { CREW_LINE, type HandoffRecord, NO_RECORD } from './handoffs.js';
import type { FormationRecord } from './record.js';

/**
 * What is known of a run of a crew where there is no graph to be read: in the hook of a client, and in the check of a task. It is kept
 * in a small file beside the graph, and derived from it.
 */
export interface GateRecord extends HandoffRecord {
  /** Where the coordinator has it; undefined where nothing is kept, or by a version that did not say. */
  readonly state: FormationRecord['state'] | undefined;
  /** Who sits where: a row may have another name than its phase. */
  readonly seats: readonly { readonly name: string; readonly phase: string }[];
}

/** Of a run of which nothing is kept. */
export const NO_GATE_RECORD: GateRecord = {
  ...NO_RECORD,
  state: undefined,
  seats: CREW_LINE.map(({ name }) => ({ name, phase: name })),
};

/** Where the records lie, from the top of the project. */
export const GATE_RECORDS = '.workgraph/formations';

/** Where it lies, from the top of the project. */
export const gateRecordFile = (run: string): string => `${GATE_RECORDS}/${run}.json`;

export function gateRecordText({
  state,
  seats,
  handoffs,
  judged,
}: Pick<FormationRecord, 'state' | 'seats' | 'handoffs' | 'judged'>): string {
  const sitting = seats.map(({ name, phase = name }) => ({ name, phase }));
  return `${JSON.stringify({ state, seats: sitting, handoffs, judged })}\n`;
}

/** What such a file says; undefined of anything else. */
export function gateRecordIn(text: string): GateRecord | undefined {
  const { state, seats: list, judged, handoffs = {} } = parseJsonObject(text) ?? {};
  if (!Array.isArray(list) || !isJsonObject(judged) || !isJsonObject(handoffs)) return undefined;
  const seats = list.flatMap((seat: unknown) => {
    const { name, phase } = isJsonObject(seat) ? seat : {};
    return typeof name === 'string' && typeof phase === 'string' ? [{ name, phase }] : [];
  });
  if (seats.length !== list.length || seats.length === 0) return undefined;
  return {
    state: STATES.find((one) => one === state),
    line: lineOf(seats),
    accepted: pinsIn(textsIn(handoffs)),
    judged: new Map(Object.entries(textsIn(judged))),
    seats,
  };
}

const STATES = ['proposed', 'running', 'ended'] as const satisfies readonly FormationRecord['state'][];

const textsIn = (pairs: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(pairs).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));

import { isJsonObject, type JsonObject, parseJsonObject } from '#kernel/json.js';
import { lineOf, pinsIn } from './crew-line.js';
import { CREW_LINE, type HandoffRecord, NO_RECORD } from './handoffs.js';
import type { FormationRecord } from './record.js';

/**
 * What is known of a run of a crew where there is no graph to be read: in the hook of a client, and in the check of a task. It is kept
 * in a small file beside the graph, and derived from it.
 */
export interface GateRecord extends HandoffRecord {
  /** Who sits where: a row may have another name than its phase. */
  readonly seats: readonly { readonly name: string; readonly phase: string }[];
}

/** Of a run of which nothing is kept. */
export const NO_GATE_RECORD: GateRecord = { ...NO_RECORD, seats: CREW_LINE.map(({ name }) => ({ name, phase: name })) };

/** Where it lies, from the top of the project. */
export const gateRecordFile = (run: string): string => `.workgraph/formations/${run}.json`;

export function gateRecordText({
  seats,
  handoffs,
  judged,
}: Pick<FormationRecord, 'seats' | 'handoffs' | 'judged'>): string {
  return `${JSON.stringify({ seats: seats.map(({ name, phase = name }) => ({ name, phase })), handoffs, judged })}\n`;
}

/** What such a file says; undefined of anything else. */
export function gateRecordIn(text: string): GateRecord | undefined {
  const { seats: list, judged, handoffs = {} } = parseJsonObject(text) ?? {};
  if (!Array.isArray(list) || !isJsonObject(judged) || !isJsonObject(handoffs)) return undefined;
  const seats = list.flatMap((seat: unknown) => {
    const { name, phase } = isJsonObject(seat) ? seat : {};
    return typeof name === 'string' && typeof phase === 'string' ? [{ name, phase }] : [];
  });
  if (seats.length !== list.length || seats.length === 0) return undefined;
  return {
    line: lineOf(seats),
    accepted: pinsIn(textsIn(handoffs)),
    judged: new Map(Object.entries(textsIn(judged))),
    seats,
  };
}

const textsIn = (pairs: JsonObject): Record<string, string> =>
  Object.fromEntries(Object.entries(pairs).filter((pair): pair is [string, string] => typeof pair[1] === 'string'));

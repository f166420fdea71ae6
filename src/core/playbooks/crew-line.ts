import { type HandoffRecord, handoffFile } from './handoffs.js';
import type { Phase } from './phases.js';
import type { FormationRecord } from './record.js';

/** Phases of a run in order, each with its handoff file. */
export function lineOf(seats: readonly { readonly name: string; readonly phase?: string | undefined }[]): Phase[] {
  return seats.map(({ name, phase = name }) => ({ name: phase, file: handoffFile(phase) }));
}

/** Data the gate needs besides the files of the run. */
export function handoffRecordOf(record: FormationRecord): HandoffRecord {
  return {
    line: lineOf(record.seats),
    accepted: pinsIn(record.handoffs),
    judged: new Map(Object.entries(record.judged)),
  };
}

/** Accepted files with their hashes. A phase without a handoff is recorded with an empty hash. */
export function pinsIn(handoffs: FormationRecord['handoffs']): ReadonlyMap<string, string> {
  return new Map(Object.entries(handoffs).filter(([, hash]) => hash !== ''));
}

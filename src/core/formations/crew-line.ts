import { type HandoffRecord, handoffFile } from './handoffs.js';
import type { Phase } from './phases.js';
import type { FormationRecord } from './record.js';

/** The phases of a run in their order, each with the file it hands on. */
export function lineOf(seats: readonly { readonly name: string; readonly phase?: string | undefined }[]): Phase[] {
  return seats.map(({ name, phase = name }) => ({ name: phase, file: handoffFile(phase) }));
}

/** What the gate has to know of a run beside its files. */
export function handoffRecordOf(record: FormationRecord): HandoffRecord {
  return {
    line: lineOf(record.seats),
    accepted: pinsIn(record.handoffs),
    judged: new Map(Object.entries(record.judged)),
  };
}

/** The accepted files with their hashes. A phase that handed on nothing is remembered with an empty one. */
export function pinsIn(handoffs: FormationRecord['handoffs']): ReadonlyMap<string, string> {
  return new Map(Object.entries(handoffs).filter(([, hash]) => hash !== ''));
}

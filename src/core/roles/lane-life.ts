import type { Lane, RowStatus, RunCounts } from './lane.js';
import { NO_RUNS } from './run-counts.js';

/** Result of a seat in one run. `neither` is not counted. */
export type SeatResult = 'clean' | 'thin' | 'cut' | 'neither';

/** A phase of a crew is clean if it passed its gate at the first attempt. */
export function crewResult(phase: { passed: boolean; rejections: number; escalations: number }): SeatResult {
  return phase.passed && phase.rejections === 0 && phase.escalations === 0 ? 'clean' : 'neither';
}

/** A seat of a panel is clean if the decision adopted something from it. */
export function panelResult(seat: { adopted: number; steelman: boolean }): SeatResult {
  return seat.adopted > 0 || seat.steelman ? 'clean' : 'neither';
}

/**
 * A scout is clean if enough of its entries were kept and none was fabricated; thin if it stays below the floor after
 * its second attempt.
 */
export function researchResult(slice: { entries: number; floor: number; fabricated: number }): SeatResult {
  if (slice.entries < slice.floor) return 'thin';
  return slice.fabricated === 0 ? 'clean' : 'neither';
}

const CLEAN_RUNS = 3;
const CUTS = 3;
const THIN_RUNS = { demoted: 2, retired: 3 } as const;

export interface RowState {
  readonly status: RowStatus;
  readonly runs: RunCounts;
}

/** State of a row after a run, with the reason for a change of status. */
export interface RowStep extends RowState {
  readonly why?: string;
}

/** Next state of a row. Only counts decide, no model's opinion. A retired row does not change. */
export function afterRun(lane: Lane, { status, runs }: RowState, result: SeatResult): RowStep {
  if (status === 'retired' || result === 'neither') return { status, runs };
  if (result === 'cut') {
    const cuts = runs.cuts + 1;
    const isRetired = lane === 'research' && cuts >= CUTS;
    return { ...(isRetired ? retired(`${cuts} cuts`) : { status }), runs: { ...runs, cuts } };
  }
  if (result === 'thin') {
    const thin = runs.thin + 1;
    if (lane === 'research' && thin >= THIN_RUNS.retired)
      return { ...retired(`${thin} thin runs in a row`), runs: { ...runs, thin } };
    if (lane === 'research' && status === 'stable' && thin >= THIN_RUNS.demoted)
      // Its clean runs start again from 0: it has to prove itself again.
      return {
        status: 'probationary',
        runs: { ...runs, clean: 0, thin },
        why: `probationary after ${thin} thin runs in a row`,
      };
    return { status, runs: { ...runs, thin } };
  }
  const clean = runs.clean + 1;
  const next = { ...runs, clean, thin: 0 };
  return status === 'probationary' && clean >= CLEAN_RUNS
    ? { status: 'stable', runs: next, why: `stable after ${clean} clean runs` }
    : { status, runs: next };
}

const retired = (after: string) => ({ status: 'retired', why: `retired after ${after}` }) as const;

/** Clean runs missing until a row is stable; undefined if the number of runs cannot make it so. */
export function cleanRunsLeft({ status, runs }: RowState): number | undefined {
  return status === 'probationary' ? Math.max(1, CLEAN_RUNS - runs.clean) : undefined;
}

/** Whether it was cut so often that a person should consider retiring it. Research rows retire automatically. */
export function isUnwanted(lane: Lane, { status, runs }: RowState): boolean {
  return lane !== 'research' && status !== 'retired' && runs.cuts >= CUTS;
}

/** State of a row that was taken out of retirement. */
export const REVIVED: RowState = { status: 'probationary', runs: NO_RUNS };

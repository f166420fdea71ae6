import type { Lane, RowStatus, RunCounts } from './lane.js';
import { NO_RUNS } from './run-counts.js';

/** How a seat did in one run. `neither` counts for nothing. */
export type SeatResult = 'clean' | 'thin' | 'cut' | 'neither';

/** A phase of a crew is clean when it passed its gate at the first go. */
export function crewResult(phase: { passed: boolean; rejections: number; escalations: number }): SeatResult {
  return phase.passed && phase.rejections === 0 && phase.escalations === 0 ? 'clean' : 'neither';
}

/** A seat of a panel is clean when something of it went into the decision. */
export function panelResult(seat: { adopted: number; steelman: boolean }): SeatResult {
  return seat.adopted > 0 || seat.steelman ? 'clean' : 'neither';
}

/** A scout is clean when enough of what it brought was left and nothing of it made up; below the floor, after its second try, it is thin. */
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

/** Where a run leaves a row, and why its status is another now. */
export interface RowStep extends RowState {
  readonly why?: string;
}

/** Only counts decide: what a model thinks of a role is not asked. A retired row stays as it is. */
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
      // It has to show itself again, so its clean runs begin anew.
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

/** Clean runs that are missing until a row is stable; undefined where no number of them makes it so. */
export function cleanRunsLeft({ status, runs }: RowState): number | undefined {
  return status === 'probationary' ? Math.max(1, CLEAN_RUNS - runs.clean) : undefined;
}

/** Was it cut so often that a person should think about retiring it? Research retires by itself. */
export function isUnwanted(lane: Lane, { status, runs }: RowState): boolean {
  return lane !== 'research' && status !== 'retired' && runs.cuts >= CUTS;
}

/** A row that somebody takes back begins again. */
export const REVIVED: RowState = { status: 'probationary', runs: NO_RUNS };

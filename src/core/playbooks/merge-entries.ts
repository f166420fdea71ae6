import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';
import { countUp } from '#kernel/numbers.js';
import { foldedText } from './folded-text.js';
import type { RejectedEntry, ScoutEntry, ScoutReport, ThinCause } from './scout-entries.js';

/** A remaining entry with all slices it came from; it counts for the first. */
export interface MergedEntry extends ScoutEntry {
  readonly provenance: readonly Provenance[];
}

export interface Provenance {
  readonly slice: string;
  /** Id in that slice. */
  readonly id: string;
}

/** A slice with fewer entries than required. */
export interface ThinSlice {
  readonly slice: string;
  readonly entries: number;
  /** `slice-thin`: the source is exhausted. `agent-thin`: the scout did not find enough. */
  readonly kind: 'slice-thin' | 'agent-thin';
  /** Cause given by its scout; `not-said` if none was given. */
  readonly cause: ThinCause | 'not-said';
}

export interface MergedSweep {
  readonly entries: readonly MergedEntry[];
  readonly rejected: readonly RejectedEntry[];
  /** Number of entries by slice that other slices had as well. */
  readonly duplicates: ReadonlyMap<string, number>;
  readonly thin: readonly ThinSlice[];
}

/**
 * Merges the entries of all scouts. Entries with the same id, or the same title and source ignoring case and spacing,
 * are one: the first in the order of slices is kept, with the provenance of the others.
 */
export function mergeScouts(reports: readonly ScoutReport[]): MergedSweep {
  const kept: { entry: ScoutEntry; provenance: Provenance[] }[] = [];
  const byKey = new Map<string, (typeof kept)[number]>();
  const duplicates = new Map<string, number>();
  for (const entry of reports.flatMap(({ entries }) => entries)) {
    const keys = [`id ${entry.id}`, `title ${foldedText(entry.title)}\n${foldedText(entry.source)}`];
    const origin = { slice: entry.slice, id: entry.id };
    const same = keys.map((key) => byKey.get(key)).find((other) => other !== undefined);
    if (same) {
      same.provenance.push(origin);
      countUp(duplicates, entry.slice);
    }
    const target = same ?? { entry, provenance: [origin] };
    if (!same) kept.push(target);
    for (const key of keys) if (!byKey.has(key)) byKey.set(key, target);
  }
  const entries = kept.map(({ entry, provenance }) => ({ ...entry, provenance }));
  return {
    entries,
    rejected: reports.flatMap(({ rejected }) => rejected),
    duplicates,
    thin: [...new Set(reports.map(({ slice }) => slice))].flatMap((slice) => {
      // The latest report that gives a cause.
      const cause = reports.findLast((report) => report.slice === slice && report.thin !== undefined)?.thin;
      return thinness(slice, cause, entries) ?? [];
    }),
  };
}

function thinness(slice: string, said: ThinCause | undefined, entries: readonly MergedEntry[]): ThinSlice | undefined {
  const count = entries.filter((entry) => entry.slice === slice).length;
  if (count >= SWEEP_LIMITS.floor) return undefined;
  const cause = said ?? 'not-said';
  return { slice, entries: count, kind: cause === 'source-exhausted' ? 'slice-thin' : 'agent-thin', cause };
}

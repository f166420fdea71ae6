import * as z from 'zod/mini';
import { readEventLines, type UnparsedLine } from './file-change.js';
import { HISTORY_EVENTS } from './squad-paths.js';

const text = z.string().check(z.maxLength(1_000));
const names = z.array(text).check(z.maxLength(1_000));

/** One line of `history.events.jsonl`: the result of one confirmation. */
export const snapshotSchema = z.object({
  snapshotId: z.optional(text),
  proposalId: z.optional(text),
  universe: z.string().check(z.minLength(1), z.maxLength(300)),
  mode: z.optional(z.enum(['Scenario', 'FreeText', 'Analysis', 'Manual'])),
  intent: z.optional(z.enum(['New', 'Augment', 'Recast'])),
  members: names,
  addedMembers: z.optional(names),
  retiredMembers: z.optional(names),
  leader: z.optional(text),
  createdAt: text,
  by: z.optional(text),
  /** Additional fields of another tool, kept unchanged. */
  x: z.optional(z.record(z.string(), z.unknown())),
});
export type CastSnapshot = z.infer<typeof snapshotSchema>;

export interface CastHistory {
  /** In file order. */
  readonly snapshots: readonly CastSnapshot[];
  /** Universes in the order of their first use. */
  readonly usage: readonly string[];
  readonly badLines: readonly UnparsedLine[];
}

export function rebuildHistory(events: string | undefined): CastHistory {
  const { events: snapshots, badLines } = readEventLines(events, HISTORY_EVENTS, 'snapshotId', (value) => {
    const parsed = snapshotSchema.safeParse(value);
    return parsed.success ? parsed.data : undefined;
  });
  const usage = new Map<string, string>();
  for (const { universe } of byTime(snapshots)) {
    if (!usage.has(universe.toLowerCase())) usage.set(universe.toLowerCase(), universe);
  }
  return { snapshots, usage: [...usage.values()], badLines };
}

/** Returns the snapshot that describes the current team. */
export function latestSnapshot(history: CastHistory): CastSnapshot | undefined {
  return byTime(history.snapshots).at(-1);
}

export function firstSnapshot(history: CastHistory): CastSnapshot | undefined {
  return byTime(history.snapshots)[0];
}

/** Renders `history.json` from the events. */
export function renderHistory(history: CastHistory): string {
  return `${JSON.stringify({ snapshots: history.snapshots, universeUsageHistory: history.usage }, null, 2)}\n`;
}

/** Sorts by time. Invalid times sort as the oldest; equal ones keep file order. */
function byTime(snapshots: readonly CastSnapshot[]): CastSnapshot[] {
  const moment = (snapshot: CastSnapshot) => Date.parse(snapshot.createdAt) || 0;
  return [...snapshots].sort((left, right) => moment(left) - moment(right));
}

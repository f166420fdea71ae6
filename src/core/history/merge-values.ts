import type { LogEntry } from '#core/graph/task.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';

/** What both sides added stays, what either removed goes; ours comes first, in its order. */
export function mergedList(base: unknown, ours: unknown, theirs: unknown): string[] {
  const [before, left, right] = [textsOf(base), textsOf(ours), textsOf(theirs)];
  const [known, kept] = [new Set(before), new Set(right)];
  const mine = left.filter((item) => kept.has(item) || !known.has(item));
  const present = new Set([...left, ...before]);
  return [...new Set([...mine, ...right.filter((item) => !present.has(item))])];
}

/** Both sides' entries, each once, by time; equal times keep the order they had, ours first. */
export function mergedLog(ours: unknown, theirs: unknown): LogEntry[] {
  const left = logOf(ours);
  const unpaired = new Map<string, number>();
  for (const entry of left) {
    const text = textOf(entry);
    unpaired.set(text, (unpaired.get(text) ?? 0) + 1);
  }
  const added = logOf(theirs).filter((entry) => {
    const text = textOf(entry);
    const count = unpaired.get(text) ?? 0;
    if (count > 0) unpaired.set(text, count - 1);
    return count === 0;
  });
  return byTime([...left, ...added]);
}

export function byTime(log: readonly LogEntry[]): LogEntry[] {
  return [...log].sort((left, right) => timeOrZero(left) - timeOrZero(right));
}

function timeOrZero(entry: LogEntry): number {
  const time = Date.parse(entry.timestamp);
  return Number.isNaN(time) ? 0 : time;
}

/** Of each number the larger one: what was counted on both sides was counted at least so often. */
export function mergedCounters(ours: unknown, theirs: unknown): JsonObject | undefined {
  if (!isJsonObject(ours) || !isJsonObject(theirs)) return undefined;
  const merged: JsonObject = { ...theirs, ...ours };
  for (const [key, value] of Object.entries(theirs)) {
    const mine = ours[key];
    if (typeof value === 'number' && typeof mine === 'number') merged[key] = Math.max(value, mine);
  }
  return merged;
}

function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

export function logOf(value: unknown): readonly LogEntry[] {
  return Array.isArray(value) ? (value.filter((item) => isJsonObject(item)) as unknown as LogEntry[]) : [];
}

function textOf(entry: LogEntry): string {
  return JSON.stringify([entry.timestamp, entry.actor ?? '', entry.message]);
}

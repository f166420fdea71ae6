import type { RunCounts } from './lane.js';

export const NO_RUNS: RunCounts = { clean: 0, thin: 0, cuts: 0 };

const COUNT = /^(clean|thin|cuts) (\d{1,6})$/;

/** Parses `runs:`; undefined if it is malformed. Omitted counts are 0. */
export function readCounts(text: string): RunCounts | undefined {
  const counts = { ...NO_RUNS };
  for (const part of text.split(',').map((word) => word.trim().replace(/[ \t]+/g, ' '))) {
    if (part === '') continue;
    const [, name, count] = COUNT.exec(part) ?? [];
    if (name === undefined) return undefined;
    counts[name as keyof RunCounts] = Number(count);
  }
  return counts;
}

export const countsText = ({ clean, thin, cuts }: RunCounts): string => `clean ${clean}, thin ${thin}, cuts ${cuts}`;

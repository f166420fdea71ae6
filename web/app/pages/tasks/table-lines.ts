import type { PictureAnswer } from '#surfaces/http/contract.js';

export type Line =
  | { readonly kind: 'task'; readonly key: string; readonly number: number }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly value: string | undefined;
      readonly count: number;
      readonly folded: boolean;
    };

export interface Lines {
  readonly count: number;
  at(index: number): Line;
  /** Number of the first task at or after a line. */
  firstTaskAt(index: number): number;
}

/** Lines of the table: each group is a heading with its tasks, unless it is folded. Costs the groups, not the tasks. */
export function linesOf({ total, groups }: PictureAnswer, folded: ReadonlySet<string>): Lines {
  if (groups === undefined)
    return {
      count: total,
      at: (index) => ({ kind: 'task', key: `${index}`, number: index }),
      firstTaskAt: (index) => index,
    };
  const parts: { readonly head: Extract<Line, { kind: 'group' }>; readonly line: number; readonly task: number }[] = [];
  let [line, task] = [0, 0];
  for (const { value, count } of groups) {
    const key = `group ${value ?? ''}`;
    const isFolded = folded.has(key);
    parts.push({ head: { kind: 'group', key, value, count, folded: isFolded }, line, task });
    line += 1 + (isFolded ? 0 : count);
    task += count;
  }
  const partAt = (index: number) => {
    let [low, high] = [0, parts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((parts[middle]?.line ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return parts[low];
  };
  return {
    count: line,
    at: (index) => {
      const part = partAt(index);
      if (part === undefined || part.line === index)
        return part?.head ?? { kind: 'task', key: `${index}`, number: index };
      const number = part.task + index - part.line - 1;
      return { kind: 'task', key: `${number}`, number };
    },
    firstTaskAt: (index) => {
      const part = partAt(index);
      return part === undefined ? 0 : part.task + Math.max(0, index - part.line - 1);
    },
  };
}

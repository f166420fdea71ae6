import * as z from 'zod/mini';
import { isGeneratedPath } from '#core/review/samples.js';
import { compareText } from '#kernel/order.js';

export const hotspotShape = z.object({
  file: z.string(),
  /** Commits that touched the file. */
  commits: z.number(),
  /** Lines added and removed by them. */
  churn: z.number(),
  /** Current lines of the file. */
  lines: z.number(),
  authors: z.number(),
});
export type Hotspot = z.infer<typeof hotspotShape>;

interface Touch {
  commits: number;
  churn: number;
  readonly authors: Set<string>;
}

/** Prefix of each commit in the log format of `hotspots`. */
export const COMMIT_MARK = '\u0001';

/**
 * Parses `git log --numstat -z --no-renames --format=%x01%an <%ae>`. Commits of bots are left out: they apply decisions
 * made elsewhere. With `-z`, paths are verbatim, and each entry ends with NUL; binary files have `-` for both numbers.
 */
export function churnFrom(log: string): { commits: number; touched: Map<string, Touch> } {
  const touched = new Map<string, Touch>();
  let commits = 0;
  let author = '';
  for (const piece of log.split('\0')) {
    let rest = piece;
    if (rest.startsWith(COMMIT_MARK)) {
      commits++;
      const end = rest.indexOf('\n');
      author = rest.slice(1, end === -1 ? undefined : end);
      rest = end === -1 ? '' : rest.slice(end + 1);
    }
    const match = /^\n*(\d+|-)\t(\d+|-)\t([\s\S]+)$/.exec(rest);
    if (!match?.[3] || isBot(author)) continue;
    const touch = touched.get(match[3]) ?? { commits: 0, churn: 0, authors: new Set<string>() };
    touch.commits++;
    touch.churn += (Number(match[1]) || 0) + (Number(match[2]) || 0);
    touch.authors.add(author);
    touched.set(match[3], touch);
  }
  return { commits, touched };
}

/**
 * Whether an author is a bot: `renovate[bot] <…>`, `release-bot <…>`, `PrometheusBot <…>`, but not a name that merely
 * ends in these letters.
 */
function isBot(author: string): boolean {
  return /\[bot\]|(^|[\s._-])bot(?=[\s._@>-]|$)/i.test(author) || /[a-z]Bot(?=[\s<]|$)/.test(author);
}

/** Files that are large and change often, by commits × lines, greatest first. Generated and lock files are excluded. */
export function hotspotsOf(touched: ReadonlyMap<string, Touch>, lines: ReadonlyMap<string, number>): Hotspot[] {
  const spots: Hotspot[] = [];
  for (const [file, touch] of touched) {
    const size = lines.get(file);
    if (size === undefined || size === 0 || isGeneratedPath(file)) continue;
    spots.push({ file, commits: touch.commits, churn: touch.churn, lines: size, authors: touch.authors.size });
  }
  return spots.sort((left, right) => heat(right) - heat(left) || compareText(left.file, right.file));
}

export function heat(spot: Hotspot): number {
  return spot.commits * spot.lines;
}

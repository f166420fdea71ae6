import { type Retired, retiredFrom } from '#core/graph/departed.js';
import { parseJsonObject } from '#kernel/json.js';

/** The graph after an entry, as it was packed: where a reader begins who need not know how it came to be. */
export interface GraphBase {
  /** A line for each node, by id. */
  readonly nodes: string;
  readonly retired: readonly Retired[];
  /** The highest number of a run; undefined where it was written down without one. */
  readonly lastRun: number | undefined;
}

/** Undefined for a text that is no base of this entry. */
export function parseBase(text: string, seq: number): GraphBase | undefined {
  const end = text.indexOf('\n');
  const head = parseJsonObject(text.slice(0, end));
  if (head?.['kind'] !== 'base' || head['seq'] !== seq) return undefined;
  const lastRun = typeof head['last_run'] === 'number' ? head['last_run'] : undefined;
  return { nodes: text.slice(end + 1), retired: retiredFrom(head['retired']), lastRun };
}

import { type Retired, retiredFrom } from '#core/graph/departed.js';
import { parseJsonObject } from '#kernel/json.js';

/** Packed graph after a log entry: lets a reader start there without replaying earlier entries. */
export interface GraphBase {
  /** One JSON line per node, ordered by id. */
  readonly nodes: string;
  readonly retired: readonly Retired[];
  /** Highest run number; undefined if the base was written without it. */
  readonly lastRun: number | undefined;
}

/** Parses a packed base. Returns undefined if the text is not the base of entry `seq`. */
export function parseBase(text: string, seq: number): GraphBase | undefined {
  const end = text.indexOf('\n');
  const head = parseJsonObject(text.slice(0, end));
  if (head?.['kind'] !== 'base' || head['seq'] !== seq) return undefined;
  const lastRun = typeof head['last_run'] === 'number' ? head['last_run'] : undefined;
  return { nodes: text.slice(end + 1), retired: retiredFrom(head['retired']), lastRun };
}

/** A row that needs a person, as far as grouping is concerned. */
export interface Groupable {
  readonly id: string;
  /** Reason without what differs from task to task; see `commonReason`. */
  readonly reason: string;
  /** The one act that helps; undefined if only a command does. */
  readonly act?: string | undefined;
}

/** Rows that need the same act for the same reason. */
export interface Alike<Row> {
  readonly act: string | undefined;
  readonly reason: string;
  readonly rows: readonly Row[];
}

/** Fewest rows that become a group: two are read as quickly as one heading. */
export const LEAST_ALIKE = 3;

/** Groups of rows with the same act and reason, in the order of their first rows. */
export function groupAlike<Row extends Groupable>(rows: readonly Row[]): readonly Alike<Row>[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.act ?? '', row.reason]);
    const others = groups.get(key);
    if (others) others.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike;
    return first === undefined || alike.length < LEAST_ALIKE
      ? []
      : [{ act: first.act, reason: first.reason, rows: alike }];
  });
}

/** A reason without names of runs, times and durations, which differ although the cause is the same. */
export function commonReason(reason: string): string {
  return reason
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'a time')
    .replace(/^agent-\d+: /, '')
    .replace(/\bagent-\d+\b/g, 'its run')
    .replace(/\b\d+(?:\.\d+)?(?:ms|s|m|h)\b(?: \d+(?:ms|s|m|h)\b)*/g, 'a while')
    .replace(/\s+/g, ' ')
    .trim();
}

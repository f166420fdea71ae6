/** A fault and its outcome. */
export interface Outcome {
  readonly name: string;
  /** Time until work continued without the struck part; undefined if it did not in time. */
  readonly recoveredMs: number | undefined;
  /** Maximum recovery time. */
  readonly mostMs: number;
  readonly lost: number;
  readonly endedTwice: number;
  readonly refused: number;
  /** Violations found. */
  readonly wrong: readonly string[];
}

const HEADINGS = ['fault', 'times', 'p50 s', 'p95 s', 'max s', 'late', 'stuck', 'lost', 'twice', 'refused', 'wrong'];

/** Table with a row per kind of fault, and one for all. */
export function tableOf(outcomes: readonly Outcome[]): string {
  const names = [...new Set(outcomes.map(({ name }) => name))].sort();
  const rows = [
    HEADINGS,
    ...names.map((name) =>
      rowOf(
        name,
        outcomes.filter((outcome) => outcome.name === name),
      ),
    ),
    rowOf('all', outcomes),
  ];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return `${rows.map(line).join('\n')}\n`;
}

function rowOf(name: string, outcomes: readonly Outcome[]): readonly string[] {
  const times = outcomes.flatMap(({ recoveredMs }) => recoveredMs ?? []).sort((left, right) => left - right);
  const at = (share: number) => seconds(times[Math.min(times.length - 1, Math.floor(times.length * share))]);
  const sum = (of: (outcome: Outcome) => number) => String(outcomes.reduce((total, outcome) => total + of(outcome), 0));
  return [
    ...[name, String(outcomes.length), at(0.5), at(0.95), seconds(times.at(-1))],
    sum(({ recoveredMs, mostMs }) => (recoveredMs !== undefined && recoveredMs > mostMs ? 1 : 0)),
    sum(({ recoveredMs }) => (recoveredMs === undefined ? 1 : 0)),
    ...[sum(({ lost }) => lost), sum(({ endedTwice }) => endedTwice), sum(({ refused }) => refused)],
    sum(({ wrong }) => wrong.length),
  ];
}

function seconds(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '–' : (milliseconds / 1_000).toFixed(1);
}

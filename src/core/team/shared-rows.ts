import type { Decision, Memory, WorkSession } from './memory.js';
import { contentHash, eventIdOf, type RecordOf, type SharedRecord } from './shared-record.js';
import { isLocal, type Standing, type StandingRows } from './standing-rows.js';

/** A record that counts, and what the row of it here was made from. */
export interface State {
  readonly record: SharedRecord;
  readonly source: string | undefined;
}

type Kind = SharedRecord['kind'];

/** Records as rows of a data base, each with a number of its own. */
export function rowsOf(states: readonly State[], eventIds: ReadonlySet<string>): StandingRows {
  const decisions = numbered(states, 'decision');
  const numbers = new Map(decisions.map(({ record, number }) => [record.id, number]));
  const sources = new Set<string>();
  return {
    decisions: decisions.map((one) => standing(one, decisionRow(one, numbers))),
    memories: numbered(states, 'memory').map((one) => standing(one, memoryRow(one))),
    sessions: numbered(states, 'session').map((one) => standing(one, sessionRow(one))),
  };

  function standing<Row extends object>({ record, source }: State, row: Row): Standing<Row & { source?: string }> {
    // Two rows may not have one source; of those that a merge brought together the first keeps it.
    const from = record.source ?? source;
    const own = from === undefined || sources.has(`${record.kind} ${from}`) ? {} : { source: from };
    if (from !== undefined) sources.add(`${record.kind} ${from}`);
    return {
      row: { ...row, ...own },
      id: record.id,
      rev: record.rev,
      sha256: contentHash(record),
      shared: eventIds.has(eventIdOf(record)),
    };
  }
}

interface Numbered<K extends Kind> {
  readonly record: RecordOf<K>;
  readonly source: string | undefined;
  readonly number: number;
}

/** By number. Who came first keeps a number that two have; the others get new ones, in the same order in every clone. */
function numbered<K extends Kind>(states: readonly State[], kind: K): Numbered<K>[] {
  const all = states.flatMap(({ record, source }) =>
    record.kind === kind ? [{ record: record as RecordOf<K>, source }] : [],
  );
  all.sort(
    (left, right) => Number(isLocal(left.source)) - Number(isLocal(right.source)) || inOrder(left.record, right.record),
  );
  let last = Math.max(0, ...all.map(({ record }) => record.number));
  const taken = new Set<number>();
  const rows = all.map(({ record, source }) => {
    const number = taken.has(record.number) ? ++last : record.number;
    taken.add(number);
    return { record, source, number };
  });
  return rows.sort((left, right) => left.number - right.number);
}

/** Who came first; of two at one time every clone takes the same one. */
export function inOrder(left: SharedRecord, right: SharedRecord): number {
  if (left.createdAt !== right.createdAt) return Date.parse(left.createdAt) - Date.parse(right.createdAt);
  return left.id < right.id ? -1 : 1;
}

function decisionRow({ record, number }: Numbered<'decision'>, numbers: ReadonlyMap<string, number>): Decision {
  const { type, title, content, rationale, agent, status, supersededBy, createdBy, createdAt } = record;
  const next = supersededBy === undefined ? undefined : numbers.get(supersededBy);
  return {
    ...{ number, type, title, content, rationale },
    ...(agent === undefined ? {} : { agent }),
    status,
    ...(next === undefined ? {} : { superseded_by: next }),
    ...{ created_by: createdBy, created_at: Date.parse(createdAt) },
  };
}

function memoryRow({ record, number }: Numbered<'memory'>): Memory {
  const { agent, type, importance, content, createdBy, createdAt } = record;
  return { number, agent, type, importance, content, created_by: createdBy, created_at: Date.parse(createdAt) };
}

function sessionRow({ record, number }: Numbered<'session'>): WorkSession {
  const { focus, context, createdBy, createdAt, endedAt } = record;
  return {
    ...{ number, focus, context, started_by: createdBy, started_at: Date.parse(createdAt) },
    ...(endedAt === undefined ? {} : { ended_at: Date.parse(endedAt) }),
  };
}

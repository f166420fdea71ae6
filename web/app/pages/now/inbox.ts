import { groupAlike } from '#core/insight/alike.js';
import type { Answer, NowAnswer, NowRow } from '#surfaces/http/contract.js';

export type ProblemRow = Answer<'analysis.problems'>['problems'][number];
export type RowAct = NonNullable<NowRow['acts']>[number];

/** One thing that needs a person: a task, tasks with one cause, a problem, merged work, decisions about roles. */
export type InboxEntry =
  | { readonly kind: 'task'; readonly key: string; readonly row: NowRow }
  | {
      readonly kind: 'group';
      readonly key: string;
      readonly act: RowAct;
      readonly state: NowRow['state'];
      readonly reason: string;
      /** Tasks that one act reaches, and the number of all. */
      readonly ids: readonly string[];
      readonly total: number;
      readonly since?: string | undefined;
      readonly rows: readonly NowRow[];
    }
  | { readonly kind: 'problem'; readonly key: string; readonly problem: ProblemRow }
  | { readonly kind: 'land'; readonly key: string; readonly commits: number }
  | { readonly kind: 'roles'; readonly key: string; readonly roles: NowAnswer['roles'] };

export interface Inbox {
  readonly entries: readonly InboxEntry[];
  /** Number of tasks, problems and decisions, each counted once. */
  readonly total: number;
}

/** Problems that keep everything else from going on: they come first. */
const FIRST: ReadonlySet<string> = new Set(['store', 'service', 'budget', 'executor']);
/** Problems that a row of the tasks, the clients or the merged work shows already. */
const SHOWN_ELSEWHERE: ReadonlySet<string> = new Set(['review', 'blocked', 'failed', 'client', 'unlanded', 'trust']);

/** All that needs a person, each once: what stops everything, then tasks as the server orders them, then the rest. */
export function inboxOf(now: NowAnswer, problems: readonly ProblemRow[]): Inbox {
  const rows = [...new Map(now.needs_you.rows.map((row) => [row.id, row])).values()];
  const tasks = withGroups(rows, now.alike);
  const known = new Set([...rows.map(({ id }) => id), ...now.alike.flatMap(({ ids }) => ids)]);
  const commands = new Set(rows.map(({ command }) => command));
  const others = problems.filter(
    ({ kind, task, command }) =>
      !SHOWN_ELSEWHERE.has(kind) && !commands.has(command) && (task === null || !known.has(task)),
  );
  const entriesOf = (part: readonly ProblemRow[]) => problemEntries(part);
  const entries: InboxEntry[] = [
    ...entriesOf(others.filter(({ kind }) => FIRST.has(kind))),
    ...tasks,
    ...(now.to_land > 0 ? [{ kind: 'land' as const, key: 'land', commits: now.to_land }] : []),
    ...entriesOf(others.filter(({ kind }) => !FIRST.has(kind))),
    ...(now.roles.total > 0 ? [{ kind: 'roles' as const, key: 'roles', roles: now.roles }] : []),
  ];
  const total = now.needs_you.total + others.length + (now.to_land > 0 ? 1 : 0) + now.roles.total;
  return { entries, total };
}

/** Puts each group in the place of its first row; a group without a row among these comes last. */
function withGroups(rows: readonly NowRow[], alike: NowAnswer['alike']): InboxEntry[] {
  const groupOf = new Map(alike.flatMap((group) => group.ids.map((id) => [id, group] as const)));
  const placed = new Set<NowAnswer['alike'][number]>();
  const entries = rows.flatMap((row): InboxEntry[] => {
    const group = groupOf.get(row.id);
    if (group === undefined) return [{ kind: 'task', key: row.id, row }];
    if (placed.has(group)) return [];
    placed.add(group);
    return [groupEntry(group, rows)];
  });
  return [...entries, ...alike.filter((group) => !placed.has(group)).map((group) => groupEntry(group, rows))];
}

function groupEntry(group: NowAnswer['alike'][number], rows: readonly NowRow[]): InboxEntry {
  const members = new Set(group.ids);
  const key = `${group.act} ${group.reason}`;
  return { kind: 'group', ...group, key, rows: rows.filter(({ id }) => members.has(id)) };
}

/** Problems of tasks with the same text and act are one entry, as failures with the same reason are. */
function problemEntries(problems: readonly ProblemRow[]): InboxEntry[] {
  const rows = problems.flatMap((problem) => {
    const [act] = problem.acts ?? [];
    return act === undefined || problem.task === null ? [] : [{ id: problem.task, act, reason: problem.text, problem }];
  });
  const groups = groupAlike(rows);
  const first = new Map(groups.map((group) => [group.rows[0]?.problem, group]));
  const grouped = new Set(groups.flatMap((group) => group.rows.map(({ problem }) => problem)));
  return problems.flatMap((problem): InboxEntry[] => {
    const group = first.get(problem);
    if (group !== undefined) {
      const ids = group.rows.map(({ id }) => id);
      const act = problem.acts?.[0];
      const { reason } = group;
      if (act !== undefined)
        return [
          { kind: 'group', key: `${act} ${reason}`, act, state: 'waiting', reason, ids, total: ids.length, rows: [] },
        ];
    }
    if (grouped.has(problem)) return [];
    return [{ kind: 'problem', key: `${problem.kind} ${problem.task ?? ''} ${problem.text}`, problem }];
  });
}

/** Order of a list that is in use: shown entries keep their places even after they are gone, and new ones come last. */
export function steadyOrder(shown: readonly string[], present: readonly string[]): readonly string[] {
  const known = new Set(shown);
  return [...shown, ...present.filter((key) => !known.has(key))];
}

import { useVirtualizer } from '@tanstack/react-virtual';
import { type ComponentType, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { playbookIn, type Sort, type TaskProperty } from '#core/insight/task-properties.js';
import { inert } from '#kernel/text.js';
import type { PictureAnswer, PicturedTask } from '#surfaces/http/contract.js';
import { resourceOf, useSteadyResource } from '../../data/resource.js';
import { addressOf, filterBy, useRoute } from '../../data/route.js';
import { absolute, elapsed, useNow } from '../../data/time.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { StatusWord } from '../../status/Status.js';
import { Empty } from './Empty.js';
import { FilterBar, PropertySelect } from './FilterBar.js';
import { GroupLabel } from './GroupLabel.js';
import { type Order, orderOf, propertyOf, queryOf } from './query.js';
import { type Line, linesOf } from './table-lines.js';
import './tasks.css';

/** Rows asked for at once: a window of them around what is in sight. */
const PAGE = 200;
const ROW_PX = 40;
const PHONE_ROW_PX = 60;

interface Column {
  /** Word by which the server sorts. */
  readonly sort: Sort;
  readonly label: string;
  readonly Cell: ComponentType<{ readonly task: PicturedTask }>;
}

const COLUMNS: readonly Column[] = [
  { sort: 'title', label: 'Task', Cell: Title },
  { sort: 'state', label: 'State', Cell: State },
  { sort: 'member', label: 'Member', Cell: ({ task }) => inert(task.member ?? '') },
  { sort: 'playbook', label: 'Playbook', Cell: ({ task }) => inert(playbookIn(task.tags) ?? '') },
  { sort: 'time', label: 'Time', Cell: Took },
  { sort: 'finished', label: 'Finished', Cell: Ended },
];

export default function TablePage() {
  const { filters } = useRoute();
  const [first, setFirst] = useState(0);
  const resource = useMemo(() => {
    const order = orderOf(filters);
    const by = propertyOf(filters?.['by']);
    return resourceOf('graph.picture', {
      ...queryOf(filters),
      ...(by === undefined ? {} : { by }),
      ...(order === undefined ? {} : { sort: order.sort, ...(order.descending ? { descending: true } : {}) }),
      offset: first,
      limit: 2 * PAGE,
    });
  }, [filters, first]);
  const { answer, error } = useSteadyResource(resource);
  return (
    <div className="tasks-page">
      <FilterBar total={answer?.total}>
        <PropertySelect field="by" label="Group by" none="No groups" />
      </FilterBar>
      {answer === undefined ? (
        error === undefined ? (
          <Skeleton rows={8} />
        ) : (
          <Failure error={error} />
        )
      ) : answer.total === 0 ? (
        <Empty what="Rows of tasks, sorted, grouped and filtered as you like," />
      ) : (
        <Rows answer={answer} first={first} onFirst={setFirst} />
      )}
    </div>
  );
}

interface RowsProps {
  readonly answer: PictureAnswer;
  /** Number of the first task in the answer. */
  readonly first: number;
  onFirst(first: number): void;
}

function Rows({ answer, first, onFirst }: RowsProps) {
  const { filters } = useRoute();
  const by = propertyOf(filters?.['by']);
  const place = useRef<HTMLElement>(null);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const lines = useMemo(() => linesOf(answer, folded), [answer, folded]);
  const isPhone = useNarrow();
  const virtual = useVirtualizer({
    count: lines.count,
    getScrollElement: () => place.current,
    estimateSize: () => (isPhone ? PHONE_ROW_PX : ROW_PX),
    overscan: 12,
    getItemKey: (index) => lines.at(index).key,
  });
  const items = virtual.getVirtualItems();
  // The window follows what is in sight, in steps of a page.
  const top = lines.firstTaskAt(items[0]?.index ?? 0);
  const wanted = Math.max(0, Math.floor((top - PAGE / 2) / PAGE) * PAGE);
  useEffect(() => {
    if (top < first + PAGE / 4 || top > first + PAGE) onFirst(wanted);
  }, [top, first, wanted, onFirst]);
  const order = orderOf(filters);
  const known = useKnown(answer, first);
  const shown = items.map((item) => ({ item, line: lines.at(item.index) }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className="task-table" ref={place} tabIndex={0} aria-label="Table of tasks" data-scrolls>
      <table aria-rowcount={lines.count + 1} className="task-grid">
        <caption className="unseen">Tasks</caption>
        <thead className="task-head">
          <tr aria-rowindex={1} className="task-line">
            {COLUMNS.map((column) => (
              <HeadCell key={column.sort} column={column} order={order} />
            ))}
          </tr>
        </thead>
        <tbody className="task-body" style={{ height: virtual.getTotalSize() }}>
          {shown.map(({ item, line }) => {
            const task = line.kind === 'task' ? known.get(line.number) : undefined;
            return (
              <tr
                key={item.key}
                aria-rowindex={item.index + 2}
                className={line.kind === 'group' ? 'task-line is-group' : 'task-line'}
                style={{ transform: `translateY(${item.start}px)`, height: item.size }}
              >
                {line.kind === 'group' ? (
                  <GroupLine line={line} by={by ?? 'state'} onToggle={() => setFolded(toggled(folded, line.key))} />
                ) : task === undefined ? (
                  <td className="bone" aria-label="Loading" />
                ) : (
                  COLUMNS.map(({ sort, Cell }) => (
                    <td key={sort} className={`task-cell is-${sort}`}>
                      <Cell task={task} />
                    </td>
                  ))
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

/** Tasks by their number, of this window and of those before: what was seen is not blank when it comes back. */
function useKnown(answer: PictureAnswer, first: number): ReadonlyMap<number, PicturedTask> {
  const known = useRef<{ by: string; tasks: Map<number, PicturedTask>; answer?: PictureAnswer }>({
    by: '',
    tasks: new Map(),
  });
  const by = `${answer.total} ${window.location.hash.replace(/[?&]task=[^&]*/, '')}`;
  if (known.current.by !== by) known.current = { by, tasks: new Map() };
  if (known.current.answer !== answer) {
    known.current.answer = answer;
    for (const [index, task] of answer.tasks.entries()) known.current.tasks.set(first + index, task);
  }
  return known.current.tasks;
}

const toggled = (set: ReadonlySet<string>, one: string): ReadonlySet<string> =>
  new Set(set.has(one) ? [...set].filter((other) => other !== one) : [...set, one]);

/** Sorts by its column: ascending, descending, and then by use again. */
function HeadCell({ column: { sort, label }, order }: { readonly column: Column; readonly order: Order | undefined }) {
  const sorted = order?.sort !== sort ? 'none' : order.descending ? 'descending' : 'ascending';
  const next = { none: sort, ascending: `-${sort}`, descending: undefined }[sorted];
  return (
    <th scope="col" className={`task-cell is-${sort}`} aria-sort={sorted}>
      <button type="button" onClick={() => filterBy({ sort: next })}>
        {label}
        <span className="sort-mark" aria-hidden="true">
          {{ none: '', ascending: '↑', descending: '↓' }[sorted]}
        </span>
      </button>
    </th>
  );
}

function GroupLine(props: {
  readonly line: Extract<Line, { kind: 'group' }>;
  readonly by: TaskProperty;
  onToggle(): void;
}) {
  const { line, by, onToggle } = props;
  return (
    <td className="task-group" colSpan={COLUMNS.length}>
      <button type="button" className="quiet" aria-expanded={!line.folded} onClick={onToggle}>
        <span aria-hidden="true">{line.folded ? '▸' : '▾'}</span> <GroupLabel by={by} value={line.value} />
        <span className="count">{line.count}</span>
      </button>
    </td>
  );
}

function Title({ task }: { readonly task: PicturedTask }) {
  const route = useRoute();
  return (
    <a data-row href={addressOf({ ...route, task: task.id })} title={inert(`${task.title}\n${task.id}`)}>
      {inert(task.title)}
    </a>
  );
}

function State({ task }: { readonly task: PicturedTask }) {
  return (
    <>
      <StatusWord state={task.state} live={task.live} check={task.check} />
      {task.reason === undefined ? null : (
        <span className="reason" title={inert(task.reason)}>
          {inert(task.reason)}
        </span>
      )}
      {task.worker === undefined ? null : <span className="reason">at {inert(task.worker)}</span>}
    </>
  );
}

/** Running time so far, or in total. Work in review has ended: its time is not known here. */
function Took({ task }: { readonly task: PicturedTask }) {
  const now = useNow();
  const end =
    task.completed_at === undefined ? (task.state === 'in-progress' ? now : undefined) : Date.parse(task.completed_at);
  if (task.started_at === undefined || end === undefined) return null;
  return <>{elapsed(task.started_at, end)}</>;
}

function Ended({ task }: { readonly task: PicturedTask }) {
  const now = useNow();
  if (task.completed_at === undefined) return null;
  return (
    <time dateTime={task.completed_at} title={absolute(task.completed_at)}>
      {elapsed(task.completed_at, now)} ago
    </time>
  );
}

const narrow = window.matchMedia('(max-width: 720px)');

function useNarrow(): boolean {
  return useSyncExternalStore(
    (changed) => {
      narrow.addEventListener('change', changed);
      return () => narrow.removeEventListener('change', changed);
    },
    () => narrow.matches,
  );
}

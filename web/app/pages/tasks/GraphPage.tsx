/**
 * Tasks as a board, a table and a graph. The server filters, sorts, groups and counts; a page holds what is in sight.
 * @packageDocumentation
 */
import { useMemo, useState } from 'react';
import { type BoxGrouping, GROUPINGS } from '#core/insight/task-properties.js';
import { plural } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { resourceOf, useSteadyResource } from '../../data/resource.js';
import { filterBy, useRoute } from '../../data/route.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { Empty } from './Empty.js';
import { FilterBar } from './FilterBar.js';
import { GraphCanvas } from './GraphCanvas.js';
import { HistoryBar } from './HistoryBar.js';
import { stageOf } from './history.js';
import { queryOf } from './query.js';
import { useMoment } from './useMoment.js';
import { usePast } from './usePast.js';
import './graph.css';
import './tasks.css';

export default function GraphPage() {
  const { filters, task } = useRoute();
  const by = GROUPINGS.find((candidate) => candidate === filters?.['group']) ?? 'auto';
  const critical = filters?.['critical'] === 'yes';
  const [open, setOpen] = useState<readonly string[]>([]);
  const input = useMemo(
    () => ({
      ...queryOf(filters),
      ...(by === 'auto' ? {} : { by }),
      ...(open.length === 0 ? {} : { open: [...open] }),
      ...(critical ? { critical } : {}),
      ...(task === undefined ? {} : { at: task }),
    }),
    [filters, by, open, critical, task],
  );
  const resource = useMemo(() => resourceOf('graph.boxes', input), [input]);
  const { answer, error } = useSteadyResource(resource);
  const [event, setEvent] = useMoment();
  const [playing, setPlaying] = useState(false);
  const grouped = answer?.by;
  const earlier = useMemo(
    () => (event === undefined ? undefined : { ...input, ...(grouped === undefined ? {} : { by: grouped }), event }),
    [input, grouped, event],
  );
  const past = usePast(earlier);
  const shown = past.answer ?? answer;
  const stage = useMemo(
    () => (answer === undefined || past.answer === undefined ? undefined : stageOf(answer.boxes, past.answer.boxes)),
    [answer, past.answer],
  );
  const goThen = (to: number | undefined) => {
    setPlaying(false);
    setEvent(to);
  };
  const toggle = (id: string) => setOpen(open.includes(id) ? open.filter((other) => other !== id) : [...open, id]);
  return (
    <div className="tasks-page">
      <FilterBar total={shown?.total}>
        <GroupBy by={by} />
        <button
          type="button"
          className={critical ? 'choice is-picked' : 'choice'}
          aria-pressed={critical}
          onClick={() => filterBy({ critical: critical ? undefined : 'yes' })}
        >
          Critical path
          {critical && shown?.critical_path !== undefined ? (
            <span className="choice-picked">{lengthOf(shown.critical_path)}</span>
          ) : null}
        </button>
        <button
          type="button"
          className={event === undefined ? 'choice' : 'choice is-picked'}
          aria-pressed={event !== undefined}
          disabled={answer === undefined || answer.seq === 0}
          onClick={() => goThen(event === undefined ? answer?.seq : undefined)}
        >
          History
        </button>
      </FilterBar>
      {event === undefined ? null : (
        <HistoryBar
          moment={past.answer?.moment}
          event={event}
          last={answer?.seq ?? event}
          playing={playing}
          onPlay={setPlaying}
          onGo={setEvent}
          onNow={() => goThen(undefined)}
        />
      )}
      {event === undefined || past.error === undefined ? null : <Failure error={past.error} />}
      {shown === undefined ? (
        error === undefined ? (
          <Skeleton rows={8} />
        ) : (
          <Failure error={error} />
        )
      ) : shown.total === 0 && shown.moment !== undefined ? (
        <p className="muted tasks-none">No task was there then.</p>
      ) : shown.total === 0 ? (
        <Empty what="The graph of tasks and dependencies" />
      ) : (
        <GraphCanvas key={shown.by} answer={shown} stage={stage} selected={task} onToggle={toggle} />
      )}
    </div>
  );
}

function lengthOf({ tasks, hours }: NonNullable<Answer<'graph.boxes'>['critical_path']>): string {
  return hours === 0 ? plural(tasks, 'task') : `${plural(tasks, 'task')}, ${Math.round(hours * 10) / 10} h`;
}

const GROUPED_BY: Readonly<Record<BoxGrouping, string>> = {
  auto: 'Group if large',
  none: 'No groups',
  finished: 'Group finished tasks',
  playbook: 'Group by playbook',
  tag: 'Group by tag',
  member: 'Group by member',
};

/** Chooses the grouping of the boxes. */
function GroupBy({ by }: { readonly by: BoxGrouping }) {
  return (
    <label className="choice-select">
      <span className="unseen">Grouping</span>
      <select
        value={by}
        onChange={({ target }) => filterBy({ group: target.value === 'auto' ? undefined : target.value })}
      >
        {GROUPINGS.map((value) => (
          <option key={value} value={value}>
            {GROUPED_BY[value]}
          </option>
        ))}
      </select>
    </label>
  );
}

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
import { queryOf } from './query.js';
import './graph.css';
import './tasks.css';

export type BoxesAnswer = Answer<'graph.boxes'>;

export default function GraphPage() {
  const { filters, task } = useRoute();
  const by = GROUPINGS.find((candidate) => candidate === filters?.['group']) ?? 'auto';
  const critical = filters?.['critical'] === 'yes';
  const [open, setOpen] = useState<readonly string[]>([]);
  const resource = useMemo(
    () =>
      resourceOf('graph.boxes', {
        ...queryOf(filters),
        ...(by === 'auto' ? {} : { by }),
        ...(open.length === 0 ? {} : { open: [...open] }),
        ...(critical ? { critical } : {}),
        ...(task === undefined ? {} : { at: task }),
      }),
    [filters, by, open, critical, task],
  );
  const { answer, error } = useSteadyResource(resource);
  const toggle = (id: string) => setOpen(open.includes(id) ? open.filter((other) => other !== id) : [...open, id]);
  return (
    <div className="tasks-page">
      <FilterBar total={answer?.total}>
        <GroupBy by={by} />
        <button
          type="button"
          className={critical ? 'choice is-picked' : 'choice'}
          aria-pressed={critical}
          onClick={() => filterBy({ critical: critical ? undefined : 'yes' })}
        >
          Critical path
          {critical && answer?.critical_path !== undefined ? (
            <span className="choice-picked">{lengthOf(answer.critical_path)}</span>
          ) : null}
        </button>
      </FilterBar>
      {answer === undefined ? (
        error === undefined ? (
          <Skeleton rows={8} />
        ) : (
          <Failure error={error} />
        )
      ) : answer.total === 0 ? (
        <Empty what="The graph of tasks and dependencies" />
      ) : (
        <GraphCanvas key={answer.by} answer={answer} selected={task} onToggle={toggle} />
      )}
    </div>
  );
}

function lengthOf({ tasks, hours }: NonNullable<BoxesAnswer['critical_path']>): string {
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

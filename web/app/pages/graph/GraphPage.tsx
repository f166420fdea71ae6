/**
 * The graph with a layout of its own; only the visible part is drawn.
 * @packageDocumentation
 */
import { useMemo, useState } from 'react';
import { SHOWN_STATES, STATUS_LOOK } from '#core/graph/status-look.js';
import type { PictureAnswer } from '#surfaces/http/contract.js';
import { picture, pictureResource, useResource } from '../../data/resource.js';
import { filterBy, goTo, useRoute } from '../../data/route.js';
import { Command } from '../../drawer/Command.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { GraphCanvas } from './GraphCanvas.js';
import { GraphTable } from './GraphTable.js';
import { GROUPINGS, type Grouping } from './grouping.js';
import './graph.css';

/** States in which a task does not continue on its own. */
export const HELD_UP = 'failed,waiting,pending-validation,blocked';

/** The graph as layers from left to right, or as a table. */
export default function GraphPage() {
  const { view, task: selected, filters } = useRoute();
  const state = filters?.['state'];
  const resource = useMemo(() => (state === undefined ? pictureResource : picture({ state })), [state]);
  const { answer, error } = useResource(resource);
  const [by, setBy] = useState<Grouping>('auto');
  return (
    <div className="graph">
      <div className="graph-head">
        {answer === undefined ? null : <p className="muted graph-size">{sizeOf(answer)}</p>}
        <States state={state} />
        {view === 'table' ? null : <GroupBy by={by} onChange={setBy} />}
      </div>
      {answer !== undefined && answer.tasks.length === 0 && state !== undefined ? (
        <p className="muted graph-none">No task is in this state.</p>
      ) : answer !== undefined ? (
        <Picture picture={answer} inTable={view === 'table'} selected={selected} by={by} />
      ) : error !== undefined ? (
        <Failure error={error} />
      ) : (
        <Skeleton rows={6} />
      )}
    </div>
  );
}

function Picture({
  picture: answer,
  inTable,
  selected,
  by,
}: {
  readonly picture: PictureAnswer;
  readonly inTable: boolean;
  readonly selected: string | undefined;
  readonly by: Grouping;
}) {
  if (answer.tasks.length === 0) {
    return (
      <div className="empty empty-page">
        <p>No tasks yet. The graph of tasks and dependencies will appear here.</p>
        <Command text='troupe add "My first task" --exec "npm test"' />
      </div>
    );
  }
  return inTable ? (
    <GraphTable tasks={answer.tasks} />
  ) : (
    <GraphCanvas key={by} tasks={answer.tasks} selected={selected} by={by} onTable={toTable} />
  );
}

const toTable = () => goTo({ place: 'tasks', view: 'table' });

const GROUPED_BY: Readonly<Record<Grouping, string>> = {
  auto: 'Group if large',
  none: 'No groups',
  finished: 'Group finished tasks',
  workflow: 'Group by workflow',
  tag: 'Group by tag',
  member: 'Group by member',
};

/** Chooses the grouping of the boxes. */
function GroupBy({ by, onChange }: { readonly by: Grouping; onChange(by: Grouping): void }) {
  return (
    <label className="states">
      <span className="unseen">Grouping</span>
      <select
        value={by}
        onChange={({ target }) => onChange(GROUPINGS.find((candidate) => candidate === target.value) ?? 'auto')}
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

/** Chooses the visible states. */
function States({ state }: { readonly state: string | undefined }) {
  const choices = ['', HELD_UP, ...SHOWN_STATES];
  const others = state === undefined || choices.includes(state) ? [] : [state];
  return (
    <label className="states">
      <span className="unseen">Filter by state</span>
      <select value={state ?? ''} onChange={({ target }) => filterBy({ state: target.value })}>
        {[...choices, ...others].map((value) => (
          <option key={value} value={value}>
            {value === '' ? 'All states' : value === HELD_UP ? 'not ready' : wordsOf(value)}
          </option>
        ))}
      </select>
    </label>
  );
}

function wordsOf(state: string): string {
  return state
    .split(',')
    .map((one) => SHOWN_STATES.find((candidate) => candidate === one))
    .map((state) => (state === undefined ? 'unknown' : STATUS_LOOK[state].word))
    .join(', ');
}

function sizeOf({ total, left_out }: PictureAnswer): string {
  const tasks = `${total} ${total === 1 ? 'task' : 'tasks'}`;
  return left_out === 0 ? tasks : `${tasks}; ${left_out} without dependents are hidden; search finds them`;
}

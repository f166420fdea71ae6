import { useState } from 'react';
import { inert } from '#kernel/text.js';
import type { PicturedTask } from '#surfaces/http/contract.js';
import { addressOf, useRoute } from '../../data/route.js';
import { elapsed, useNow } from '../../data/time.js';
import { StatusWord } from '../../status/Status.js';

const ROWS_AT_ONCE = 200;

/** The graph as a table of tasks with their dependencies. */
export function GraphTable({ tasks }: { readonly tasks: readonly PicturedTask[] }) {
  const [most, setMost] = useState(ROWS_AT_ONCE);
  const route = useRoute();
  const titles = new Map(tasks.map((task) => [task.id, task.title]));
  return (
    <div className="table-place">
      <table className="graph-table">
        <caption className="unseen">Tasks, their dependencies, and why they are not running</caption>
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">Status</th>
            <th scope="col">Member</th>
            <th scope="col">Depends on</th>
            <th scope="col" className="is-number">
              Time
            </th>
          </tr>
        </thead>
        <tbody>
          {tasks.slice(0, most).map((task) => (
            <tr key={task.id}>
              <th scope="row">
                <a data-row href={addressOf({ ...route, task: task.id })}>
                  {inert(task.title)}
                </a>
              </th>
              <td>
                <StatusWord state={task.state} live={task.live} check={task.check} />
                {task.reason === undefined ? null : <span className="reason">{inert(task.reason)}</span>}
              </td>
              <td>{task.member === undefined ? '' : inert(task.member)}</td>
              <td className="befores">{task.after.map((id) => inert(titles.get(id) ?? id)).join(', ')}</td>
              <td className="is-number">
                <Took task={task} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {tasks.length > most ? (
        <button type="button" className="more" onClick={() => setMost(most + ROWS_AT_ONCE)}>
          Show {Math.min(ROWS_AT_ONCE, tasks.length - most)} more of {tasks.length - most}
        </button>
      ) : null}
    </div>
  );
}

function Took({ task }: { readonly task: PicturedTask }) {
  const now = useNow();
  if (task.started_at === undefined) return null;
  return <>{elapsed(task.started_at, task.completed_at === undefined ? now : Date.parse(task.completed_at))}</>;
}

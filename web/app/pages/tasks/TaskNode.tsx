import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';
import { toneOf, wordOf } from '#core/graph/status-look.js';
import { inert } from '#kernel/text.js';
import type { PicturedTask } from '#surfaces/http/contract.js';
import { elapsed, useNow } from '../../data/time.js';
import { Glyph } from '../../status/Status.js';

export type TaskNode = Node<
  {
    readonly task: PicturedTask;
    readonly cycle: { readonly iteration: number; readonly most: number } | undefined;
    readonly critical: boolean;
    /** Time of the picture, if it is not now. */
    readonly then: number | undefined;
  },
  'task'
>;

export const TaskNodeView = memo(function TaskNodeView({ data: { task, cycle, critical, then } }: NodeProps<TaskNode>) {
  return (
    <div
      className={`task-node is-${toneOf(task.state, task.check)}${critical ? ' is-critical' : ''}`}
      title={task.reason === undefined ? undefined : inert(task.reason)}
    >
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <span className="task-node-title">{inert(task.title)}</span>
      <span className="task-node-facts">
        <span className="task-node-state">
          <Glyph state={task.state} check={task.check} /> {wordOf(task.state, task.live, task.check)}{' '}
          <Time task={task} then={then} />
        </span>
        {cycle === undefined ? null : (
          <span className="task-node-cycle number" title={`Iteration ${cycle.iteration} of at most ${cycle.most}`}>
            ↻ {cycle.iteration}/{cycle.most}
          </span>
        )}
        {task.member === undefined ? null : <span className="task-node-member">{inert(task.member)}</span>}
      </span>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
});

/** Running time so far, or the total. */
function Time({ task, then }: { readonly task: PicturedTask; readonly then: number | undefined }) {
  if (task.started_at === undefined) return null;
  if (task.state === 'in-progress')
    return then === undefined ? (
      <Running since={task.started_at} />
    ) : (
      <span className="number">{elapsed(task.started_at, then)}</span>
    );
  if (task.completed_at === undefined) return null;
  return <span className="number">{elapsed(task.started_at, Date.parse(task.completed_at))}</span>;
}

function Running({ since }: { readonly since: string }) {
  return <span className="number">{elapsed(since, useNow())}</span>;
}

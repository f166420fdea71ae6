import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { memo } from 'react';
import { STATUS_LOOK } from '#core/graph/status-look.js';
import { inert } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { Glyph } from '../../status/Status.js';

type Group = NonNullable<Answer<'graph.boxes'>['boxes'][number]['group']>;
export type GroupNode = Node<Group & { readonly critical: boolean }, 'group-of-tasks'>;

/** Number of counts that fit into a box. */
const COUNTS_SHOWN = 3;

/** Box of a group: its label, the number of tasks, and their states. */
export const GroupNodeView = memo(function GroupNodeView({ data: group }: NodeProps<GroupNode>) {
  const summary = summaryOf(group);
  return (
    <div className={group.critical ? 'task-node group-node is-critical' : 'task-node group-node'} title={summary}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <span className="unseen">{summary}</span>
      <span className="group-node-title" aria-hidden="true">
        {inert(group.label)} <span className="count">{group.count}</span>
      </span>
      <span className="progress-bar" aria-hidden="true">
        {group.counts.map(([state, count]) => (
          <span key={state} className={`progress-part is-${state}`} style={{ flexGrow: count }} />
        ))}
      </span>
      <span className="task-node-facts" aria-hidden="true">
        {group.counts.slice(0, COUNTS_SHOWN).map(([state, count]) => (
          <span key={state} className={`task-node-state is-${state}`}>
            <Glyph state={state} /> <span className="number">{count}</span>
          </span>
        ))}
      </span>
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
});

/** Tooltip and accessible name: `release: 12 tasks, 2 failed, 10 done`. */
function summaryOf({ label, count, counts }: Group): string {
  const states = counts.map(([state, own]) => `${own} ${STATUS_LOOK[state].word}`);
  return `${inert(label)}: ${count} tasks, ${states.join(', ')}`;
}

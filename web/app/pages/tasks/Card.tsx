import { useDraggable } from '@dnd-kit/core';
import { playbookIn } from '#core/insight/task-properties.js';
import { inert } from '#kernel/text.js';
import type { PicturedTask } from '#surfaces/http/contract.js';
import { addressOf, useRoute } from '../../data/route.js';
import { elapsed, useNow } from '../../data/time.js';

/** A task on the board: a link to it that can also be dragged. */
export function Card(props: { readonly task: PicturedTask; readonly mayMove: boolean; readonly isAway: boolean }) {
  const { task, mayMove, isAway } = props;
  const route = useRoute();
  const { attributes, listeners, setNodeRef } = useDraggable({ id: task.id, disabled: !mayMove });
  const { role: _role, tabIndex: _tabIndex, ...described } = attributes;
  return (
    <a
      ref={setNodeRef}
      {...(mayMove ? { ...described, ...listeners } : {})}
      data-row
      draggable={false}
      className={isAway ? 'card is-away' : 'card'}
      href={addressOf({ ...route, task: task.id })}
    >
      <CardFace task={task} />
    </a>
  );
}

export function CardFace({ task }: { readonly task: PicturedTask }) {
  const playbook = playbookIn(task.tags);
  return (
    <>
      <span className="card-title">{inert(task.title)}</span>
      {task.reason === undefined || task.state === 'pending-validation' ? null : (
        <span className="card-reason">{inert(task.reason)}</span>
      )}
      <span className="card-facts">
        {task.member === undefined ? null : <span>{inert(task.member)}</span>}
        {playbook === undefined ? null : <span>{inert(playbook)}</span>}
        {task.state === 'in-progress' && task.started_at !== undefined ? <Running since={task.started_at} /> : null}
        {task.worker === undefined ? null : <span>at {inert(task.worker)}</span>}
      </span>
    </>
  );
}

function Running({ since }: { readonly since: string }) {
  return <span className="number">{elapsed(since, useNow())}</span>;
}

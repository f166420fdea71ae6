import { type KeyboardCoordinateGetter, useDroppable } from '@dnd-kit/core';
import type { ReactNode } from 'react';
import type { ShownState } from '#core/graph/status-look.js';
import { inert } from '#kernel/text.js';
import { ACT_LOOK } from '../../data/acts.js';
import type { Destination } from './moves.js';

/** Cell of the board. While a card is in the air it says which move would follow, or why none does. */
export function Column(props: {
  readonly id: string;
  readonly state: ShownState;
  readonly isEmpty: boolean;
  readonly flight: Destination | 'unknown' | undefined;
  readonly children: ReactNode;
}) {
  const { id, state, isEmpty, flight, children } = props;
  const { setNodeRef, isOver } = useDroppable({ id });
  const look = ['board-cell', `is-${state}`];
  if (isEmpty) look.push('is-narrow');
  if (flight !== undefined && flight !== 'unknown') look.push(flight.move === undefined ? 'is-shut' : 'is-open-to');
  if (isOver && flight !== undefined) look.push('is-over');
  return (
    <div ref={setNodeRef} className={look.join(' ')}>
      {isOver && flight !== undefined && flight !== 'unknown' ? (
        <p className="board-verdict">
          {flight.move === undefined ? inert(flight.reason ?? 'No move leads there.') : ACT_LOOK[flight.move].label}
        </p>
      ) : null}
      {children}
    </div>
  );
}

/** Arrow keys go from column to column within the lane, never between two of them. */
export const toNextColumn: KeyboardCoordinateGetter = (event, { currentCoordinates, context }) => {
  const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.code];
  const { active, over, droppableRects, droppableContainers, collisionRect } = context;
  if (direction === undefined || active === null || collisionRect === null) return undefined;
  event.preventDefault();
  const from = over?.rect ?? collisionRect;
  const middle = collisionRect.top + collisionRect.height / 2;
  const next = droppableContainers
    .getEnabled()
    .flatMap(({ id }) => {
      const rect = droppableRects.get(id);
      return rect === undefined ? [] : [rect];
    })
    .filter((rect) => rect.top <= middle && rect.bottom >= middle && (rect.left - from.left) * direction > 1)
    .sort((left, right) => (left.left - right.left) * direction)[0];
  return next === undefined ? undefined : { x: next.left, y: currentCoordinates.y };
};

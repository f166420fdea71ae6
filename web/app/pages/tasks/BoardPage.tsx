import {
  type Announcements,
  type CollisionDetection,
  closestCorners,
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type DragStartEvent,
  KeyboardSensor,
  PointerSensor,
  pointerWithin,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { useMemo, useState } from 'react';
import { SHOWN_STATES, type ShownState, STATUS_LOOK } from '#core/graph/status-look.js';
import { WITHOUT } from '#core/insight/task-properties.js';
import { inert } from '#kernel/text.js';
import type { Answer, PicturedTask } from '#surfaces/http/contract.js';
import { askFor } from '../../data/api.js';
import { resourceOf, useSteadyResource } from '../../data/resource.js';
import { addressOf, useRoute } from '../../data/route.js';
import { useRefusal } from '../../data/visitor.js';
import { Failure, Skeleton } from '../../shell/Skeleton.js';
import { Glyph } from '../../status/Status.js';
import { Card, CardFace } from './Card.js';
import { Column, toNextColumn } from './Column.js';
import { Empty } from './Empty.js';
import { FilterBar, PropertySelect } from './FilterBar.js';
import { GroupLabel } from './GroupLabel.js';
import { MoveDialog } from './MoveDialog.js';
import { actOf, asksFirst, type Destinations, type Intent, makeMove, tellRefusal, tellTrouble } from './moves.js';
import { joined, propertyOf, queryOf } from './query.js';
import './tasks.css';

type Board = Answer<'graph.board'>;

/** Columns from left to right, as work goes. */
const COLUMNS: readonly ShownState[] = [
  'open',
  'ready',
  'in-progress',
  'waiting',
  'pending-validation',
  'blocked',
  'failed',
  'done',
  'abandoned',
];

export default function BoardPage() {
  const { filters } = useRoute();
  const lanes = propertyOf(filters?.['lanes']);
  const resource = useMemo(
    () => resourceOf('graph.board', { ...queryOf(filters), ...(lanes === undefined ? {} : { lanes }) }),
    [filters, lanes],
  );
  const { answer, error } = useSteadyResource(resource);
  return (
    <div className="tasks-page">
      <FilterBar total={answer?.total}>
        <PropertySelect field="lanes" label="Lanes by" none="No lanes" />
      </FilterBar>
      {answer === undefined ? (
        error === undefined ? (
          <Skeleton rows={8} />
        ) : (
          <Failure error={error} />
        )
      ) : answer.total === 0 ? (
        <Empty what="Columns of tasks by state" />
      ) : (
        <Columns board={answer} />
      )}
    </div>
  );
}

/** A card in the air, and where it may land once the server has said so. */
interface Flight {
  readonly task: PicturedTask;
  readonly answer: Promise<Destinations>;
}

function Columns({ board }: { readonly board: Board }) {
  const { filters } = useRoute();
  const by = propertyOf(filters?.['lanes']);
  const mayMove = useRefusal() === undefined;
  const [flight, setFlight] = useState<Flight>();
  const [destinations, setDestinations] = useState<Destinations>();
  const [intent, setIntent] = useState<Intent>();
  const tasks = useMemo(
    () =>
      new Map(board.lanes.flatMap(({ cells }) => cells.flatMap((cell) => cell.tasks.map((task) => [task.id, task])))),
    [board],
  );
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, {
      coordinateGetter: toNextColumn,
      keyboardCodes: { start: ['Space'], cancel: ['Escape'], end: ['Space', 'Enter'] },
    }),
  );
  const begin = ({ active }: DragStartEvent) => {
    const task = tasks.get(String(active.id));
    if (task === undefined) return;
    const answer = destinationsOf(task.id);
    setFlight({ task, answer });
    setDestinations(undefined);
    answer.then(setDestinations, () => undefined); // dropping it reports the trouble
  };
  const land = async ({ over }: DragEndEvent) => {
    const to = stateOf(over?.id);
    setFlight(undefined);
    if (flight === undefined || to === undefined || to === flight.task.state) return;
    const { task } = flight;
    try {
      const found = (await flight.answer).find((one) => one.to === to);
      if (found?.move === undefined) return tellRefusal(task, to, found?.reason);
      const wanted = { task, act: actOf(task, found.move) };
      if (asksFirst(wanted.act)) setIntent(wanted);
      else await makeMove(wanted);
    } catch (error) {
      tellTrouble(task, error);
    }
  };
  const counts = new Map(board.counts);
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={nearest}
      accessibility={{ announcements: announcementsOf(tasks, destinations), screenReaderInstructions: INSTRUCTIONS }}
      onDragStart={begin}
      onDragEnd={(event) => void land(event)}
      onDragCancel={() => setFlight(undefined)}
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className="board" tabIndex={0} aria-label="Board" data-scrolls>
        <div className="board-heads">
          {COLUMNS.map((state) => (
            <h2 key={state} className={headClass(state, counts)} title={STATUS_LOOK[state].word}>
              <Glyph state={state} /> <span className="board-word">{STATUS_LOOK[state].word}</span>{' '}
              <span className="count">{counts.get(state) ?? 0}</span>
            </h2>
          ))}
        </div>
        {board.lanes.map(({ value, count, cells }) => (
          <section
            key={value ?? ''}
            className="board-lane"
            aria-label={by === undefined ? 'All tasks' : (value ?? 'None')}
          >
            {by === undefined ? null : (
              <h3 className="board-lane-name">
                <GroupLabel by={by} value={value} /> <span className="count">{count}</span>
              </h3>
            )}
            <div className="board-cells">
              {COLUMNS.map((state) => {
                const cell = cells.find((one) => one.state === state);
                const target = destinations?.find((one) => one.to === state);
                return (
                  <Column
                    key={state}
                    id={`${state}|${value ?? ''}`}
                    state={state}
                    isEmpty={!counts.has(state)}
                    flight={flight === undefined || flight.task.state === state ? undefined : (target ?? 'unknown')}
                  >
                    {cell?.tasks.map((task) => (
                      <Card key={task.id} task={task} mayMove={mayMove} isAway={task.id === flight?.task.id} />
                    ))}
                    {cell !== undefined && cell.count > cell.tasks.length ? (
                      <a className="board-more" href={allOf(filters, state, by, value)}>
                        all {cell.count}
                      </a>
                    ) : null}
                  </Column>
                );
              })}
            </div>
          </section>
        ))}
        {board.lanes_left_out === 0 ? null : (
          <p className="muted board-left-out">and {board.lanes_left_out} lanes with fewer tasks; filters find them</p>
        )}
      </section>
      <DragOverlay dropAnimation={null}>
        {flight === undefined ? null : (
          <div className="card is-flying">
            <CardFace task={flight.task} />
          </div>
        )}
      </DragOverlay>
      {intent === undefined ? null : <MoveDialog intent={intent} onClose={() => setIntent(undefined)} />}
    </DndContext>
  );
}

const INSTRUCTIONS = {
  draggable:
    'Press Space to pick up the task, the left and right arrow keys to choose a column, Space to drop it there, and Escape to leave it where it was.',
};

/** Announcements to a screen reader during a drag: the column, and whether the task may go there. */
function announcementsOf(
  tasks: ReadonlyMap<string, PicturedTask>,
  destinations: Destinations | undefined,
): Announcements {
  const name = (id: string | number) => inert(tasks.get(String(id))?.title ?? String(id));
  const word = (id: string | number) => STATUS_LOOK[stateOf(id) ?? 'open'].word;
  return {
    onDragStart: ({ active }) => `Picked up ${name(active.id)}.`,
    onDragOver: ({ active, over }) => {
      if (over === null) return `${name(active.id)} is over no column.`;
      const target = destinations?.find(({ to }) => to === stateOf(over.id));
      if (target === undefined) return `Over ${word(over.id)}.`;
      return target.move === undefined
        ? `Over ${word(over.id)}: not possible. ${inert(target.reason ?? '')}`
        : `Over ${word(over.id)}: ${target.move}.`;
    },
    onDragEnd: ({ active, over }) =>
      over === null ? `${name(active.id)} stays.` : `Dropped ${name(active.id)} on ${word(over.id)}.`,
    onDragCancel: ({ active }) => `${name(active.id)} stays where it was.`,
  };
}

/** The column under the pointer; with the keyboard, the one under the card's left edge, as a card is wider than some columns. */
const nearest: CollisionDetection = (args) => {
  const { left, top, height } = args.collisionRect;
  const edge = { x: left + 1, y: top + height / 2 };
  const within = pointerWithin({ ...args, pointerCoordinates: args.pointerCoordinates ?? edge });
  return within.length > 0 ? within : closestCorners(args);
};

const stateOf = (id: string | number | undefined): ShownState | undefined =>
  SHOWN_STATES.find((state) => state === String(id).split('|')[0]);

const destinationsOf = async (id: string): Promise<Destinations> =>
  (await askFor('task.destinations', { id })).destinations;

function headClass(state: ShownState, counts: ReadonlyMap<ShownState, number>): string {
  return counts.has(state) ? `board-head is-${state}` : `board-head is-narrow is-${state}`;
}

/** The table of all tasks of a cell. */
function allOf(
  filters: ReturnType<typeof useRoute>['filters'],
  state: ShownState,
  by: ReturnType<typeof propertyOf>,
  value: string | undefined,
): string {
  const { lanes: _, ...kept } = filters ?? {};
  const lane = by === undefined ? {} : { [by]: joined([value ?? WITHOUT]) };
  return addressOf({ place: 'tasks', view: 'table', filters: { ...kept, ...lane, state } });
}

import '@xyflow/react/dist/base.css';
import {
  Background,
  BackgroundVariant,
  Controls,
  MiniMap,
  ReactFlow,
  ReactFlowProvider,
  useStore as useFlowStore,
  useReactFlow,
} from '@xyflow/react';
import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useMemo, useRef } from 'react';
import type { ShownState } from '#core/graph/status-look.js';
import { inert } from '#kernel/text.js';
import type { Answer } from '#surfaces/http/contract.js';
import { goTo, openTask } from '../../data/route.js';
import { useStore } from '../../data/store.js';
import { resolvedTheme } from '../../data/theme.js';
import { type Box, edgesOf, nodesOf } from './elements.js';
import { type GroupNode, GroupNodeView } from './GroupNode.js';
import type { StageBox } from './history.js';
import { type Layout, layOut, NODE } from './layout.js';
import { RoutedEdgeView } from './RoutedEdge.js';
import { related } from './relations.js';
import { type TaskNode, TaskNodeView } from './TaskNode.js';

const NODE_TYPES = { task: TaskNodeView, 'group-of-tasks': GroupNodeView };
const EDGE_TYPES = { routed: RoutedEdgeView };
const DRAW_ALL_MOST = 200;

interface CanvasProps {
  readonly answer: Answer<'graph.boxes'>;
  /** Boxes to lay out, if more than those drawn. */
  readonly stage?: readonly StageBox[] | undefined;
  readonly selected: string | undefined;
  /** Opens a group, or closes it. */
  onToggle(id: string): void;
}

export function GraphCanvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ answer, stage, selected, onToggle }: CanvasProps) {
  const { boxes, opened, moment } = answer;
  const layout = useLayout(stage ?? boxes);
  const at = selected === undefined ? undefined : (answer.at ?? selected);
  const near = useMemo(() => (at === undefined ? undefined : related(at, layout.edges)), [at, layout]);
  const then = moment === undefined ? undefined : Date.parse(moment.timestamp);
  const nodes = useMemo(() => nodesOf(boxes, layout, { at, near, then }), [boxes, layout, at, near, then]);
  const edges = useMemo(() => edgesOf(layout, boxes, near), [layout, boxes, near]);
  const colorMode = useStore(resolvedTheme);
  const { begin, reveal, moved } = useViewport(boxes, layout, at);
  const choose = (id: string) => {
    const box = boxes.find((candidate) => candidate.id === id);
    if (box?.group === undefined) openTask(id);
    else if (box.group.opens) onToggle(id);
    else goTo({ place: 'tasks', view: 'table' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const id = boxAt(event.target);
    if (id === undefined || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    choose(id);
  };
  const onFocus = (event: FocusEvent) => {
    const id = boxAt(event.target);
    if (id !== undefined && event.target.matches(':focus-visible')) reveal(id);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the nodes inside, which are buttons
    <div className="canvas" onKeyDown={onKeyDown} onFocus={onFocus}>
      {opened.length === 0 ? null : (
        <ul className="opened-groups" aria-label="Opened groups">
          {opened.map(({ id, label, count }) => (
            <li key={id}>
              <button type="button" onClick={() => onToggle(id)} title={`Group the ${count} tasks again`}>
                Close {inert(label)}
              </button>
            </li>
          ))}
        </ul>
      )}
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        colorMode={colorMode}
        onInit={() => void begin()}
        onMoveStart={(event) => {
          if (event !== null) moved(true);
        }}
        onNodeClick={(_, node) => choose(node.id)}
        nodesDraggable={false}
        nodesConnectable={false}
        edgesFocusable={false}
        elementsSelectable={false}
        nodesFocusable
        disableKeyboardA11y
        onlyRenderVisibleElements={nodes.length > DRAW_ALL_MOST}
        minZoom={0.1}
        maxZoom={1.6}
        deleteKeyCode={null}
        selectionKeyCode={null}
        multiSelectionKeyCode={null}
        proOptions={{ hideAttribution: true }}
        aria-label="Tasks and their dependencies"
      >
        <Background variant={BackgroundVariant.Dots} gap={24} size={1} />
        <MiniMap
          className="minimap"
          pannable
          zoomable
          ariaLabel="Map of the graph"
          nodeColor={(node: TaskNode | GroupNode) => `var(--state-${stateOf(node)})`}
          nodeBorderRadius={12}
          position="bottom-right"
        />
      </ReactFlow>
      <Controls
        showInteractive={false}
        fitViewOptions={FIT}
        position="bottom-left"
        onZoomIn={() => moved(true)}
        onZoomOut={() => moved(true)}
        onFitView={() => moved(false)}
      />
    </div>
  );
}

function boxAt(target: EventTarget): string | undefined {
  return target instanceof HTMLElement && target.matches('.react-flow__node') ? target.dataset['id'] : undefined;
}

function statesOf({ task, group }: Box): readonly ShownState[] {
  return group === undefined ? (task === undefined ? [] : [task.state]) : group.counts.map(([state]) => state);
}

/** State shown for a box: of the task, or the first one counted in the group. */
function stateOf({ data }: TaskNode | GroupNode): ShownState {
  return 'task' in data ? data.task.state : (data.counts[0]?.[0] ?? 'open');
}

/** Computes the layout again only when boxes or edges change; a change of state moves nothing. */
function useLayout(boxes: readonly StageBox[]): Layout {
  const shape = JSON.stringify(boxes.map((box) => [box.id, box.after]));
  const last = useRef<{ shape: string; layout: Layout }>(undefined);
  if (last.current?.shape !== shape) last.current = { shape, layout: layOut(boxes) };
  return last.current.layout;
}

const FIT = { padding: 0.06, maxZoom: 1, minZoom: 0.1 } as const;
/** Zoom below which text is unreadable. A graph that would need less opens at the current work instead. */
const READABLE_ZOOM = 0.55;
const CLOSE_ZOOM = 0.85;
const EDGE = 24;
const MOVE_MS = 200;
const WHERE_THE_WORK_IS: readonly ShownState[] = ['in-progress', 'pending-validation', 'ready', 'open'];

/**
 * Initial viewport: the whole graph if readable, otherwise the current work, in a group if there are any. Follows
 * selection and focus.
 */
function useViewport(boxes: readonly Box[], layout: Layout, selected: string | undefined) {
  const flow = useReactFlow();
  const width = useFlowStore((state) => state.width);
  const height = useFlowStore((state) => state.height);
  const latest = useRef({ boxes, layout, width, height });
  latest.current = { boxes, layout, width, height };
  const begin = useCallback(async () => {
    await flow.fitView(FIT);
    if (flow.getZoom() >= READABLE_ZOOM) return;
    const { boxes, layout, width, height } = latest.current;
    const groups = boxes.filter(({ group }) => group?.opens === true);
    const offered = groups.length > 0 ? groups : boxes;
    const first = WHERE_THE_WORK_IS.flatMap((state) => offered.filter((box) => statesOf(box).includes(state)))[0];
    const at = layout.places.get((first ?? groups[0])?.id ?? layout.order[0] ?? '');
    if (!at) return;
    // Centres the task, but leaves at most a margin of empty space before the graph begins.
    const along = (room: number, middle: number) => Math.min(EDGE, room / 2 - middle * CLOSE_ZOOM);
    const [x, y] = [along(width, at.x + NODE.width / 2), along(height, at.y + NODE.height / 2)];
    await flow.setViewport({ x, y, zoom: CLOSE_ZOOM });
  }, [flow]);
  const reveal = useCallback(
    (id: string) => {
      const { layout, width, height } = latest.current;
      const at = layout.places.get(id);
      if (at === undefined || width === 0) return;
      const { x, y, zoom } = flow.getViewport();
      const left = at.x * zoom + x;
      const top = at.y * zoom + y;
      const visible = left >= 0 && top >= 0 && left + NODE.width * zoom <= width && top + NODE.height * zoom <= height;
      if (visible) return;
      const view = { zoom: Math.max(zoom, READABLE_ZOOM), duration: isCalm() ? 0 : MOVE_MS };
      void flow.setCenter(at.x + NODE.width / 2, at.y + NODE.height / 2, view);
    },
    [flow],
  );
  useEffect(() => {
    if (selected !== undefined && width > 0) reveal(selected); // the drawer takes room: reveal it again then
  }, [selected, reveal, width]);
  const refit = useCallback(async () => {
    await begin();
    if (selected !== undefined) reveal(selected);
  }, [begin, reveal, selected]);
  const moved = useRefit(refit);
  useOpened(boxes, layout);
  return { begin, reveal, moved };
}

/**
 * Begins again when the window has another size, unless the person has moved the view; the drawer takes room without
 * that. Returns how to say whether it was moved.
 */
function useRefit(refit: () => Promise<void>): (byHand: boolean) => void {
  const width = useFlowStore((state) => state.width);
  const height = useFlowStore((state) => state.height);
  const byHand = useRef(false);
  const fitted = useRef<string>(undefined);
  const latest = useRef(refit);
  latest.current = refit;
  useEffect(() => {
    if (width === 0 || height === 0) return;
    const before = fitted.current;
    fitted.current = `${window.innerWidth} ${window.innerHeight}`;
    if (before !== undefined && before !== fitted.current && !byHand.current) void latest.current();
  }, [width, height]);
  return useCallback((moved) => {
    byHand.current = moved;
  }, []);
}

/** Shows the tasks of a group that has just been opened, all of them and nothing else. */
function useOpened(boxes: readonly Box[], layout: Layout): void {
  const flow = useReactFlow();
  const known = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const now = new Set(boxes.flatMap(({ opened }) => opened ?? []));
    const fresh = [...now].find((id) => !known.current.has(id));
    known.current = now;
    if (fresh === undefined) return;
    const own = boxes.filter(({ opened }) => opened === fresh).flatMap(({ id }) => layout.places.get(id) ?? []);
    const [left, top] = [Math.min(...own.map(({ x }) => x)), Math.min(...own.map(({ y }) => y))];
    const width = Math.max(...own.map(({ x }) => x)) - left + NODE.width;
    const height = Math.max(...own.map(({ y }) => y)) - top + NODE.height;
    void flow.fitBounds({ x: left, y: top, width, height }, { padding: FIT.padding, duration: isCalm() ? 0 : MOVE_MS });
  }, [boxes, layout, flow]);
}

const isCalm = (): boolean => window.matchMedia('(prefers-reduced-motion: reduce)').matches;

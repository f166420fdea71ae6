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
import { type FocusEvent, type KeyboardEvent, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ShownState } from '#core/graph/status-look.js';
import { inert } from '#kernel/text.js';
import type { PicturedTask } from '#surfaces/http/contract.js';
import { openTask } from '../../data/route.js';
import { useStore } from '../../data/store.js';
import { resolvedTheme } from '../../data/theme.js';
import { edgesOf, nodesOf } from './elements.js';
import { type GroupNode, GroupNodeView } from './GroupNode.js';
import { type Box, type Boxes, boxesOf, type Grouping, isGroup, type TaskGroup } from './grouping.js';
import { type Layout, layOut, NODE } from './layout.js';
import { RoutedEdgeView } from './RoutedEdge.js';
import { related } from './relations.js';
import { type TaskNode, TaskNodeView } from './TaskNode.js';

const NODE_TYPES = { task: TaskNodeView, 'group-of-tasks': GroupNodeView };
const EDGE_TYPES = { routed: RoutedEdgeView };
const DRAW_ALL_MOST = 200;

interface CanvasProps {
  readonly tasks: readonly PicturedTask[];
  readonly selected: string | undefined;
  readonly by: Grouping;
  /** Switches to the table, for graphs too large to draw. */
  onTable(): void;
}

export function GraphCanvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ tasks, selected, by, onTable }: CanvasProps) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const picture = useBoxes(tasks, by, open);
  const layout = useLayout(picture.boxes);
  const at = selected === undefined ? undefined : (picture.boxOf.get(selected) ?? selected);
  const near = useMemo(() => (at === undefined ? undefined : related(at, layout.edges)), [at, layout]);
  const nodes = useMemo(() => nodesOf(picture.boxes, layout, at, near), [picture, layout, at, near]);
  const edges = useMemo(() => edgesOf(layout, near), [layout, near]);
  const colorMode = useStore(resolvedTheme);
  const { begin, reveal } = useViewport(picture, layout, at);
  const toggle = (id: string) =>
    setOpen((now) => new Set(now.has(id) ? [...now].filter((other) => other !== id) : [...now, id]));
  const choose = (id: string) => {
    const content = picture.boxes.find((box) => box.id === id)?.content;
    if (content === undefined) return;
    if (!isGroup(content)) openTask(id);
    else if (content.opens) toggle(id);
    else onTable();
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
      {picture.opened.length === 0 ? null : (
        <ul className="opened-groups" aria-label="Opened groups">
          {picture.opened.map(({ id, label, tasks: own }) => (
            <li key={id}>
              <button type="button" onClick={() => toggle(id)} title={`Group the ${own.length} tasks again`}>
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
        <Controls showInteractive={false} fitViewOptions={FIT} position="bottom-left" />
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
    </div>
  );
}

function boxAt(target: EventTarget): string | undefined {
  return target instanceof HTMLElement && target.matches('.react-flow__node') ? target.dataset['id'] : undefined;
}

function statesOf(content: Box['content']): readonly ShownState[] {
  return isGroup(content) ? content.counts.map(([state]) => state) : [content.state];
}

/** State shown for a box: of the task, or the first one counted in the group. */
function stateOf({ data }: TaskNode | GroupNode): ShownState {
  return 'state' in data ? (data.state as ShownState) : ((data.counts as TaskGroup['counts'])[0]?.[0] ?? 'open');
}

function useBoxes(tasks: readonly PicturedTask[], by: Grouping, open: ReadonlySet<string>): Boxes {
  const stable = useMemo(() => [...tasks].sort(byAge), [tasks]);
  return useMemo(() => boxesOf(stable, by, open), [stable, by, open]);
}

/** Computes the layout again only when boxes or edges change; a change of state moves nothing. */
function useLayout(boxes: readonly Box[]): Layout {
  const shape = JSON.stringify(boxes.map((box) => [box.id, box.after]));
  const last = useRef<{ shape: string; layout: Layout }>(undefined);
  if (last.current?.shape !== shape) last.current = { shape, layout: layOut(boxes) };
  return last.current.layout;
}

function byAge(left: PicturedTask, right: PicturedTask): number {
  return compare(left.created_at ?? '', right.created_at ?? '') || compare(left.id, right.id);
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

const FIT = { padding: 0.06, maxZoom: 1, minZoom: 0.1 } as const;
/** Zoom below which text is unreadable. A graph that would need less opens at the current work instead. */
const READABLE_ZOOM = 0.55;
const CLOSE_ZOOM = 0.85;
const EDGE = 24;
const MOVE_MS = 200;
const WHERE_THE_WORK_IS: readonly ShownState[] = ['in-progress', 'pending-validation', 'ready', 'open'];

/** Initial viewport: the whole graph if readable, otherwise the current work. Follows selection and focus. */
function useViewport(picture: Boxes, layout: Layout, selected: string | undefined) {
  const flow = useReactFlow();
  const width = useFlowStore((state) => state.width);
  const height = useFlowStore((state) => state.height);
  const latest = useRef({ picture, layout, width, height });
  latest.current = { picture, layout, width, height };
  const begin = useCallback(async () => {
    await flow.fitView(FIT);
    if (flow.getZoom() >= READABLE_ZOOM) return;
    const { picture, layout, width, height } = latest.current;
    const first = WHERE_THE_WORK_IS.flatMap((state) =>
      picture.boxes.filter(({ content }) => statesOf(content).includes(state)),
    )[0];
    const at = layout.places.get(first?.id ?? layout.order[0] ?? '');
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
      const calm = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
      const view = { zoom: Math.max(zoom, READABLE_ZOOM), duration: calm ? 0 : MOVE_MS };
      void flow.setCenter(at.x + NODE.width / 2, at.y + NODE.height / 2, view);
    },
    [flow],
  );
  useEffect(() => {
    if (selected !== undefined && width > 0) reveal(selected); // the drawer takes room: reveal it again then
  }, [selected, reveal, width]);
  return { begin, reveal };
}

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
import type { PicturedTask } from '#surfaces/http/contract.js';
import { openTask } from '../../data/route.js';
import { useStore } from '../../data/store.js';
import { resolvedTheme } from '../../data/theme.js';
import { edgesOf, nodesOf } from './elements.js';
import { type Layout, layOut, NODE } from './layout.js';
import { RoutedEdgeView } from './RoutedEdge.js';
import { related } from './relations.js';
import { type TaskNode, TaskNodeView } from './TaskNode.js';

const NODE_TYPES = { task: TaskNodeView };
const EDGE_TYPES = { routed: RoutedEdgeView };
const DRAW_ALL_MOST = 400;

interface CanvasProps {
  readonly tasks: readonly PicturedTask[];
  readonly selected: string | undefined;
}

export function GraphCanvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Canvas {...props} />
    </ReactFlowProvider>
  );
}

function Canvas({ tasks, selected }: CanvasProps) {
  const layout = useLayout(tasks);
  const near = useMemo(
    () => (selected === undefined ? undefined : related(selected, layout.edges)),
    [selected, layout],
  );
  const nodes = useMemo(() => nodesOf(tasks, layout, selected, near), [tasks, layout, selected, near]);
  const edges = useMemo(() => edgesOf(layout, near), [layout, near]);
  const colorMode = useStore(resolvedTheme);
  const { begin, reveal } = useViewport(tasks, layout, selected);
  const onKeyDown = (event: KeyboardEvent) => {
    const id = taskAt(event.target);
    if (id === undefined || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    openTask(id);
  };
  const onFocus = (event: FocusEvent) => {
    const id = taskAt(event.target);
    if (id !== undefined && event.target.matches(':focus-visible')) reveal(id);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the nodes inside, which are buttons
    <div className="canvas" onKeyDown={onKeyDown} onFocus={onFocus}>
      <ReactFlow
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        colorMode={colorMode}
        onInit={() => void begin()}
        onNodeClick={(_, node) => openTask(node.id)}
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
        aria-label="Tasks and what they wait for"
      >
        <Background variant={BackgroundVariant.Dots} gap={24} size={1} />
        <Controls showInteractive={false} fitViewOptions={FIT} position="bottom-left" />
        <MiniMap
          className="minimap"
          pannable
          zoomable
          ariaLabel="Map of the graph"
          nodeColor={(node: TaskNode) => `var(--state-${node.data.state})`}
          nodeBorderRadius={12}
          position="bottom-right"
        />
      </ReactFlow>
    </div>
  );
}

function taskAt(target: EventTarget): string | undefined {
  return target instanceof HTMLElement && target.matches('.react-flow__node') ? target.dataset['id'] : undefined;
}

/** Laid out again only when tasks or edges come and go; a change of state moves nothing. */
function useLayout(tasks: readonly PicturedTask[]): Layout {
  const stable = useMemo(() => [...tasks].sort(byAge), [tasks]);
  const shape = JSON.stringify(stable.map((task) => [task.id, task.after]));
  const last = useRef<{ shape: string; layout: Layout }>(undefined);
  if (last.current?.shape !== shape) last.current = { shape, layout: layOut(stable) };
  return last.current.layout;
}

function byAge(left: PicturedTask, right: PicturedTask): number {
  return compare(left.created_at ?? '', right.created_at ?? '') || compare(left.id, right.id);
}

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

const FIT = { padding: 0.06, maxZoom: 1, minZoom: 0.1 } as const;
/** Text below this zoom cannot be read: a picture that needs less opens where the work is instead. */
const READABLE_ZOOM = 0.55;
const CLOSE_ZOOM = 0.85;
const MOVE_MS = 200;
const WHERE_THE_WORK_IS = ['in-progress', 'pending-validation', 'ready', 'open'];

/** Where to look: at all of it if it can be read, else where the work is; and at what is selected or focused. */
function useViewport(tasks: readonly PicturedTask[], layout: Layout, selected: string | undefined) {
  const flow = useReactFlow();
  const width = useFlowStore((state) => state.width);
  const height = useFlowStore((state) => state.height);
  const latest = useRef({ tasks, layout, width, height });
  latest.current = { tasks, layout, width, height };
  const begin = useCallback(async () => {
    await flow.fitView(FIT);
    if (flow.getZoom() >= READABLE_ZOOM) return;
    const { tasks, layout } = latest.current;
    const first = WHERE_THE_WORK_IS.flatMap((state) => tasks.filter((task) => task.state === state))[0];
    const at = layout.places.get(first?.id ?? layout.order[0] ?? '');
    if (at) await flow.setCenter(at.x + NODE.width / 2, at.y + NODE.height / 2, { zoom: CLOSE_ZOOM });
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
    if (selected !== undefined && width > 0) reveal(selected); // the drawer takes room: look again when the width changes
  }, [selected, reveal, width]);
  return { begin, reveal };
}

import { Background, BackgroundVariant, Controls, MiniMap, ReactFlow, ReactFlowProvider } from '@xyflow/react';
import { type FocusEvent, type KeyboardEvent, useMemo } from 'react';
import type { PicturedTask } from '#surfaces/http/contract.js';
import { openTask } from '../../data/route.js';
import { useStore } from '../../data/store.js';
import { resolvedTheme } from '../../data/theme.js';
import '@xyflow/react/dist/base.css';
import { edgesOf, nodesOf } from './elements.js';
import { RoutedEdgeView } from './RoutedEdge.js';
import { related } from './related.js';
import { type TaskNode, TaskNodeView } from './TaskNode.js';
import { useLayout } from './use-layout.js';
import { FIT, useViewport } from './use-viewport.js';

const NODE_TYPES = { task: TaskNodeView };
const EDGE_TYPES = { routed: RoutedEdgeView };
const DRAW_ALL_MOST = 400;

interface Given {
  readonly tasks: readonly PicturedTask[];
  readonly selected: string | undefined;
}

export function GraphCanvas(given: Given) {
  return (
    <ReactFlowProvider>
      <Canvas {...given} />
    </ReactFlowProvider>
  );
}

function Canvas({ tasks, selected }: Given) {
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

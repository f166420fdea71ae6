import { type GroupNode, summaryOf } from './GroupNode.js';
import { type Box, isGroup } from './grouping.js';
import { type Layout, NODE } from './layout.js';
import type { RoutedEdge } from './RoutedEdge.js';
import type { TaskNode } from './TaskNode.js';

/** Converts boxes to nodes of the drawing library. Boxes in `near` stay bright while one is selected. */
export function nodesOf(
  boxes: readonly Box[],
  layout: Layout,
  selected: string | undefined,
  near: ReadonlySet<string> | undefined,
): (TaskNode | GroupNode)[] {
  const byId = new Map(boxes.map((box) => [box.id, box]));
  return layout.order.flatMap((id): (TaskNode | GroupNode)[] => {
    const box = byId.get(id);
    const position = layout.places.get(id);
    if (box === undefined || position === undefined) return [];
    const faded = near !== undefined && !near.has(id);
    const shared = {
      id,
      position: { ...position },
      width: NODE.width,
      height: NODE.height,
      ariaRole: 'button' as const,
      className: [id === selected ? 'is-selected' : '', faded ? 'is-faded' : ''].join(' '),
    };
    const { content } = box;
    return isGroup(content)
      ? [{ ...shared, type: 'group-of-tasks', data: { ...content }, ariaLabel: summaryOf(content) }]
      : [{ ...shared, type: 'task', data: content, domAttributes: { 'data-row': '' } as object }];
  });
}

export function edgesOf(layout: Layout, near: ReadonlySet<string> | undefined): RoutedEdge[] {
  return layout.edges.map(({ from, to, back, bends }) => {
    const lit = near?.has(from) === true && near.has(to);
    const look = near === undefined ? '' : lit ? 'is-lit' : 'is-faded';
    return {
      id: `${from}\n${to}`,
      source: from,
      target: to,
      type: 'routed',
      data: { bends, back },
      className: back ? `is-back ${look}` : look,
      zIndex: lit ? 1 : 0,
      domAttributes: { 'aria-hidden': true },
    };
  });
}

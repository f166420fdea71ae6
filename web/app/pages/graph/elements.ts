import type { PicturedTask } from '#surfaces/http/contract.js';
import { type Layout, NODE } from './layout.js';
import type { RoutedEdge } from './RoutedEdge.js';
import type { TaskNode } from './TaskNode.js';

/** Tasks as the drawing library wants them. `near` are those that stay bright while one is selected. */
export function nodesOf(
  tasks: readonly PicturedTask[],
  layout: Layout,
  selected: string | undefined,
  near: ReadonlySet<string> | undefined,
): TaskNode[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return layout.order.flatMap((id): TaskNode[] => {
    const task = byId.get(id);
    const position = layout.places.get(id);
    if (task === undefined || position === undefined) return [];
    const faded = near !== undefined && !near.has(id);
    return [
      {
        id,
        type: 'task',
        position: { ...position },
        width: NODE.width,
        height: NODE.height,
        data: task,
        ariaRole: 'button',
        domAttributes: { 'data-row': '' } as object,
        className: [id === selected ? 'is-selected' : '', faded ? 'is-faded' : ''].join(' '),
      },
    ];
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

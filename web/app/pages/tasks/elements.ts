import type { Answer } from '#surfaces/http/contract.js';
import type { GroupNode } from './GroupNode.js';
import { type Layout, NODE } from './layout.js';
import type { RoutedEdge } from './RoutedEdge.js';
import type { TaskNode } from './TaskNode.js';

export type Box = Answer<'graph.boxes'>['boxes'][number];

interface Drawn {
  /** Box that is selected. */
  readonly at: string | undefined;
  /** Boxes that stay bright while one is selected. */
  readonly near: ReadonlySet<string> | undefined;
  /** Time of the picture, if it is not now. */
  readonly then: number | undefined;
}

/** Converts boxes to nodes of the drawing library. */
export function nodesOf(
  boxes: readonly Box[],
  layout: Layout,
  { at: selected, near, then }: Drawn,
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
    const { task, group, cycle, critical = false } = box;
    if (group !== undefined) return [{ ...shared, type: 'group-of-tasks', data: { ...group, critical } }];
    if (task === undefined) return [];
    return [
      { ...shared, type: 'task', data: { task, cycle, critical, then }, domAttributes: { 'data-row': '' } as object },
    ];
  });
}

/** Edges; those of the critical path, and of the selected task, are lit. */
export function edgesOf(layout: Layout, boxes: readonly Box[], near: ReadonlySet<string> | undefined): RoutedEdge[] {
  const critical = new Set(boxes.flatMap((box) => (box.critical === true ? [box.id] : [])));
  const cycles = new Map(boxes.map(({ id, cycle }) => [id, cycle]));
  const afterOf = new Map(boxes.map(({ id, after }) => [id, after]));
  const edges = layout.edges.filter(({ from, to }) => afterOf.has(from) && afterOf.get(to)?.includes(from));
  return edges.map(({ from, to, back, bends }) => {
    const lit = near === undefined ? critical.has(from) && critical.has(to) : near.has(from) && near.has(to);
    const look = lit ? 'is-lit' : near === undefined ? '' : 'is-faded';
    const cycle = back ? cycles.get(to) : undefined;
    return {
      id: `${from}\n${to}`,
      source: from,
      target: to,
      type: 'routed',
      data: { bends, back, ...(cycle === undefined ? {} : { label: `↻ ${cycle.iteration}/${cycle.most}` }) },
      className: back ? `is-back ${look}` : look,
      zIndex: lit ? 1 : 0,
      domAttributes: { 'aria-hidden': true },
    };
  });
}

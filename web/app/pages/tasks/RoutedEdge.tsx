import { BaseEdge, type Edge, type EdgeProps } from '@xyflow/react';
import { NODE, type Point } from './layout.js';

export type RoutedEdge = Edge<{ bends: readonly Point[]; back: boolean; label?: string }, 'routed'>;

/** Height that a back edge takes below the tasks it connects, in pixels. */
const RETURN_DEPTH = 36;

export function RoutedEdgeView({ id, sourceX, sourceY, targetX, targetY, data }: EdgeProps<RoutedEdge>) {
  const from = { x: sourceX, y: sourceY };
  const to = { x: targetX, y: targetY };
  const path = data?.back === true ? returnPath(from, to) : throughBends(from, data?.bends ?? [], to);
  if (data?.label === undefined) return <BaseEdge id={id} path={path} interactionWidth={0} />;
  const place = { x: (from.x + to.x) / 2, y: lowOf(from, to) - NODE.height / 4 };
  return (
    <>
      <BaseEdge id={id} path={path} interactionWidth={0} />
      <text className="edge-count" {...place} textAnchor="middle">
        {data.label}
      </text>
    </>
  );
}

/** Path that curves between layers and is straight where it passes one, so that no edge runs behind a task. */
function throughBends(from: Point, bends: readonly Point[], to: Point): string {
  let path = `M${from.x},${from.y}`;
  let at = from;
  const half = NODE.width / 2;
  for (const bend of bends) {
    path += curve(at, { x: bend.x - half, y: bend.y });
    at = { x: bend.x + half, y: bend.y };
    path += `L${at.x},${at.y}`;
  }
  return path + curve(at, to);
}

function curve(from: Point, to: Point): string {
  const pull = Math.max(24, (to.x - from.x) / 2);
  return `C${from.x + pull},${from.y} ${to.x - pull},${to.y} ${to.x},${to.y}`;
}

const lowOf = (from: Point, to: Point): number => Math.max(from.y, to.y) + NODE.height / 2 + RETURN_DEPTH;

/** Path of an edge that closes a cycle: leaves to the right, runs back below, enters from the left. */
function returnPath(from: Point, to: Point): string {
  const low = lowOf(from, to);
  const middle = (from.x + to.x) / 2;
  return `M${from.x},${from.y}C${from.x + 60},${from.y} ${from.x + 60},${low} ${middle},${low}C${to.x - 60},${low} ${to.x - 60},${to.y} ${to.x},${to.y}`;
}

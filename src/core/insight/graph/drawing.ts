/**
 * Boxes in layers: shared lines, rows, ports, tracks between rows, lanes of edges that lead back.
 * @packageDocumentation
 */

import { Canvas } from '#core/insight/canvas.js';
import { addTo } from '#core/insight/gathering.js';
import type { Glyphs } from '#core/insight/glyphs.js';
import type { Line, Tone } from '#core/insight/picture.js';
import { numberAt, numberOf } from '#kernel/numbers.js';
import type { Box } from './boxes.js';
import { type Routed, routeChannel, type Wire } from './channel.js';
import type { Meeting, ReturnTrack } from './returns.js';
import type { Scaffold, Slot } from './scaffold.js';

/** All elements with horizontal positions; heights follow from it. */
export interface DrawingPlan {
  readonly scaffold: Scaffold;
  readonly boxes: ReadonlyMap<string, Box>;
  readonly nets: number;
  readonly meetings: readonly (readonly Meeting[])[];
  readonly lanes: readonly ReturnTrack[];
  readonly width: number;
}

export interface Drawn {
  readonly lines: readonly Line[];
  /** Numbers of nets (and, after them, of returns) that could not be drawn unambiguously. */
  readonly failed: readonly number[];
}

/** Draws boxes, lines and lanes from top to bottom. */
export function draw(plan: DrawingPlan, glyphs: Glyphs): Drawn {
  const { scaffold, lanes, nets, width } = plan;
  const { rows } = scaffold;
  const failed = new Set<number>();
  lanes.forEach((lane, index) => {
    if (lane.column >= width) failed.add(nets + index);
  });
  const canvas = new Canvas(glyphs);
  const tops: number[] = [];
  const routes: { top: number; height: number; wires: readonly Routed[] }[] = [];
  let y = 0;
  for (let row = 0; row <= rows.length; row++) {
    const { wires, passed } = wiresOf(plan, row);
    const route = routeChannel(wires, width, passed);
    for (const net of route.stuck) failed.add(net);
    const arrows = (rows[row] ?? []).some((slot) => slot.id !== undefined && slot.above.size > 0);
    const least = row > 0 && row < rows.length ? 1 : 0;
    const height = Math.max(least, route.tracks + (arrows ? 1 : 0));
    routes.push({ top: y, height, wires: route.wires });
    y += height;
    tops.push(y);
    y += Math.max(0, ...(rows[row] ?? []).map((slot) => plan.boxes.get(slot.id ?? '')?.height ?? 1));
  }
  rows.forEach((slots, row) => {
    for (const slot of slots)
      drawSlot(plan, slot, { top: numberAt(tops, row), next: routes[row + 1]?.top ?? 0 }, canvas, glyphs);
  });
  const ends = new Map<number, number[]>();
  drawMeetings(plan, tops, canvas, glyphs, ends);
  for (const { top, height, wires } of routes) {
    for (const wire of wires) drawWire(plan, wire, top, height, canvas, ends);
    drawSeams(wires, top, canvas);
  }
  lanes.forEach((lane, index) => {
    const heights = ends.get(nets + index) ?? [];
    if (heights.length > 0)
      canvas.upright(nets + index, lane.column, Math.min(...heights), Math.max(...heights), 'return');
  });
  const lines = canvas.lines();
  return { lines, failed: [...failed, ...canvas.clashes] };
}

/** Wires of a channel by their start and end columns, and the columns of lanes that pass it. */
function wiresOf({ scaffold, nets, meetings, lanes }: DrawingPlan, row: number): { wires: Wire[]; passed: number[] } {
  const wires = (scaffold.channels[row] ?? []).map(
    (joint): Wire => ({
      net: joint.net,
      tops: joint.left.map((slot) => slot.x + numberOf(slot.below, joint)),
      bottoms: joint.right.map((slot) => slot.x + numberOf(slot.above, joint)),
    }),
  );
  const passed: number[] = [];
  lanes.forEach((lane, index) => {
    if (lane.from <= row && row - 1 <= lane.to) passed.push(lane.column);
    for (const { id, arrow, line } of meetings[index] ?? []) {
      const slot = scaffold.boxes.get(id);
      if (slot === undefined || line !== undefined || slot.row + (arrow ? 0 : 1) !== row) continue;
      const column = slot.x + ((arrow ? slot.above : slot.below).get(index) ?? 0);
      const net = nets + index;
      wires.push(
        arrow ? { net, tops: [], bottoms: [column, lane.column] } : { net, tops: [column, lane.column], bottoms: [] },
      );
    }
  });
  return { wires, passed };
}

/** Draws a box with its outgoing junctions, or a passing line, and the lines from it down to the next channel. */
function drawSlot(
  plan: DrawingPlan,
  slot: Slot,
  at: { top: number; next: number },
  canvas: Canvas,
  glyphs: Glyphs,
): void {
  const box = plan.boxes.get(slot.id ?? '');
  if (box === undefined) {
    if (slot.net !== undefined) canvas.upright(slot.net, slot.x, at.top - 1, at.next, 'line');
    return;
  }
  const { corners, flat, side, below } = box.node.critical ? glyphs.strongBox : glyphs.box;
  const tone: Tone = box.node.critical ? 'critical' : box.node.state;
  for (const [ending, offset] of slot.above) {
    const arrow: Tone = typeof ending === 'number' ? 'return' : 'line';
    canvas.write(slot.x + offset, at.top - 1, [{ text: glyphs.down, tone: arrow }]);
  }
  const leaving = slot.below;
  const floor = [...flat.repeat(box.breadth - 2)];
  for (const offset of leaving.values()) floor[offset - 1] = below;
  const write = (y: number, text: string) => canvas.write(slot.x, y, [{ text, tone }]);
  write(at.top, corners[0] + flat.repeat(box.breadth - 2) + corners[1]);
  box.lines.forEach((line, index) => {
    canvas.write(slot.x, at.top + 1 + index, [
      { text: side, tone },
      { text: ' ' },
      ...line,
      { text: ' ' },
      { text: side, tone },
    ]);
  });
  const bottom = at.top + box.height - 1;
  write(bottom, corners[2] + floor.join('') + corners[3]);
  if (box.selfLoop) {
    canvas.write(slot.x + box.breadth, at.top + 1, [{ text: glyphs.left + glyphs.arms[12], tone: 'return' }]);
    for (let y = at.top + 2; y < bottom; y++)
      canvas.write(slot.x + box.breadth + 1, y, [{ text: glyphs.arms[5], tone: 'return' }]);
    write(bottom, corners[2] + floor.join('') + glyphs.arms[11]);
    canvas.write(slot.x + box.breadth, bottom, [{ text: glyphs.arms[10] + glyphs.arms[9], tone: 'return' }]);
  }
  for (const [ending, offset] of leaving) {
    const net = typeof ending === 'number' ? plan.nets + ending : ending.net;
    canvas.upright(net, slot.x + offset, bottom, at.next, typeof ending === 'number' ? 'return' : 'line');
  }
}

/** Draws the ends of lanes at the sides of boxes. */
function drawMeetings(
  plan: DrawingPlan,
  tops: readonly number[],
  canvas: Canvas,
  glyphs: Glyphs,
  ends: Map<number, number[]>,
): void {
  plan.meetings.forEach((meetings, index) => {
    for (const { id, arrow, line } of meetings) {
      const slot = plan.scaffold.boxes.get(id);
      const box = plan.boxes.get(id);
      if (slot === undefined || box === undefined || line === undefined) continue;
      const y = numberAt(tops, slot.row) + 1 + line;
      const side = slot.x + box.breadth;
      if (arrow) canvas.write(side, y, [{ text: glyphs.left, tone: 'return' }]);
      else {
        const { beside } = box.node.critical ? glyphs.strongBox : glyphs.box;
        canvas.write(side - 1, y, [{ text: beside, tone: box.node.critical ? 'critical' : box.node.state }]);
      }
      canvas.level(plan.nets + index, y, arrow ? side : side - 1, plan.lanes[index]?.column ?? side, 'return');
      addTo(ends, plan.nets + index, y);
    }
  });
}

function drawWire(
  plan: DrawingPlan,
  wire: Routed,
  top: number,
  height: number,
  canvas: Canvas,
  ends: Map<number, number[]>,
): void {
  const back = wire.net >= plan.nets;
  const tone: Tone = back ? 'return' : 'line';
  const bottom = top + height;
  if (wire.track === undefined) {
    for (const x of wire.tops) canvas.upright(wire.net, x, top - 1, bottom, tone);
    return;
  }
  const y = top + wire.track;
  const lane = back ? plan.lanes[wire.net - plan.nets]?.column : undefined;
  for (const x of wire.tops) if (x !== lane) canvas.upright(wire.net, x, top - 1, y, tone);
  for (const x of wire.bottoms) if (x !== lane) canvas.upright(wire.net, x, y, bottom, tone);
  canvas.level(wire.net, y, wire.from, wire.to, tone);
  if (lane !== undefined) addTo(ends, wire.net, y);
}

/** Joins the halves of split wires. */
function drawSeams(wires: readonly Routed[], top: number, canvas: Canvas): void {
  const upper = new Map<number, number>();
  for (const { net, seam, track } of wires) {
    if (seam === undefined || track === undefined) continue;
    const from = upper.get(seam);
    if (from === undefined) upper.set(seam, top + track);
    else canvas.upright(net, seam, from, top + track, 'line');
  }
}

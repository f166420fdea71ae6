import { CHARACTER, svg, textWidth, ticks } from '#core/review/html/charts.js';
import { escapeHtml } from '#core/review/html/escape.js';
import type { Report, StepReport } from '#core/review/report.js';
import { cutTo } from '#kernel/cells.js';
import { formatDuration } from '#kernel/duration.js';
import { compareText } from '#kernel/order.js';

const LANE = 24;
const NAME_COLUMN = 132;

interface Bar {
  readonly step: StepReport;
  readonly from: number;
  readonly to: number;
}

/** Timeline of steps: a block of lanes per member, a bar per step with its name in or beside it. */
export function timelineChart(report: Report, width: number): string {
  const narrow = width < 500;
  const began = Date.parse(report.started_at);
  const bars = report.steps.flatMap((step): Bar[] => {
    const from = step.started_at === null ? Number.NaN : Date.parse(step.started_at) - began;
    if (Number.isNaN(from)) return [];
    const end = step.completed_at === null ? Number.NaN : Date.parse(step.completed_at) - began;
    // A step that is in progress when the report is written, such as the report itself, extends to this moment.
    const now = step.status === 'in-progress' ? Date.parse(report.finished_at) - began : from + (step.duration_ms ?? 0);
    const to = Number.isNaN(end) ? now : end;
    return [{ step, from: Math.max(0, from), to: Math.max(from, to) }];
  });
  if (bars.length === 0) return '';
  const most = Math.max(1_000, ...bars.map((bar) => bar.to));
  const left = narrow ? 0 : NAME_COLUMN;
  const right = width - 8;
  const x = (time: number) => left + (time / most) * (right - left);
  const parts: string[] = [];
  let top = 24;
  for (const [member, own] of byMember(bars)) {
    const role = own[0]?.step.role ?? '';
    if (narrow) {
      const full = cutTo(role === '' ? member : `${member}, ${role}`, 50);
      parts.push(`<text class="strong" x="0" y="${top + 12}">${escapeHtml(full)}</text>`);
      top += 20;
    } else {
      parts.push(`<text class="strong" x="0" y="${top + 16}">${escapeHtml(cutTo(member, 18))}</text>`);
    }
    const nameTop = top;
    const laneEnds: number[] = [];
    for (const bar of own) {
      const drawn = draw(bar, x, left, right);
      let lane = laneEnds.findIndex((end) => end + 8 <= drawn.left);
      if (lane === -1) lane = laneEnds.push(0) - 1;
      laneEnds[lane] = drawn.right;
      parts.push(drawn.at(top + lane * LANE));
    }
    if (!narrow && laneEnds.length > 1) {
      parts.push(`<text class="note" x="0" y="${nameTop + 32}">${escapeHtml(cutTo(role, 21))}</text>`);
    }
    top += laneEnds.length * LANE + 8;
    parts.push(`<line class="axis" x1="0" x2="${width}" y1="${top - 4}" y2="${top - 4}"/>`);
  }
  const marks = ticks(most / 1_000, narrow ? 4 : 8).map((second) => {
    const at = x(second * 1_000);
    const anchor = at > right - 16 ? 'end' : 'middle';
    return `<line class="axis" x1="${at.toFixed(1)}" x2="${at.toFixed(1)}" y1="20" y2="${top - 4}"/><text class="note" x="${at.toFixed(1)}" y="12" text-anchor="${anchor}">${formatDuration(second * 1_000)}</text>`;
  });
  const members = new Set(bars.map((bar) => bar.step.member)).size;
  return svg(
    width,
    top,
    `Timeline: ${bars.length} steps by ${members} members in ${formatDuration(most)}`,
    [...marks, ...parts].join(''),
  );
}

/** Bars by member, both in order of their start. */
function byMember(bars: readonly Bar[]): Map<string, Bar[]> {
  const sorted = [...bars].sort((one, other) => one.from - other.from || compareText(one.step.node, other.step.node));
  const groups = new Map<string, Bar[]>();
  for (const bar of sorted) groups.set(bar.step.member, [...(groups.get(bar.step.member) ?? []), bar]);
  return groups;
}

/** Draws a bar with its label inside, after or before it, depending on space, and returns its extent. */
function draw(
  bar: Bar,
  x: (time: number) => number,
  left: number,
  right: number,
): { left: number; right: number; at: (top: number) => string } {
  const start = x(bar.from);
  const length = Math.max(3, x(bar.to) - start);
  const label = `${bar.step.title}, ${formatDuration(bar.to - bar.from)}`;
  const tone =
    bar.step.status === 'failed'
      ? 'var(--failed)'
      : bar.step.has_evidence || bar.step.type !== 'run'
        ? 'var(--accent)'
        : 'var(--quiet)';
  const rooms = { inside: length - 12, behind: right - start - length - 6, before: start - left - 6 };
  const places = ['inside', 'behind', 'before'] as const;
  const widest = [...places].sort((one, other) => rooms[other] - rooms[one])[0] ?? 'behind';
  const place = places.find((name) => textWidth(label) <= rooms[name]) ?? widest;
  const visible = cutTo(label, Math.max(1, Math.floor(rooms[place] / CHARACTER)));
  const size = textWidth(visible);
  const from = place === 'before' ? start - 6 - size : start;
  const to = place === 'behind' ? start + length + 6 + size : start + length;
  const text =
    place === 'inside'
      ? { x: start + 6, fill: 'var(--page)' }
      : { x: place === 'before' ? from : start + length + 6, fill: 'var(--text)' };
  return {
    left: from,
    right: to,
    at: (top) =>
      `<rect x="${start.toFixed(1)}" y="${top + 4}" width="${length.toFixed(1)}" height="16" rx="2" fill="${tone}"/>` +
      `<text x="${text.x.toFixed(1)}" y="${top + 16}" style="fill:${text.fill}">${escapeHtml(visible)}</text>`,
  };
}

/**
 * The parts of the HTML page: style, charts, timeline, escaping.
 * @packageDocumentation
 */
import { SEVERITIES } from '#core/review/finding.js';
import { heat } from '#core/review/history.js';
import { escapeHtml } from '#core/review/html/escape.js';
import type { Report } from '#core/review/report.js';
import { cellsOf } from '#kernel/cells.js';
import { cut } from '#kernel/text.js';

/** Generous average width of a narrow character in the charts' 12-px text, so that labels do not touch. */
export const CHARACTER = 6.6;
export const textWidth = (text: string): number => cellsOf(text) * CHARACTER;

export interface ChartBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const overlaps = (one: ChartBox, other: ChartBox): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** An SVG with an accessible name. Colours come from CSS variables of the page, so themes apply. */
export function svg(width: number, height: number, name: string, content: string): string {
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(name)}" xmlns="http://www.w3.org/2000/svg">${content}</svg>`;
}

/** Bar chart of findings by severity, with name and number. */
export function severityChart(report: Report, width: number): string {
  const row = 28;
  const left = 72;
  const most = Math.max(1, ...SEVERITIES.map((severity) => report.counts[severity]));
  const bars = SEVERITIES.map((severity, index) => {
    const count = report.counts[severity];
    const middle = index * row + row / 2;
    const length = count === 0 ? 0 : Math.max(3, (count / most) * (width - left - 48));
    return [
      `<text x="0" y="${middle + 4}" class="${count === 0 ? 'note' : ''}">${severity}</text>`,
      length === 0
        ? ''
        : `<rect x="${left}" y="${middle - 8}" width="${length.toFixed(1)}" height="16" rx="2" fill="var(--${severity})"/>`,
      `<text x="${(left + length + (count === 0 ? 0 : 8)).toFixed(1)}" y="${middle + 4}" class="${count === 0 ? 'note' : 'strong'}">${count}</text>`,
    ].join('');
  });
  const description = SEVERITIES.map((severity) => `${report.counts[severity]} ${severity}`).join(', ');
  return svg(width, SEVERITIES.length * row, `Findings by severity: ${description}`, bars.join(''));
}

/** Axis ticks up to a maximum, at most `count`, at steps of 1, 2 or 5 times a power of ten. */
export function ticks(most: number, count: number): number[] {
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = Math.max(1, [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? 1);
  return Array.from({ length: Math.floor(most / step) }, (_, index) => (index + 1) * step);
}

/** Scatter chart of commits and lines per file; the area of a dot is the number of changed lines. */
export function hotspotChart(report: Report, width: number, height: number): string {
  const frame = { left: 44, right: width - 16, top: 20, bottom: height - 36 };
  const mostCommits = Math.max(2, ...report.hotspots.map((spot) => spot.commits)) * 1.08;
  const mostLines = Math.max(10, ...report.hotspots.map((spot) => spot.lines)) * 1.08;
  const mostChurn = Math.max(1, ...report.hotspots.map((spot) => spot.churn));
  const x = (commits: number) => frame.left + (commits / mostCommits) * (frame.right - frame.left);
  const y = (lines: number) => frame.bottom - (lines / mostLines) * (frame.bottom - frame.top);
  const axes = [
    ...ticks(mostLines, 4).map(
      (lines) =>
        `<line class="axis" x1="${frame.left}" x2="${frame.right}" y1="${y(lines).toFixed(1)}" y2="${y(lines).toFixed(1)}"/><text class="note" x="${frame.left - 8}" y="${(y(lines) + 4).toFixed(1)}" text-anchor="end">${lines}</text>`,
    ),
    `<line class="axis" x1="${frame.left}" x2="${frame.right}" y1="${frame.bottom}" y2="${frame.bottom}"/>`,
    ...ticks(mostCommits, width < 500 ? 4 : 8).map(
      (commits) =>
        `<text class="note" x="${x(commits).toFixed(1)}" y="${frame.bottom + 16}" text-anchor="middle">${commits}</text>`,
    ),
    `<text class="note" x="0" y="10">lines</text>`,
    `<text class="note" x="${frame.right}" y="${height - 4}" text-anchor="end">commits in twelve months</text>`,
  ];
  const dots = report.hotspots.map((spot) => ({
    spot,
    x: x(spot.commits),
    y: y(spot.lines),
    radius: 3 + 11 * Math.sqrt(spot.churn / mostChurn),
  }));
  const occupied: ChartBox[] = dots.map((dot) => ({
    left: dot.x - dot.radius,
    right: dot.x + dot.radius,
    top: dot.y - dot.radius,
    bottom: dot.y + dot.radius,
  }));
  const labels: string[] = [];
  const budget = width < 500 ? 6 : 12;
  for (const [index, dot] of [...dots].sort((left, right) => heat(right.spot) - heat(left.spot)).entries()) {
    if (index >= budget * 2 || labels.length >= budget) break;
    const name = cut(dot.spot.file.slice(dot.spot.file.lastIndexOf('/') + 1), 28);
    const size = textWidth(name);
    const places = [
      { anchor: 'start', left: dot.x + dot.radius + 4, top: dot.y - 7 },
      { anchor: 'end', left: dot.x - dot.radius - 4 - size, top: dot.y - 7 },
      { anchor: 'middle', left: dot.x - size / 2, top: dot.y - dot.radius - 17 },
      { anchor: 'middle', left: dot.x - size / 2, top: dot.y + dot.radius + 2 },
    ];
    for (const place of places) {
      const box = { left: place.left, right: place.left + size, top: place.top, bottom: place.top + 14 };
      if (box.left < frame.left || box.right > frame.right + 16 || box.top < 12 || box.bottom > frame.bottom) continue;
      if (occupied.some((other) => overlaps(box, other))) continue;
      occupied.push(box);
      const at = place.anchor === 'start' ? box.left : place.anchor === 'end' ? box.right : (box.left + box.right) / 2;
      labels.push(
        `<text x="${at.toFixed(1)}" y="${(box.top + 11).toFixed(1)}" text-anchor="${place.anchor}">${escapeHtml(name)}</text>`,
      );
      break;
    }
  }
  const circles = dots.map(
    (dot) =>
      `<circle cx="${dot.x.toFixed(1)}" cy="${dot.y.toFixed(1)}" r="${dot.radius.toFixed(1)}" fill="var(--accent)" fill-opacity=".55" stroke="var(--accent)"><title>${escapeHtml(`${dot.spot.file}: ${dot.spot.commits} commits, ${dot.spot.lines} lines, ${dot.spot.churn} changed`)}</title></circle>`,
  );
  const [top] = report.hotspots;
  const description = top
    ? `Hot spots. The greatest: ${top.file}, ${top.commits} commits, ${top.lines} lines`
    : 'Hot spots';
  return svg(width, height, description, [...axes, ...circles, ...labels].join(''));
}

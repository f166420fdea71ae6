import { cellsOf, cutTo, padTo } from '#kernel/cells.js';
import { formatDuration } from '#kernel/duration.js';
import { inert } from '#kernel/text.js';
import type { Screen } from './screen.js';
import { paintState, shownState } from './status-mark.js';

interface Bar {
  readonly id: string;
  readonly status: string;
  readonly from: string;
  readonly to: string;
}

interface Lanes {
  readonly from: string | null;
  readonly to: string | null;
  readonly lanes: readonly (readonly Bar[])[];
}

const WIDTH_MOST = 72;
const WIDTH_LEAST = 16;
const NAME_MOST = 32;

/** Lanes over time: a line a task, and the number of its lane in front; tasks of one lane came one after another. */
export function printTimeline(timeline: Lanes, screen: Screen): void {
  screen.line();
  if (timeline.from === null || timeline.to === null) {
    screen.line('Nothing of it was started yet.');
    return;
  }
  const begin = Date.parse(timeline.from);
  const span = Math.max(1, Date.parse(timeline.to) - begin);
  const bars = timeline.lanes.flatMap((lane, index) => lane.map((bar) => ({ bar, lane: index + 1 })));
  const nameWidth = Math.min(NAME_MOST, Math.max(4, ...bars.map(({ bar }) => cellsOf(inert(bar.id)))));
  const laneWidth = Math.max(4, String(timeline.lanes.length).length);
  const width = Math.max(WIDTH_LEAST, Math.min(WIDTH_MOST, screen.width - nameWidth - laneWidth - 14));
  const column = (time: string) => Math.round(((Date.parse(time) - begin) / span) * width);
  const all = formatDuration(span);
  const scale = `0${' '.repeat(Math.max(1, width - 1 - all.length))}${all}`;
  screen.line(screen.colour.dim(`${'LANE'.padEnd(laneWidth)}  ${'TASK'.padEnd(nameWidth)}  ${scale}`));
  for (const { bar, lane } of bars) {
    const start = Math.min(column(bar.from), width - 1);
    const length = Math.max(1, column(bar.to) - start);
    const drawn = paintState((screen.unicode ? '█' : '#').repeat(length), shownState(bar.status, false), screen);
    const name = padTo(cutTo(inert(bar.id), nameWidth), nameWidth);
    const took = formatDuration(Date.parse(bar.to) - Date.parse(bar.from));
    const rest = ' '.repeat(Math.max(0, width - start - length));
    screen.line(`${String(lane).padStart(laneWidth)}  ${name}  ${' '.repeat(start)}${drawn}${rest}  ${took}`);
  }
}

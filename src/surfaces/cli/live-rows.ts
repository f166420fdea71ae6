import { type ShownState, wordOf } from '#core/graph/status-look.js';
import { cutTo, padTo } from '#kernel/cells.js';
import { formatDuration } from '#kernel/duration.js';
import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from './screen.js';
import { paintState, shownState, stateMark } from './status-mark.js';

/** A task as the picture of the graph has it. */
export type LiveTask = AnswerOf<'graph.picture'>['tasks'][number];

const FIRST: readonly ShownState[] = ['in-progress', 'failed', 'pending-validation', 'ready', 'waiting', 'blocked'];
const MEMBER_WIDTH = 12;

/** How long a task has been at it, or was. */
export function elapsedOf(task: LiveTask, now: number): string {
  const start = Date.parse(task.started_at ?? '');
  if (Number.isNaN(start)) return '';
  const end = Date.parse(task.completed_at ?? '');
  return formatDuration((Number.isNaN(end) ? now : end) - start);
}

/**
 * The rows of the live view: who does what, how it stands, how long. When there are more tasks than the terminal has
 * lines, the running and the failed come first and the rest is counted.
 */
export function liveRows(tasks: readonly LiveTask[], screen: Screen, rows: number, now: number): string[] {
  const { colour } = screen;
  const stateOf = (task: LiveTask) => shownState(task.state, task.state === 'ready');
  const rank = (task: LiveTask) => {
    const place = FIRST.indexOf(stateOf(task));
    return place === -1 ? FIRST.length : place;
  };
  const shown =
    tasks.length <= rows ? [...tasks] : [...tasks].sort((left, right) => rank(left) - rank(right)).slice(0, rows - 1);
  const width = Math.max(30, screen.width - MEMBER_WIDTH - 32);
  const lines = shown.map((task) => {
    const state = stateOf(task);
    const mark = paintState(stateMark(state, screen, wordOf(state, task.live)).padEnd(15), state, screen);
    const member = padTo(cutTo(inert(task.member ?? ''), MEMBER_WIDTH), MEMBER_WIDTH);
    const why = state === 'failed' && task.reason ? `  ${inert(task.reason)}` : '';
    const title = padTo(cutTo(`${inert(task.title)}${why}`, width), width);
    return `  ${mark} ${colour.bold(member)} ${title} ${colour.dim(elapsedOf(task, now).padStart(8))}`;
  });
  if (shown.length < tasks.length) lines.push(colour.dim(`  and ${tasks.length - shown.length} more`));
  const done = tasks.filter((task) => ['done', 'failed', 'abandoned'].includes(task.state)).length;
  return [...lines, '', `  ${bar(done, tasks.length, screen)} ${done} of ${tasks.length}`];
}

function bar(done: number, total: number, screen: Screen): string {
  const width = 24;
  const full = total === 0 ? 0 : Math.round((done / total) * width);
  const [on, off] = screen.unicode ? ['━', '─'] : ['#', '-'];
  return `${screen.colour.green(on.repeat(full))}${screen.colour.dim(off.repeat(width - full))}`;
}

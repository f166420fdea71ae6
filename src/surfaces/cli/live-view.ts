import { type ShownState, toneOf, wordOf } from '#core/graph/status-look.js';
import { cutTo, padTo } from '#kernel/cells.js';
import { formatDuration } from '#kernel/duration.js';
import { inert } from '#kernel/text.js';
import type { AnswerOf, Screen } from './screen.js';
import { paintState, shownState, stateMark } from './status-mark.js';
import { terminalSize } from './terminal-size.js';

const REDRAW_MS = 100;
const CLEAR_TO_END = '\u001b[0J';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

/** Shows the states of tasks: rows redrawn in place on a terminal, one line per change elsewhere. */
export interface LiveView {
  show(tasks: readonly LiveTask[]): void;
  /** Draws the last state and restores the terminal. Idempotent. */
  end(): void;
}

/** Rows redrawn in place at most ten times a second, and once a second without a change to update elapsed times. */
export function rowsOnTerminal(out: NodeJS.WriteStream, screen: Screen, now: () => number): LiveView {
  let tasks: readonly LiveTask[] = [];
  let drawn = 0;
  let ended = false;
  let soon: NodeJS.Timeout | undefined;
  const draw = () => {
    soon = undefined;
    const { columns, rows } = terminalSize(out);
    const lines = liveRows(tasks, { ...screen, width: columns }, Math.max(4, rows - 6), now());
    out.write(`${drawn > 0 ? `\u001b[${drawn}A\r` : HIDE_CURSOR}${CLEAR_TO_END}${lines.join('\n')}\n`);
    drawn = lines.length;
  };
  const clock = setInterval(draw, 1_000);
  return {
    show: (next) => {
      tasks = next;
      if (!ended) soon ??= setTimeout(draw, REDRAW_MS);
    },
    end: () => {
      if (ended) return;
      ended = true;
      clearInterval(clock);
      clearTimeout(soon);
      draw();
      out.write(SHOW_CURSOR);
    },
  };
}

/** One line per change, with its time: for pipes, logs and continuous integration. */
export function linesForPipes(screen: Screen, now: () => number): LiveView {
  const states = new Map<string, string>();
  return {
    show: (tasks) => {
      for (const task of tasks) {
        const before = states.get(task.id);
        if (before === task.state) continue;
        states.set(task.id, task.state);
        if (before === undefined && (task.state === 'open' || task.state === 'ready')) continue;
        const state = shownState(task.state, task.state === 'ready');
        if (state === 'ready') continue;
        const time = new Date(now()).toISOString().slice(11, 19);
        const took = state === 'in-progress' ? '' : `  ${elapsedOf(task, now())}`;
        const why = state === 'failed' && task.reason ? `  ${inert(task.reason)}` : '';
        screen.aside(
          `${time}  ${stateMark(state, screen, wordOf(state, undefined, task.check)).padEnd(MARK_WIDTH)}  ${padTo(inert(task.member ?? ''), 12)}  ${inert(task.title)}${took}${why}`,
        );
      }
    },
    end: () => undefined,
  };
}

/** A task in the answer of `graph.picture`. */
export type LiveTask = AnswerOf<'graph.picture'>['tasks'][number];

const FIRST: readonly ShownState[] = ['in-progress', 'failed', 'pending-validation', 'ready', 'waiting', 'blocked'];
const MEMBER_WIDTH = 12;
/** Columns that fit `● done · exit 127`. */
const MARK_WIDTH = 17;

/** Running time of a task so far, or in total; empty if it has not started. */
function elapsedOf(task: LiveTask, now: number): string {
  const start = Date.parse(task.started_at ?? '');
  if (Number.isNaN(start)) return '';
  const end = Date.parse(task.completed_at ?? '');
  return formatDuration((Number.isNaN(end) ? now : end) - start);
}

/**
 * Rows of the live view: state, member, title and running time. If there are more tasks than rows, running and failed
 * tasks come first and the others are counted.
 */
export function liveRows(tasks: readonly LiveTask[], screen: Screen, rows: number, now: number): string[] {
  const { colour } = screen;
  const stateOf = (task: LiveTask) => shownState(task.state, task.state === 'ready');
  const rank = (task: LiveTask) => {
    const place = FIRST.indexOf(stateOf(task));
    return place === -1 ? FIRST.length : place;
  };
  const visible =
    tasks.length <= rows ? [...tasks] : [...tasks].sort((left, right) => rank(left) - rank(right)).slice(0, rows - 1);
  const width = Math.max(30, screen.width - MEMBER_WIDTH - MARK_WIDTH - 17);
  const lines = visible.map((task) => {
    const state = stateOf(task);
    const word = wordOf(state, task.live, task.check);
    const mark = paintState(stateMark(state, screen, word).padEnd(MARK_WIDTH), toneOf(state, task.check), screen);
    const member = padTo(cutTo(inert(task.member ?? ''), MEMBER_WIDTH), MEMBER_WIDTH);
    const why = state === 'failed' && task.reason ? `  ${inert(task.reason)}` : '';
    const title = padTo(cutTo(`${inert(task.title)}${why}`, width), width);
    return `  ${mark} ${colour.bold(member)} ${title} ${colour.dim(elapsedOf(task, now).padStart(8))}`;
  });
  if (visible.length < tasks.length) lines.push(colour.dim(`  and ${tasks.length - visible.length} more`));
  const done = tasks.filter((task) => ['done', 'failed', 'abandoned'].includes(task.state)).length;
  return [...lines, '', `  ${bar(done, tasks.length, screen)} ${done} of ${tasks.length}`];
}

function bar(done: number, total: number, screen: Screen): string {
  const width = 24;
  const full = total === 0 ? 0 : Math.round((done / total) * width);
  const [on, off] = screen.unicode ? ['━', '─'] : ['#', '-'];
  return `${screen.colour.green(on.repeat(full))}${screen.colour.dim(off.repeat(width - full))}`;
}

import { padTo } from '#kernel/cells.js';
import { inert } from '#kernel/text.js';
import { elapsedOf, type LiveTask, liveRows } from './live-rows.js';
import type { Screen } from './screen.js';
import { shownState, stateMark } from './status-mark.js';

const REDRAW_MS = 100;
const CLEAR_TO_END = '\u001b[0J';
const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';

/** Shows how the tasks stand: rows redrawn in place on a terminal, a line a change elsewhere. */
export interface LiveView {
  show(tasks: readonly LiveTask[]): void;
  /** Draws the last state and gives the terminal back. Safe twice. */
  end(): void;
}

/** Redraws in place, at most ten times a second; once a second by itself, so that clocks move. */
export function rowsOnTerminal(out: NodeJS.WriteStream, screen: Screen, now: () => number): LiveView {
  let tasks: readonly LiveTask[] = [];
  let drawn = 0;
  let ended = false;
  let soon: NodeJS.Timeout | undefined;
  const draw = () => {
    soon = undefined;
    const rows = Math.max(4, (out.rows ?? 24) - 6);
    const lines = liveRows(tasks, { ...screen, width: out.columns ?? 80 }, rows, now());
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

/** One line a change, with its time: for pipes, logs and continuous integration. */
export function linesForPipes(screen: Screen, now: () => number): LiveView {
  const seen = new Map<string, string>();
  return {
    show: (tasks) => {
      for (const task of tasks) {
        const before = seen.get(task.id);
        if (before === task.state) continue;
        seen.set(task.id, task.state);
        if (before === undefined && (task.state === 'open' || task.state === 'ready')) continue;
        const state = shownState(task.state, task.state === 'ready');
        if (state === 'ready') continue;
        const time = new Date(now()).toISOString().slice(11, 19);
        const took = state === 'in-progress' ? '' : `  ${elapsedOf(task, now())}`;
        const why = state === 'failed' && task.reason ? `  ${inert(task.reason)}` : '';
        screen.aside(
          `${time}  ${stateMark(state, screen).padEnd(12)}  ${padTo(inert(task.member ?? ''), 12)}  ${inert(task.title)}${took}${why}`,
        );
      }
    },
    end: () => undefined,
  };
}

import { frameLayers } from '#core/history/replay-frames.js';
import { advance, keysIn, type Player, pauseAfter, press, startPlayer } from '#core/history/replay-player.js';
import { cutTo } from '#kernel/cells.js';
import { TroupeError } from '#kernel/errors.js';
import { compareText } from '#kernel/order.js';
import { inert } from '#kernel/text.js';
import type { History } from '#operations/history/history-shape.js';
import type { Screen } from './screen.js';
import { openStage, type Stage } from './stage.js';
import { printLayers } from './trace-picture.js';

type Frames = NonNullable<History['frames']>;

/** Plays the frames on a terminal until the person quits. */
export async function playFrames(history: History, screen: Screen, stage: Stage | undefined): Promise<void> {
  const frames = history.frames ?? [];
  if (stage === undefined)
    throw new TroupeError('no_terminal', { what: 'An animation needs a terminal for input and output.' });
  if (frames.length === 0) {
    screen.line('The log has nothing about this task: there is nothing to play.');
    return;
  }
  const times = frames.map((frame) => frame.timestamp);
  const opened = openStage(stage);
  let player = startPlayer(frames.length, history.speed ?? 10);
  try {
    await new Promise<void>((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined;
      const guarded = (change: () => void) => {
        try {
          change();
          if (player.ended) return resolve();
          opened.draw(picture(player, history, frames, { ...screen, width: opened.columns() }, opened.rows()));
          clearTimeout(timer);
          if (player.playing) timer = setTimeout(() => guarded(next), pauseAfter(player, times));
        } catch (error) {
          reject(error);
        }
      };
      const next = () => {
        player = advance(player);
      };
      opened.onKeys((data) =>
        guarded(() => {
          for (const key of keysIn(data)) player = press(player, key);
        }),
      );
      opened.onResize(() => guarded(() => undefined));
      opened.onEnd(() =>
        guarded(() => {
          player = press(player, 'quit');
        }),
      );
      guarded(() => undefined);
      void opened.closed.then(() => clearTimeout(timer));
    });
  } finally {
    opened.close();
  }
}

function picture(player: Player, history: History, frames: Frames, screen: Screen, rows: number): string[] {
  const { colour } = screen;
  const frame = frames[player.at];
  if (frame === undefined) return [];
  const layers = frameLayers(frame.tasks);
  const tasks = frame.tasks
    .map((task) => ({ ...task, layer: layers.get(task.id) ?? 0 }))
    .sort((left, right) => left.layer - right.layer || compareText(left.id, right.id));
  const lines = printLayers(tasks, screen, frame.task_id);
  const room = Math.max(1, rows - 6);
  const marked = tasks.findIndex((task) => task.id === frame.task_id);
  const first = Math.max(0, Math.min(lines.length - room, marked - Math.floor(room / 2)));
  const visible = lines.slice(first, first + room);
  const hidden = lines.length - visible.length;
  const who = frame.actor === undefined ? '' : ` by ${inert(frame.actor)}`;
  const head = `${player.at + 1}/${frames.length}  ${frame.timestamp}  ${frame.type}  ${inert(frame.task_id ?? '')}${who}`;
  const state = player.playing ? 'playing' : player.at === frames.length - 1 ? 'end' : 'paused';
  const leftOut = (history.frames_left_out ?? 0) > 0 ? `  ${history.frames_left_out} earlier events left out` : '';
  return [
    colour.bold(cutTo(head, screen.width)),
    '',
    ...visible,
    ...(hidden > 0 ? [colour.dim(`and ${hidden} more`)] : []),
    '',
    colour.dim(
      cutTo(`${state}, ${player.speed}x${leftOut}   space pause  arrows step  + - speed  q quit`, screen.width),
    ),
  ];
}

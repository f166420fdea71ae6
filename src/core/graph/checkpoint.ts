import type { Plan } from '#core/graph/event.js';
import { withinLimit } from '#core/graph/lib/checks.js';
import { type MoveOptions, move, wrongStatus } from '#core/graph/lib/move.js';
import { checkFence } from '#core/graph/moves.js';
import { isTerminal, type Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import { taskOf } from '#core/graph/task-of.js';
import { timeOf } from '#core/graph/time.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { redact } from '#kernel/secrets.js';
import { cut } from '#kernel/text.js';
import type { Checkpoint } from './checkpoint-shape.js';

const CHECKPOINT_MARK = taskField('checkpoint_mark', anything);

/** Stores the summary on the task, where the next attempt's prompt starts with it; the rest is kept with the run. */
export function checkpointTask(
  view: GraphView,
  id: string,
  checkpoint: Pick<Checkpoint, 'summary' | 'type' | 'turn_count'>,
  options: MoveOptions,
): Plan<{ readonly id: string }> {
  const task = taskOf(view, id);
  checkFence(view, task, options.by);
  if (isTerminal(task.status)) throw wrongStatus(task, 'given a checkpoint');
  if (checkpoint.summary.trim() === '') throw new TroupeError('bad_input', { what: 'A checkpoint needs a summary.' });
  const summary = withinLimit('description', checkpoint.summary);
  const detail = { agent: options.by.name, type: checkpoint.type };
  const mark: JsonObject = {
    run: options.by.name,
    at: timestamp(options.now),
    ...(checkpoint.turn_count === null ? {} : { turns: checkpoint.turn_count }),
  };
  const set = { checkpoint: summary, checkpoint_mark: mark };
  return { events: [move(task, 'checkpoint', { ...options, detail }, set, [])], result: { id } };
}

/** Time in milliseconds and turn count of this run's last checkpoint; undefined if it has none. */
export function checkpointMark(task: Task, run: string): { at: number; turns?: number } | undefined {
  const mark = CHECKPOINT_MARK.of(task);
  if (!isJsonObject(mark) || mark['run'] !== run || typeof mark['at'] !== 'string') return undefined;
  return { at: timeOf(mark['at']), ...(typeof mark['turns'] === 'number' ? { turns: mark['turns'] } : {}) };
}

const LOG_LINES = 5;
const LINE_CHARACTERS = 500;
const OUTPUT_CHARACTERS = 2_000;

/** Summary made without a model: the attempt's last log messages, artifacts and output. */
export function automaticSummary(task: Task, run: string, output: string): string {
  const logged = (task.log ?? []).filter(({ actor }) => actor === run).slice(-LOG_LINES);
  const printed = output.trim().slice(-OUTPUT_CHARACTERS);
  const parts = [
    ...(logged.length > 0 ? ['Logged:', ...logged.map(({ message }) => `- ${cut(message, LINE_CHARACTERS)}`)] : []),
    ...(task.artifacts?.length ? [`Artifacts: ${cut(task.artifacts.join(', '), LINE_CHARACTERS)}`] : []),
    ...(printed === '' ? [] : ['Printed last:', printed]),
  ];
  return parts.length === 0 ? `${run} has no output yet.` : redact(parts.join('\n')); // the graph is committed to git
}

import { HUMAN } from '#core/graph/assignee.js';
import { editTask } from '#core/graph/edit.js';
import type { Plan } from '#core/graph/event.js';
import { logTask } from '#core/graph/moves.js';
import { isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { recordEvent } from '#core/playbooks/record.js';
import { type PersonMark, PlanBuilder, withNotes } from '#core/playbooks/run-moves.js';
import { TroupeError } from '#kernel/errors.js';
import { cutBytes } from '#kernel/fence.js';
import { FORMATION_LIMITS } from '#kernel/limits/formations.js';
import { isRunOver, type PlaybookRun, stepName } from './runs.js';

/**
 * Adds the instruction of a person to the steps in progress, or else to the next one; a formation also logs it. Returns
 * the ids of these tasks. Errors: `bad_input` without a text, `wrong_status` if no step is left.
 */
export function steerRun(view: GraphView, playbookRun: PlaybookRun, words: string, by: PersonMark): Plan<string[]> {
  const { run, record } = playbookRun;
  const text = words.trim();
  if (text === '') throw new TroupeError('bad_input', { what: 'Add the text of the instruction.' });
  const steered = isRunOver(playbookRun) ? [] : stepsToSteer(playbookRun);
  if (steered.length === 0)
    throw new TroupeError('wrong_status', {
      what: `${run} has no active task to steer.`,
      hint: `Run \`troupe playbook status ${run}\` to see its steps.`,
      details: { run },
    });
  const moves = new PlanBuilder(view);
  for (const { id, description = '' } of steered) {
    const added = `${description}\n\nA person adds: ${cutBytes(text, FORMATION_LIMITS.briefBytes)}`;
    moves.do((graph) => editTask(graph, id, { description: added }, { by: { name: by.actor } }).events);
    const line = `Steered: ${cutBytes(text, FORMATION_LIMITS.noteBytes)}`;
    moves.do((graph) => logTask(graph, id, line, { now: by.now, by: { name: by.actor } }).events);
  }
  if (record !== null) {
    const notes = steered.map((task) => `steering: ${stepName(task, run)}: ${text}`);
    moves.do((graph) => [recordEvent(graph, withNotes(record, notes), 'formation_steer', by)]);
  }
  return moves.plan(steered.map(({ id }) => id));
}

/** Steps that a client does: those in progress, else the first open one. */
function stepsToSteer({ tasks, record }: PlaybookRun): readonly Task[] {
  const isForClient = (task: Task) =>
    record === null
      ? HUMAN.of(task) !== true && task.exec_mode !== 'shell' && task.exec === undefined
      : task.tags?.some((tag) => tag.startsWith('seat:')) === true;
  const left = tasks.filter((task) => !isTerminal(task.status) && isForClient(task));
  const active = left.filter(({ status }) => status !== 'open');
  return active.length > 0 ? active : left.slice(0, 1);
}

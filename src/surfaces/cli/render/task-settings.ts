import { formatGuard } from '#core/graph/guard.js';
import { progressText } from '#core/graph/status-look.js';
import type { CycleConfig, Task } from '#core/graph/task.js';
import { textsOf } from '#core/insight/brief.js';
import { formatMoney, plural } from '#kernel/text.js';
import type { AnswerOf } from '#surfaces/cli/screen.js';
import { hoursText, numberText } from './analysis-words.js';

/** Rarely set fields of a task, as label and text. */
export function rareRows(answer: AnswerOf<'task.show'>): [string, string][] {
  const fields: Readonly<Record<string, unknown>> = answer.task;
  const task = fields as Partial<Task>;
  const { hours, cost } = task.estimate ?? {};
  const estimate = [hours === undefined ? [] : hoursText(hours), cost === undefined ? [] : `cost ${numberText(cost)}`];
  const rows: [string, string | number | undefined][] = [
    ['estimate', estimate.flat().join(', ')],
    ['requires', textsOf(fields['requires']).join(', ')],
    ['provider', task.provider],
    ['mode', task.exec_mode],
    ['context', task.context_scope],
    ['visible to', task.visibility],
    ['runs in', task.in],
    ['commit', task.require_commit ? 'required before it is done' : undefined],
    ['retries', task.max_retries],
    ['rejections', task.max_rejections],
    ['cycle', task.cycle_config && cycleText(task.cycle_config)],
    ['replaced by', task.superseded_by?.join(', ')],
  ];
  return rows.flatMap(([label, value]) => (value === undefined || value === '' ? [] : [[label, String(value)]]));
}

/** The epic that the task is a part of, and the parts of the task with their progress. */
export function epicRows(
  { task, progress, parts = [] }: AnswerOf<'task.show'>,
  named: (tasks: typeof parts) => string,
): [string, string][] {
  const cost = (progress?.cost_usd ?? 0) === 0 ? '' : ` for ${formatMoney(progress?.cost_usd)}`;
  return [
    ...(typeof task['epic'] === 'string' ? [['part of', task['epic']] satisfies [string, string]] : []),
    ...(progress === undefined
      ? []
      : [['parts', `${progressText(progress)}${cost}: ${named(parts)}`] satisfies [string, string]]),
  ];
}

function cycleText(cycle: CycleConfig): string {
  return [
    `at most ${plural(cycle.max_iterations, 'iteration')}`,
    ...(cycle.guard === undefined ? [] : [`while ${formatGuard(cycle.guard)}`]),
    ...(cycle.delay === undefined ? [] : [`${cycle.delay} between them`]),
    ...(cycle.no_converge ? ['does not end early'] : []),
    ...(cycle.restart_on_failure === false ? ['a failure does not restart it'] : []),
    ...(cycle.max_failure_restarts === undefined ? [] : [`at most ${plural(cycle.max_failure_restarts, 'restart')}`]),
  ].join(', ');
}

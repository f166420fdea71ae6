import { ErrandKind } from '#core/coordinator/errand.js';
import { type AttemptUsage, isClientRun, type RunFact } from '#core/coordinator/snapshot.js';
import type { Tick } from '#core/coordinator/tick.js';
import { checkpointMark } from '#core/graph/checkpoint.js';
import { byId } from '#kernel/order.js';
import type { BaseDecision, Part } from './tick.js';

export const CHECKPOINT = new ErrandKind<{ readonly of: 'checkpoint' }>('checkpoint');

interface CheckpointDecision extends BaseDecision {
  readonly do: 'checkpoint';
  readonly run: string;
  readonly task: string;
  readonly fence: number;
  readonly turns: number;
  readonly usage?: AttemptUsage;
}

export const checkpoints: Part<object, CheckpointDecision> = { none: {}, decide: keepWord };

/**
 * Phase 1.5: clients at work for long leave word how far they have come, without being asked and without a model, so that
 * whoever follows a sudden death does not begin with nothing.
 */
function keepWord(tick: Tick<object, CheckpointDecision>): void {
  const { runs, errands, terms } = tick.facts;
  const { checkpointTurns, checkpointMs } = terms;
  // A mark is never older than its run: most runs are told apart without a look at their tasks.
  const mayBeDue = (run: RunFact): boolean =>
    (checkpointTurns > 0 && (run.turns ?? 0) >= checkpointTurns) ||
    (checkpointMs > 0 && tick.now - run.startedAt >= checkpointMs);
  const isAtWork = (run: RunFact): boolean => run.alive && !run.exit && !run.ended && isClientRun(run);
  const candidates = runs.filter((run) => mayBeDue(run) && isAtWork(run));
  for (const run of candidates.sort(byId)) {
    const task = tick.graph.task(run.taskId);
    if (task?.status !== 'in-progress' || task.assigned !== run.id || task.fence !== run.fence) continue;
    const key = CHECKPOINT.key(run.id);
    // One that could not be kept is not tried again and again: a disk that is full stays full.
    if (errands.underWay.has(key) || CHECKPOINT.answer(errands, key)?.of === 'error') continue;
    const { at, turns } = checkpointMark(task, run.id) ?? { at: run.startedAt, turns: 0 };
    const done = run.turns ?? 0;
    const byTurns = checkpointTurns > 0 && turns !== undefined && done - turns >= checkpointTurns;
    const byTime = checkpointMs > 0 && tick.now - at >= checkpointMs && hasWorked(run, at);
    if (!byTurns && !byTime) continue;
    const reason = byTurns
      ? `${done - turns} turns since the last one`
      : 'It has run for a long time since the last one';
    const { usage } = run;
    const facts = { turns: done, ...(usage === undefined ? {} : { usage }) };
    tick.want({
      do: 'checkpoint',
      run: run.id,
      task: task.id,
      fence: run.fence,
      ...facts,
      reason,
      events: [],
    });
  }
}

/** A run that has said nothing since has nothing to add. */
function hasWorked(run: RunFact, since: number): boolean {
  return (run.progressAt ?? 0) > since;
}

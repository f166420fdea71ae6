import { ErrandKind } from '#core/coordinator/errand.js';
import type { AttemptUsage, RunFact } from '#core/coordinator/snapshot.js';
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

export const checkpoints: Part<object, CheckpointDecision> = { none: {}, decide: requestCheckpoints };

/**
 * Phase 1.5: stores checkpoints for clients that have run for long, without asking the client and without a model:
 * after a sudden death the next attempt does not start from nothing.
 */
function requestCheckpoints(tick: Tick<object, CheckpointDecision>): void {
  const { errands, terms } = tick.facts;
  const { checkpointTurns, checkpointMs } = terms;
  // A checkpoint is never older than its run: most runs are excluded without reading their tasks.
  const mayBeDue = (run: RunFact): boolean =>
    (checkpointTurns > 0 && (run.turns ?? 0) >= checkpointTurns) ||
    (checkpointMs > 0 && tick.now - run.startedAt >= checkpointMs);
  const isAtWork = (run: RunFact): boolean => run.alive && !run.exit && !run.ended;
  const candidates = tick.clientRuns.filter((run) => mayBeDue(run) && isAtWork(run));
  for (const run of candidates.sort(byId)) {
    const task = tick.graph.task(run.taskId);
    if (task?.status !== 'in-progress' || task.assigned !== run.id || task.fence !== run.fence) continue;
    const key = CHECKPOINT.key(run.id);
    // A checkpoint that failed is not retried: a full disk stays full.
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

/** Whether the run made progress since then; otherwise a checkpoint would add nothing. */
function hasWorked(run: RunFact, since: number): boolean {
  return (run.progressAt ?? 0) > since;
}

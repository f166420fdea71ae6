// Decisions that depend on time alone: waits and cycles that are due, and the next compaction.
import { dueEvents } from '#core/graph/consequences.js';
import type { EventDraft } from '#core/graph/event.js';
import { retryTask } from '#core/graph/moves.js';
import type { NodeFields, Task } from '#core/graph/task.js';
import type { FileFacts } from '#core/graph/wait.js';
import { timestamp } from '#kernel/clock.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { BaseDecision, Part, Tick } from './tick.js';

/** State of the files that tasks wait for. */
export interface WithFiles {
  readonly files: FileFacts;
}

/** Settles what time or a file brought to its end. */
interface DueDecision extends BaseDecision {
  readonly do: 'settle-due';
}

/** Phases 2.5 to 2.7: cycles and waits that are due. */
export const waits: Part<WithFiles, DueDecision> = {
  none: { files: new Map() },
  decide: ({ graph, now, facts, want }) => {
    const events = dueEvents(graph, now, facts.files);
    if (events.length > 0) want({ do: 'settle-due', reason: 'Waits and cycles whose time had come', events });
  },
};

export const COMPACTION = '.compact-0';
const BY = 'coordinator';

export interface WithCompaction {
  /** The graph is compacted regularly. */
  readonly compaction: boolean;
}

type CompactionTick = Tick<WithCompaction, DueDecision>;

export const compaction: Part<WithCompaction, DueDecision> = {
  none: { compaction: false },
  decide: scheduleCompaction,
};

/**
 * Schedules compaction, a cycle with one task. While the task runs it is paused, which keeps the next iteration from
 * starting. After `TEAM_LIMITS.compactionOperations` operations the pause ends, and the cycle starts its next iteration like
 * any other.
 */
function scheduleCompaction(tick: CompactionTick): void {
  if (!tick.facts.compaction || tick.facts.paused) return;
  const task = tick.graph.task(COMPACTION);
  if (!task) {
    begin(tick);
    return;
  }
  if (task.status === 'in-progress' && task.paused !== true) {
    wantSettleDue(tick, 'Its next pass waits for enough to happen', [edit({ paused: true }, [])]);
    return;
  }
  if (task.paused !== true || tick.graph.seq - (task.rev ?? 0) < TEAM_LIMITS.compactionOperations) return;
  if (task.status === 'done') wantSettleDue(tick, 'Enough has happened since', [edit({}, ['paused', 'cycle_ended'])]);
  if (task.status === 'failed') again(tick, task);
}

/** Adds the compaction task. Ids that begin with a full stop are reserved for the coordinator's own tasks. */
function begin(tick: CompactionTick): void {
  const task = {
    kind: 'task',
    id: COMPACTION,
    title: 'Summarize the graph for its agents',
    status: 'open',
    after: [COMPACTION],
    exec: '"$TROUPE_BIN" compact --narrative never --quiet',
    tags: ['compaction'],
    cycle_config: { max_iterations: WORK_LIMITS.cycleIterations, restart_on_failure: false },
    created_at: timestamp(tick.now),
    created_by: BY,
  };
  const added: EventDraft = { op: 'add_task', task_id: COMPACTION, actor: BY, patch: [{ id: COMPACTION, put: task }] };
  wantSettleDue(tick, 'Compaction is switched on', [added]);
}

/** Retries a failed compaction when the next one is due, not at once. */
function again(tick: CompactionTick, task: Task): void {
  const retried = retryTask(tick.graph, task.id, { now: tick.now, by: { name: BY }, reason: 'the next pass is due' });
  wantSettleDue(tick, 'The next pass is due', [edit({}, ['paused', 'cycle_ended']), ...retried.events]);
}

function wantSettleDue(tick: CompactionTick, reason: string, events: readonly EventDraft[]): void {
  tick.want({
    do: 'settle-due',
    reason: `${COMPACTION}: ${reason}`,
    events: tick.act({ events, result: undefined }),
  });
}

function edit(set: NodeFields, unset: readonly string[]): EventDraft {
  return {
    op: 'edit',
    task_id: COMPACTION,
    actor: BY,
    patch: [{ id: COMPACTION, set, ...(unset.length > 0 ? { unset } : {}) }],
  };
}

import { readiness } from '#core/graph/ready.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { inert, shellWord } from '#kernel/text.js';
import type { Coordination, CoordinationCode } from './coordination.js';
import { doerOf } from './done-by.js';
import type { Standstill } from './standstill.js';

/** Keeps a ready task from being started until a person does something, while the coordinator is at work. */
interface Obstacle {
  readonly code: Extract<CoordinationCode, 'executor' | 'session-paused'>;
  /** One sentence without an end; the same for all tasks that share the cause. */
  readonly cause: string;
  /** What helps, as a sentence. */
  readonly advice: string;
  readonly command: string;
}

/** The obstacle of one ready task; undefined where there is none. The one voice of `why`, `status` and `problems`. */
export function obstacleOf(task: Task, coordination: Coordination): Obstacle | undefined {
  const id = shellWord(task.id);
  const forClient = doerOf(task, coordination) === 'client';
  const session = coordination.pausedSession?.(task);
  if (session !== undefined) {
    const command = `troupe service resume-coordinator ${shellWord(session)}`;
    return { code: 'session-paused', cause: `its session ${session} is paused`, advice: `\`${command}\`.`, command };
  }
  const absent = forClient ? coordination.absentClient?.(task) : undefined;
  if (absent !== undefined) {
    const command = 'troupe executor list';
    return { code: 'executor', cause: absent, advice: `\`${command}\` tells why.`, command };
  }
  const unprepared = coordination.unprepared?.get(task.id);
  if (unprepared !== undefined) {
    const command = `troupe spawn ${id}`;
    const advice = `It is retried automatically; \`${command}\` retries now.`;
    return { code: 'executor', cause: `no run could be prepared: ${unprepared.replace(/\.$/, '')}`, advice, command };
  }
  const agent = forClient ? coordination.missingAgent?.(task) : undefined;
  if (agent === undefined) return undefined;
  const command = `troupe assign ${id} --auto`;
  const cause = `it is assigned to ${inert(agent).slice(0, 12)}, which does not exist`;
  return {
    code: 'executor',
    cause,
    advice: `\`${command}\` chooses another, \`troupe assign ${id} --clear\` does without.`,
    command,
  };
}

/** All obstacles of a graph, each cause once: told of the first of its tasks. Looks at ready tasks alone. */
export function obstacles(view: GraphView, coordination: Coordination, now: number): readonly Standstill[] {
  const byCause = new Map<string, { readonly obstacle: Obstacle; readonly tasks: Task[] }>();
  for (const id of [...view.candidates()].sort()) {
    const task = view.task(id);
    const obstacle = task && !coordination.waitsForTrust(task) ? obstacleOf(task, coordination) : undefined;
    if (task === undefined || obstacle === undefined || !readiness(view, id, now).ready) continue;
    const known = byCause.get(obstacle.cause);
    if (known) known.tasks.push(task);
    else byCause.set(obstacle.cause, { obstacle, tasks: [task] });
  }
  return [...byCause.values()].flatMap(({ obstacle, tasks }): Standstill[] => {
    const [task] = tasks;
    if (task === undefined) return [];
    const { cause, command, code } = obstacle;
    const which = tasks.length === 1 ? 'It is ready' : `It and ${tasks.length - 1} more are ready`;
    const kind = code === 'executor' ? 'executor' : 'service';
    return [{ task, kind, text: `${which}, but ${cause}`, since: task.created_at, command }];
  });
}

import { STATUSES } from '#core/graph/task.js';
import { randomFrom } from '#kernel/random.js';
import { NOW, type TaskFields } from './graph.js';

const DAY = 86_400_000;

/**
 * Pseudo-random graphs by seed: with cycles, edges to themselves, unknown predecessors, every status and every field.
 */
export function anyTasks(seed: number, least = 3): (TaskFields & { id: string })[] {
  const next = randomFrom(seed);
  const below = (most: number) => Math.floor(next() * most);
  const one = <Value>(values: readonly Value[]): Value => values[below(values.length)] as Value;
  const often = (share: number) => next() < share;
  const ago = () => new Date(NOW - Math.floor(next() * 100 * DAY)).toISOString();
  const count = least + below(9);
  const ids = Array.from({ length: count }, (_, number) => `t${(number * 7) % count}${'abc'[number % 3]}`);
  return ids.map((id, number) => {
    const near = ids.slice(Math.max(0, number - 4), number);
    const after = Array.from({ length: below(4) }, () => (often(0.85) && near.length > 0 ? one(near) : one(ids)));
    if (often(0.05)) after.push('ghost');
    const status = often(0.5) ? 'open' : one(STATUSES);
    return {
      id,
      status,
      after: often(0.8) ? [...new Set(after)] : after,
      ...(often(0.3) && after[0] !== undefined ? { after_success: [after[0]] } : {}),
      ...(often(0.8) ? { title: `Work on ${'part '.repeat(below(5))}${id}` } : {}),
      ...(often(0.7) ? { created_at: ago() } : {}),
      ...(often(0.4) ? { started_at: ago() } : {}),
      ...(status === 'done' || status === 'failed' ? { completed_at: ago() } : {}),
      ...(often(0.7) ? { estimate: { hours: below(9) / 2, ...(often(0.5) ? { cost: below(20) } : {}) } } : {}),
      ...(often(0.2) ? { cycle_config: { max_iterations: 1 + below(4) }, loop_iteration: below(3) } : {}),
      ...(often(0.3) ? { tags: [one(['core', 'ui', 'docs'])], skills: ['prose'] } : {}),
      ...(often(0.2) ? { artifacts: ['a.md'] } : {}),
      ...(often(0.3) ? { assigned: one(['Ann', 'agent-1']), member: one(['Ann', 'Bob']) } : {}),
      ...(often(0.1) ? { paused: true } : {}),
      ...(often(0.4) ? { exec: 'make' } : {}),
    };
  });
}

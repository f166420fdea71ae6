// Measures whole runs of `troupe viz` and `troupe viz --graph` on 1,000 tasks.
import { CLI, inProject, median, timeProcess, troupe, writeTasks } from './measure.mjs';

const TASKS = 1_000;
const ROUNDS = 15;
const WARM = 3;
const BAR = 300;

/**
 * Dependencies that do not form a chain: each task depends on one of the five before it and on one of the forty before
 * it.
 */
function looselyAfter(number) {
  const id = (other) => `task-${String(other).padStart(6, '0')}`;
  const before = [number - 1 - ((number * 7) % 5), number - 1 - ((number * 13) % 40)].filter((other) => other >= 0);
  return { after: before.map(id), description: undefined };
}

export default async () => {
  const lines = [];
  for (const [shape, extra] of [
    ['in one chain', undefined],
    ['in many strands', looselyAfter],
  ]) {
    await inProject(async (folder) => {
      writeTasks(folder, TASKS, extra);
      troupe(folder, 'log', 'task-000001', 'adopted');
      for (const flags of [[], ['--graph']]) {
        const times = [];
        for (let round = 0; round < ROUNDS + WARM; round++) {
          const time = timeProcess(process.execPath, [CLI, 'viz', ...flags], { cwd: folder });
          if (round >= WARM) times.push(time);
        }
        lines.push({
          name: `troupe ${['viz', ...flags].join(' ')}, ${TASKS} tasks ${shape}, whole process`,
          figure: `${median(times).toFixed(0)} ms`,
          ...(flags.length === 0 ? { bar: `${BAR} ms`, met: median(times) <= BAR } : {}),
        });
      }
    });
  }
  return lines;
};

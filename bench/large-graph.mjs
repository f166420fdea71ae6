// Measures whole commands without a service on large graphs, alternating with bare Node: adopting a graph of another
// tool, reading it, adding to it.
import { CLI, inProject, median, timeProcess, writeTasks } from './measure.mjs';

const COMMANDS = {
  show: () => ['show', 'task-005000'],
  ready: () => ['ready'],
  add: (round) => ['add', `Task of round ${round}`],
  status: () => ['status'],
};
const SIZES = [
  { tasks: 10_000, rounds: 15, barMs: 90, names: ['show', 'ready', 'add'] },
  { tasks: 100_000, rounds: 7, barMs: 450, names: ['show', 'ready', 'add', 'status'], adoptMs: 5_000 },
];

const measured = ({ tasks, rounds, barMs, names, adoptMs }) =>
  inProject((folder) => {
    const count = tasks.toLocaleString('en');
    writeTasks(folder, tasks);
    const adoption = timeProcess(process.execPath, [CLI, 'log', 'task-000001', 'adopted'], { cwd: folder });
    const times = { bare: [] };
    for (const name of names) times[name] = [];
    for (let round = 0; round < rounds + 2; round++) {
      const bare = timeProcess(process.execPath, ['-e', '0']);
      if (round > 1) times.bare.push(bare);
      for (const name of names) {
        const whole = timeProcess(process.execPath, [CLI, ...COMMANDS[name](round)], { cwd: folder });
        if (round > 1) times[name].push(whole);
      }
    }
    const rows = names.map((name) => {
      const more = median(times[name]) - median(times.bare);
      return {
        name: `troupe ${name}, ${count} tasks, no service, whole process`,
        figure: `bare Node + ${more.toFixed(1)} ms`,
        bar: `+ ${barMs} ms`,
        met: more <= barMs,
      };
    });
    if (adoptMs === undefined) return rows;
    const figure = `${(adoption / 1_000).toFixed(2)} s`;
    const row = {
      name: `a foreign file of ${count} tasks adopted`,
      figure,
      bar: `${adoptMs / 1_000} s`,
      met: adoption <= adoptMs,
    };
    return [row, ...rows];
  });

export default async () => {
  const rows = [];
  for (const size of SIZES) rows.push(...(await measured(size)));
  return rows;
};

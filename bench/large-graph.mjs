// Whole commands without a service on 10,000 tasks against bare Node, in turn: one task shown, what is ready, one added.
import { CLI, inProject, median, timeProcess, troupe, writeTasks } from './measure.mjs';

const TASKS = 10_000;
const ROUNDS = 15;
const BAR_MS = 90;

export default () =>
  inProject(async (folder) => {
    writeTasks(folder, TASKS);
    troupe(folder, 'log', 'task-000001', 'adopted');
    const commands = {
      show: () => ['show', 'task-005000'],
      ready: () => ['ready'],
      add: (round) => ['add', `Task of round ${round}`],
    };
    const times = { bare: [] };
    for (const name of Object.keys(commands)) times[name] = [];
    for (let round = 0; round < ROUNDS + 2; round++) {
      const bare = timeProcess(process.execPath, ['-e', '0']);
      if (round > 1) times.bare.push(bare);
      for (const [name, words] of Object.entries(commands)) {
        const whole = timeProcess(process.execPath, [CLI, ...words(round)], { cwd: folder });
        if (round > 1) times[name].push(whole);
      }
    }
    return Object.keys(commands).map((name) => {
      const more = median(times[name]) - median(times.bare);
      return {
        name: `troupe ${name}, 10,000 tasks, no service, whole process`,
        figure: `bare Node + ${more.toFixed(1)} ms`,
        bar: `+ ${BAR_MS} ms`,
        met: more <= BAR_MS,
      };
    });
  });

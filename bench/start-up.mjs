// Measures a whole `troupe show` on 1,000 tasks, alternating with bare Node.
import { CLI, inProject, median, timeProcess, troupe, writeTasks } from './measure.mjs';

const PAIRS = 31;

export default () =>
  inProject(async (folder) => {
    writeTasks(folder, 1_000);
    troupe(folder, 'log', 'task-000001', 'adopted');
    const bare = [];
    const show = [];
    for (let pair = 0; pair < PAIRS + 3; pair++) {
      const one = timeProcess(process.execPath, ['-e', '0']);
      const other = timeProcess(process.execPath, [CLI, 'show', 'task-000500'], { cwd: folder });
      if (pair < 3) continue;
      bare.push(one);
      show.push(other);
    }
    const more = median(show) - median(bare);
    return [
      {
        name: 'troupe show, 1,000 tasks, whole process',
        figure: `bare Node + ${more.toFixed(1)} ms`,
        bar: '+ 25 ms',
        met: more <= 25,
      },
      { name: 'bare node -e 0', figure: `${median(bare).toFixed(1)} ms` },
    ];
  });

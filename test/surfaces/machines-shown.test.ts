import pc from 'picocolors';
import { expect } from 'vitest';
import { machines } from '#operations/workers/machines.js';
import { renderers } from '#surfaces/cli/render/workers.js';
import { world } from '../e2e/world.js';
import { listedWorker, machinesWith } from '../storages-in-memory.js';
import { verifies } from '../verifies.js';

verifies(['fleet.see', 'fleet.leader'], '`machines` prints who leads, what works and what waits, aligned', async () => {
  const own = world();
  const lines: string[] = [];
  const screen = {
    ...{ width: 110, colour: pc.createColors(false), unicode: true },
    line: (text = '') => lines.push(text),
    aside: (text: string) => lines.push(`- ${text}`),
  };
  const shown = async () => {
    lines.length = 0;
    renderers['machine.list'](await machines.run(own.context, {}), {
      ...screen,
      line: (text) => void screen.line(text),
      aside: (text) => void screen.aside(text),
    });
    return lines;
  };
  expect(await shown()).toEqual([
    '  kept in  files, on this machine',
    '  leader   nobody',
    expect.stringMatching(/^- The project is kept in files.*: `troupe database move --to ADDRESS`$/),
    expect.stringMatching(/^- No service is running.*: `troupe service start`$/),
  ]);
  const now = own.clock.now();
  await own.add('far', { title: 'Train it' });
  own.coordinate({ executor: 'claude', holds: [] });
  own.keepInDatabase(() =>
    machinesWith(now, {
      standbys: ['process 7 on laptop'],
      workers: [
        listedWorker('box-1', { seenAt: now - 4_000, labels: ['gpu'], attempts: [{ run: 'agent-2', taskId: 'far' }] }),
        listedWorker('box-2', { seenAt: now - 90_000, silent: true }),
      ],
      refused: { total: 1, latest: [{ run: 'agent-0', taskId: 'far', worker: 'box-2', at: now - 60_000 }] },
    }),
  );
  expect(await shown()).toEqual([
    '  kept in      shop in db.example.org:5432/troupe, PostgreSQL 15.8',
    '  leader       process 4312 on desk (epoch 3); 0 of 4 slots taken there',
    '  standing by  process 7 on laptop',
    '  workers      2 workers, 1 of 4 slots taken, 1 silent',
    '',
    expect.stringMatching(/^WORKER +STATE +SLOTS +RUNS +LABELS +CLIENTS +HEARD +AT$/),
    expect.stringMatching(/^box-2 +silent +0\/4 +claude +1m 30s ago +box-2/),
    expect.stringMatching(/^box-1 +working +1\/4 +agent-2 far +gpu +claude +4s ago +box-1/),
    '',
    'Came too late and changed nothing (1)',
    '  agent-0  far  box-2  1m ago',
    expect.stringMatching(/^- box-2 is silent.*: `troupe worker stop box-2`$/),
  ]);
});

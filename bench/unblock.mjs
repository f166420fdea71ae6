// Measures the time from the end of a task to the first act of its successor's run, with the service running.
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { inProject, median, quantile, startService, troupe } from './measure.mjs';

const CHAIN = 200;
const BAR_MS = 50;

export default async () => {
  const times = await inProject(async (folder) => {
    troupe(folder, 'add', 'Task 0', '--id', 't-0', '--exec', 'true', '--paused');
    const service = await startService(folder);
    for (let number = 1; number <= CHAIN; number++)
      troupe(folder, 'add', `Task ${number}`, '--id', `t-${number}`, '--after', `t-${number - 1}`, '--exec', 'true');
    troupe(folder, 'resume', 't-0');
    const log = path.join(folder, '.workgraph', 'operations.jsonl');
    const entries = () => readFileSync(log, 'utf8').trim().split('\n').map(JSON.parse);
    const isLast = ({ op, task_id: id }) => op === 'done' && id === `t-${CHAIN}`;
    while (!entries().some(isLast)) await new Promise((resolve) => setTimeout(resolve, 100));
    await service.stop();
    const ended = new Map();
    const waits = [];
    for (const { op, task_id: id, timestamp, detail } of entries()) {
      const number = Number(id?.slice(2));
      if (op === 'done') ended.set(number, Date.parse(timestamp));
      const before = op === 'spawn_agent' ? ended.get(number - 1) : undefined;
      if (before === undefined) continue;
      // A run creates its ticket first, so the age of that file is the age of the run.
      const ticket = path.join(folder, '.workgraph', 'agents', detail.run, 'run.jsonl');
      waits.push(statSync(ticket).birthtimeMs - before);
    }
    return waits;
  });
  const p95 = quantile(times, 0.95);
  return [
    {
      name: 'unblocked to begun, service running',
      figure: `p50 ${median(times).toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
      bar: `${BAR_MS} ms`,
      met: p95 <= BAR_MS,
    },
  ];
};

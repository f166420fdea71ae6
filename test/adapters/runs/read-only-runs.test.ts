import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { heartbeatLine } from '#adapters/runs/client-files.js';
import { ReadOnlyRuns } from '#adapters/runs/read-only-runs.js';
import { RunEnds } from '#adapters/runs/run-ends.js';
import type { Processes } from '#ports/processes.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const TICKET = { id: 'agent-1', task_id: 'a', fence: 2, started_at: 9, timeout_ms: 70, pid: 7, start: 's' };
const CLAIM = { run: 'agent-1', taskId: 'a', fence: 2, startedAt: 5 };

/** Folders of runs, and the one process there is: of id 7, begun at `s`, marked with what is put into `marks`. */
function place() {
  const top = room('read-only');
  const agents = path.join(top, 'agents');
  const marks = new Set<string>();
  const processes = {
    startOf: (pid: number) => (pid === 7 ? 's' : undefined),
    self: () => ({ boot: 'b' }),
    belongingTo: ({ values }: { values: ReadonlySet<string> }) =>
      [...values].some((one) => marks.has(one)) ? [7] : [],
  } as unknown as Processes;
  const ends = new RunEnds(path.join(top, 'ends/ends.jsonl'));
  ends.prepare();
  const put = (id: string, ...lines: object[]) => {
    mkdirSync(path.join(agents, id), { recursive: true });
    writeFileSync(path.join(agents, id, 'run.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  };
  const runs = new ReadOnlyRuns(agents, ends, processes, { now: () => 1_000 });
  const look = async (...claims: (typeof CLAIM)[]) => {
    await runs.adopt(claims);
    return (await runs.facts()).map(({ id, taskId, fence, alive, started, exit, executor, turns }) => ({
      ...{ id, taskId, fence, alive, started, code: exit?.code, executor, turns },
    }));
  };
  return { agents, marks, ends, put, runs, look };
}

verifies('run.folder', 'whoever only looks sees each claimed run as its folder and its process have it', async () => {
  const { agents, marks, ends, put, runs, look } = place();
  const run = { id: 'agent-1', taskId: 'a', fence: 2, code: undefined, executor: undefined, turns: undefined };
  expect(await look(), 'no folder of runs').toEqual([]);
  expect(await look(CLAIM), 'it may come').toEqual([{ ...run, alive: true, started: true }]);
  expect(await runs.adopt([CLAIM])).toBe(0);
  put('agent-1', TICKET);
  expect(await look(CLAIM)).toEqual([{ ...run, alive: true, started: true }]);
  put('agent-1', { ...TICKET, start: 'another' });
  expect(await look(CLAIM)).toEqual([{ ...run, alive: false, started: true }]);
  put('agent-1', { ...TICKET, boot_id: 'before' });
  expect(await look(CLAIM)).toEqual([{ ...run, alive: false, started: true }]);
  put('agent-1', { void: true });
  expect(await look(CLAIM)).toEqual([{ ...run, alive: false, started: false }]);
  put('agent-1');
  expect(await look(CLAIM), 'only prepared').toEqual([{ ...run, alive: false, started: false }]);
  put('agent-1', TICKET, { code: 3 });
  expect(await look(CLAIM)).toEqual([{ ...run, alive: false, started: true, code: 3 }]);
  rmSync(path.join(agents, 'agent-1'), { recursive: true });
  appendFileSync(ends.file, `${JSON.stringify({ run: 'agent-1', task_id: 'a', fence: 2, code: 4 })}\n`);
  expect(await look(CLAIM), 'its end is known elsewhere').toEqual([{ ...run, alive: false, started: true, code: 4 }]);
  const other = { ...CLAIM, fence: 3 };
  marks.add(path.join(agents, 'agent-1')).add('a');
  expect(await look(other), 'a process of it is there').toMatchObject([{ fence: 3, alive: true, started: true }]);
});

verifies(
  'run.folder',
  'clients are told with their pulse, and runs that nobody has claimed where they are at work',
  async () => {
    const { agents, put, runs, look } = place();
    put('agent-1', { ...TICKET, executor: 'claude' });
    writeFileSync(path.join(agents, 'agent-1/heartbeat.json'), heartbeatLine({ at: 10, turns: 4, toolCalls: 0 }));
    put('agent-7', { ...TICKET, id: 'agent-7', task_id: 'b', fence: 9 });
    put('agent-8', { ...TICKET, id: 'agent-8' }, { code: 0 });
    put('agent-9', { ...TICKET, id: 'agent-9', pid: 8 });
    put('no-run', TICKET);
    expect(await look(CLAIM)).toEqual([
      {
        id: 'agent-1',
        taskId: 'a',
        fence: 2,
        alive: true,
        started: true,
        code: undefined,
        executor: 'claude',
        turns: 4,
      },
      {
        id: 'agent-7',
        taskId: 'b',
        fence: 9,
        alive: true,
        started: true,
        code: undefined,
        executor: undefined,
        turns: undefined,
      },
    ]);
    expect(await runs.adopt([CLAIM])).toBe(9);
    writeFileSync(path.join(agents, 'registry.json'), JSON.stringify({ next_agent_id: 40 }));
    expect([await runs.adopt([]), await runs.listed()]).toEqual([39, []]);
  },
);

verifies('run.folder', 'whoever only looks starts, ends and changes nothing', async () => {
  const { runs } = place();
  const only = 'These runs are only looked at';
  for (const act of ['prepare', 'discard', 'start', 'close', 'refuse', 'allow', 'end', 'beat', 'forget'] as const)
    await expect(runs[act](), act).rejects.toThrow(only);
  expect(() => runs.onChange()).toThrow(only);
});

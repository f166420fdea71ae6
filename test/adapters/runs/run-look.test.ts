import { appendFileSync, mkdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { heartbeatLine, resultLine } from '#adapters/runs/client-files.js';
import { RemovedRecords } from '#adapters/runs/leftovers.js';
import { adoptedRun, factOf, type LiveRun, newRun, runLease } from '#adapters/runs/live-run.js';
import { RunEnds } from '#adapters/runs/run-ends.js';
import { RunFolder } from '#adapters/runs/run-folder.js';
import { lookAtRun } from '#adapters/runs/run-look.js';
import type { Processes } from '#ports/processes.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const TICKET = { id: 'agent-1', task_id: 'a', fence: 2, started_at: 10_000, timeout_ms: 60_000, pid: 7, start: 's' };

/** A run, its folder, and the process that is there when it is looked at. */
function place({ executor }: { executor?: string } = {}) {
  const agents = path.join(room('look'), 'agents');
  mkdirSync(agents);
  const ends = new RunEnds(path.join(agents, '../ends/ends.jsonl'));
  const plan = {
    id: 'agent-1',
    taskId: 'a',
    fence: 2,
    startedAt: 10_000,
    timeoutMs: 60_000,
    ...(executor ? { executor } : {}),
  };
  const folder = new RunFolder(agents, 'agent-1', { taskId: 'a', fence: 2 });
  const run: LiveRun = { ...newRun(plan, folder, {}, 12_000), seenAt: 12_000 };
  const there = { start: 's' as string | undefined, stopped: false, now: 15_000, mayReappear: false, launches: true };
  let sweeps = 0;
  const look = (more: Partial<LiveRun> = {}) => {
    const looked: LiveRun = Object.assign(run, more);
    lookAtRun(looked, {
      processes: {
        startOf: () => there.start,
        isStopped: () => there.stopped,
        self: () => ({ boot: 'b' }),
      } as unknown as Processes,
      ...{ agentsFolder: agents, ends, clock: { now: () => there.now } },
      removed: { mayReappear: () => there.mayReappear } as never,
      launches: there.launches,
      sweep: () => {
        sweeps++;
      },
    });
    const { alive, started, pid, exit, startError, stopped, seenAt } = looked;
    const told = { alive, started, pid, exit, startError, stopped, seenAt, sweeps };
    sweeps = 0;
    return told;
  };
  const write = (name: string, text: string) => {
    mkdirSync(folder.folder, { recursive: true });
    writeFileSync(path.join(folder.folder, name), text);
  };
  const ticket = (...lines: object[]) =>
    write('run.jsonl', [TICKET, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''));
  return { agents, ends, run, folder, there, look, write, ticket };
}

const AT_WORK = {
  alive: true,
  started: true,
  pid: 7,
  exit: undefined,
  startError: undefined,
  stopped: false,
  seenAt: 15_000,
  sweeps: 0,
};

verifies('run.folder', 'a command at work, stopped, gone without a word, and over', () => {
  const { look, ticket, there, run, folder } = place();
  ticket();
  expect(look()).toEqual(AT_WORK);
  there.stopped = true;
  there.now = 16_000;
  expect(look(), 'its term runs from when it was seen last').toEqual({ ...AT_WORK, stopped: true });
  there.stopped = false;
  expect(look()).toEqual({ ...AT_WORK, seenAt: 16_000 });
  rmSync(folder.folder, { recursive: true });
  there.now = 17_000;
  expect(look(), 'its record is gone, its process is there').toEqual({ ...AT_WORK, seenAt: 17_000 });
  ticket();
  there.start = undefined;
  expect(look()).toEqual({ ...AT_WORK, alive: false, seenAt: 17_000, sweeps: 1 });
  ticket({ code: 3 });
  Object.assign(run, { alive: true });
  expect(look()).toEqual({
    ...AT_WORK,
    alive: false,
    seenAt: 17_000,
    sweeps: 1,
    exit: { code: 3, lastLines: '', durationMs: expect.any(Number) },
  });
  const nothing = { alive: true, record: { command: 'true' } };
  expect(look(nothing).sweeps, 'it started no process').toBe(0);
  ticket({ code: 0, checked: true });
  expect(look(nothing).sweeps, 'but its check did').toBe(1);
});

verifies('run.folder', 'a run that has not begun: asked for, given up, and one whose record was removed', () => {
  const never = { ...AT_WORK, alive: false, started: false, pid: undefined, seenAt: 12_000 };
  const about = { ...never, alive: true, started: true };
  const one = place();
  expect(one.look(), 'asked for a moment ago').toEqual(about);
  one.there.now = 19_999;
  expect(one.look()).toEqual(about);
  one.there.now = 20_000;
  expect(one.look()).toEqual({ ...never, startError: 'it did not start within 10s' });
  const ahead = place();
  ahead.there.now = -3_600_000;
  expect(ahead.look(), 'asked for before the clock was set back').toEqual({
    ...never,
    startError: 'it did not start within 10s',
  });
  const two = place();
  two.there.launches = false;
  expect(two.look(), 'nobody can begin it').toEqual({ ...never, startError: 'it did not start within 10s' });
  const three = place();
  expect(three.look({ requested: false }), 'of an earlier life').toEqual(never);
  expect(three.folder.pid()).toEqual({ pid: 0, start: '', void: true });
  const four = place();
  four.write('run.jsonl', '{"void":true}\n');
  expect(four.look()).toEqual(never);
  const five = place();
  five.there.mayReappear = true;
  five.there.now = 99_000;
  expect(five.look({ alive: false, started: false })).toEqual({ ...about, seenAt: 99_000 });
  const six = place();
  six.there.now = 99_000;
  six.write('run.jsonl', '');
  expect(six.look(), 'somebody is writing its ticket').toEqual(about);
  utimesSync(path.join(six.folder.folder, 'run.jsonl'), 1, 1);
  expect(six.look(), 'which nobody finished').toEqual({ ...about, alive: false, sweeps: 1 });
});

verifies(
  'run.folder',
  'the record of another run settles nothing and is told; an end elsewhere counts where the folder is gone',
  () => {
    const one = place();
    one.write('run.jsonl', `${JSON.stringify({ ...TICKET, task_id: 'b' })}\n`);
    one.there.now = 99_000;
    utimesSync(path.join(one.folder.folder, 'run.jsonl'), 1, 1);
    const told = one.look();
    expect(told).toMatchObject({
      alive: false,
      exit: undefined,
      startError: 'its folder holds the record of b under 2',
    });
    const two = place();
    two.ends.prepare();
    appendFileSync(two.ends.file, `${JSON.stringify({ run: 'agent-1', task_id: 'a', fence: 2, code: 4 })}\n`);
    expect(two.look()).toEqual({
      ...AT_WORK,
      alive: false,
      pid: undefined,
      exit: { code: 4 },
      seenAt: 12_000,
      sweeps: 1,
    });
    const three = place();
    three.ends.prepare();
    appendFileSync(three.ends.file, `${JSON.stringify({ run: 'agent-1', task_id: 'a', fence: 2, code: 4 })}\n`);
    three.ticket();
    expect(three.look(), 'its own record is there').toEqual(AT_WORK);
  },
);

verifies('run.folder', 'a client is believed by its heartbeats, and judged by its own last word', () => {
  const { look, ticket, write, run, there } = place({ executor: 'claude' });
  ticket();
  expect(look()).toEqual({ ...AT_WORK, seenAt: 12_000 });
  write('heartbeat.json', heartbeatLine({ at: 14_000, progressAt: 13_000, turns: 2, toolCalls: 1 }));
  look();
  expect(factOf(run, 60_000)).toEqual({
    ...{
      id: 'agent-1',
      taskId: 'a',
      fence: 2,
      startedAt: 10_000,
      timeoutMs: 60_000,
      alive: true,
      started: true,
      outputBytes: 0,
    },
    ...{ executor: 'claude', progressAt: 14_000, turns: 2, leaseUntil: 75_000 },
  });
  ticket({ code: 0 });
  expect(look(), 'its run program said nothing: there is no verdict').toMatchObject({
    alive: false,
    exit: undefined,
    sweeps: 1,
  });
  write('result.json', resultLine({ outcome: 'failed', reason: 'r', turns: 3, signal: 'SIGKILL' } as never));
  expect(look().exit, 'somebody killed it').toBeUndefined();
  expect(look({ ended: 'stopped' }).exit, 'we did').toMatchObject({ code: 0 });
  const { ended: _, exit: __, ...rest } = run;
  expect(rest.result).toMatchObject({ outcome: 'failed', reason: 'r', turns: 3, signal: 'SIGKILL' });
  there.start = undefined;
  write('result.json', resultLine({ outcome: 'succeeded', reason: '', turns: 3, signal: 'SIGTERM' } as never));
  const other = place({ executor: 'claude' });
  other.ticket({ code: 0 });
  other.write('result.json', resultLine({ outcome: 'succeeded', reason: '', turns: 3, signal: 'SIGTERM' } as never));
  expect(other.look().exit, 'it had succeeded before').toMatchObject({ code: 0 });
});

verifies('run.clock', 'a heartbeat counts from when it came, whatever the clock of the machine that wrote it', () => {
  for (const wrong of [-3_600_000, 3_600_000]) {
    const { look, ticket, write, run, there } = place({ executor: 'claude' });
    ticket();
    write('heartbeat.json', heartbeatLine({ at: 14_000 + wrong, progressAt: 12_500 + wrong, turns: 1, toolCalls: 0 }));
    look();
    const said = () => [factOf(run, 60_000).progressAt, factOf(run, 60_000).leaseUntil];
    expect(said()).toEqual([13_500, 75_000]);
    there.now = 40_000;
    look();
    expect(said(), 'the same heartbeat, seen again').toEqual([13_500, 75_000]);
    const next = { at: 20_000 + wrong, progressAt: 12_500 + wrong, turns: 1, toolCalls: 0 };
    write('heartbeat.json', heartbeatLine(next));
    look();
    expect(said()).toEqual([32_500, 100_000]);
  }
});

test('the facts of a run are all that is known of it, and nothing that is not', () => {
  const { run } = place();
  const bare = {
    id: 'agent-1',
    taskId: 'a',
    fence: 2,
    startedAt: 10_000,
    timeoutMs: 60_000,
    alive: true,
    started: true,
    outputBytes: 0,
  };
  expect(factOf(run, 60_000)).toStrictEqual(bare);
  const usage = { input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
  const more: Partial<LiveRun> = {
    ...{ record: { silent_end: 'ask', branch: 'wg/a/2' }, heartbeat: { at: 1, turns: 4, toolCalls: 0, usage } },
    ...{
      exit: { code: 1 },
      startError: 'no',
      ended: 'stopped',
      stopped: true,
      result: { outcome: 'failed', reason: '' },
    },
    outputBytes: 9,
  };
  expect(factOf({ ...run, ...more }, 60_000)).toStrictEqual({
    ...{ ...bare, outputBytes: 9, silentEnd: 'ask', branch: 'wg/a/2', turns: 4, usage, leaseUntil: 72_000 },
    ...{ result: { outcome: 'failed', reason: '' }, exit: { code: 1 }, startError: 'no', ended: 'stopped' },
  });
  expect(runLease(run, 60_000)).toBeUndefined();
});

test('a run of an earlier life begins with its record, or else with its claim', () => {
  const { folder } = place();
  const claim = { id: 'agent-1', taskId: 'a', fence: 2, startedAt: 5 };
  const adopted = adoptedRun(folder, claim, undefined, Date.now());
  expect(adopted).toMatchObject({
    requested: false,
    alive: false,
    started: false,
    stopped: false,
    pid: undefined,
    record: {},
  });
  expect([adopted.pulse, adopted.ended]).toEqual([undefined, undefined]);
  expect(adopted.seenAt, 'it gets its whole term anew').toBeGreaterThan(1_000_000);
  const future = Date.now() + 1_000_000;
  expect(adoptedRun(folder, { ...claim, startedAt: future }, undefined, Date.now()).seenAt).toBe(future);
  expect(adoptedRun(folder, claim, { ...TICKET, command: 'x', executor: 'claude' }, Date.now()).pulse).toBeDefined();
});

verifies('run.clock', 'a run without a folder is not waited for until a clock that was set back has caught up', () => {
  const { run, agents } = place();
  let marked: number[] = [];
  let now = 0;
  const removed = new RemovedRecords({ belongingTo: () => marked } as unknown as Processes, { now: () => now });
  const madeAt = statSync(agents).birthtimeMs;
  const mayReappearAt = (at: number) => {
    now = at;
    return removed.mayReappear(run);
  };
  expect(mayReappearAt(madeAt + 1_000), 'the folder of all runs was made a moment ago').toBe(true);
  expect([mayReappearAt(madeAt + 2_000), mayReappearAt(madeAt - 3_600_000)]).toEqual([false, false]);
  marked = [7];
  expect(mayReappearAt(madeAt + 9_000), 'one of its processes is at work').toBe(true);
  marked = [];
  expect([mayReappearAt(madeAt + 10_000), mayReappearAt(madeAt + 11_000)]).toEqual([true, false]);
});

import { existsSync, mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { isRun, type RecordOwner, RunFolder, ticketOf } from '#adapters/runs/run-folder.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

verifies('test.bites', 'a ticket that is being written is not torn; one that stays empty is', () => {
  const agents = room('runs');
  const file = path.join(agents, 'agent-1', 'run.jsonl');
  mkdirSync(path.dirname(file));
  const run = new RunFolder(agents, 'agent-1');
  expect(run.ticketIsTorn()).toBe(false);
  writeFileSync(file, '');
  expect(run.ticketIsTorn()).toBe(false);
  const earlier = new Date(Date.now() - 60_000);
  utimesSync(file, earlier, earlier);
  expect(run.ticketIsTorn()).toBe(true);
  const ahead = new Date(Date.now() + 3_600_000);
  utimesSync(file, ahead, ahead);
  expect(run.ticketIsTorn(), 'the clock was set back since').toBe(true);
  writeFileSync(file, '{"pid":1,"start":"x"}\n');
  utimesSync(file, earlier, earlier);
  expect(run.ticketIsTorn()).toBe(false);
});

verifies('test.bites', 'a process id of another boot is not the run, whatever has it now', () => {
  const processes = new ProcessTable();
  const { boot, pid } = processes.self();
  const here = { pid, start: processes.startOf(pid) ?? '', void: false };
  expect(isRun(processes, '/agents', here, { boot_id: boot })).toBe(true);
  expect(isRun(processes, '/agents', here, { boot_id: 'an-earlier-boot' })).toBe(false);
  expect(isRun(processes, '/agents', { ...here, start: 'another' }, { boot_id: boot })).toBe(false);
});

const RECORD = { id: 'agent-1', task_id: 'a', fence: 2, started_at: 5, timeout_ms: 6, command: 'make' };
const LINE = { ...RECORD, pid: 7, start: 'then', token_hash: 'h' };

function kept(...lines: readonly (object | string)[]) {
  const agents = room('runs');
  const of = (owner?: RecordOwner) => new RunFolder(agents, 'agent-1', owner);
  const run = of();
  if (lines.length > 0) {
    run.create();
    const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('');
    writeFileSync(path.join(run.folder, 'run.jsonl'), text);
  }
  return { agents, run, of, file: path.join(run.folder, 'run.jsonl') };
}

test('a ticket says what its plan is, as far as it says something', () => {
  const plan = { id: 'agent-1', taskId: 'a', fence: 2, startedAt: 5, timeoutMs: 6, command: 'make', environment: {} };
  const of = (more: object, proof?: { tokenHash: string; boot: string }) =>
    ticketOf({ ...plan, ...more } as never, proof);
  expect(of({})).toEqual(RECORD);
  expect(of({ executor: 'claude', client: { mail: 'none', silentEnd: 'done', request: {} } })).toEqual({
    ...RECORD,
    executor: 'claude',
  });
  const client = { mail: 'send', silentEnd: 'ask', request: { model: 'm' }, strategy: 's', roleParts: ['r'] };
  const tree = { path: '/tree', branch: 'b', folder: '/tree/x' };
  expect(of({ client, tree }, { tokenHash: 'h', boot: 'boot' })).toEqual({
    ...{ ...RECORD, mail: 'send', silent_end: 'ask', model: 'm', strategy: 's', role_parts: ['r'] },
    ...{ worktree: '/tree', branch: 'b', folder: '/tree/x', boot_id: 'boot', token_hash: 'h' },
  });
});

test('a record is read from its first line, whole; its end from a later one', () => {
  const none = kept().run;
  expect([none.record(), none.pid(), none.ended(), none.hasEnded(), none.exit(1), none.outputBytes()]).toEqual([
    ...[undefined, undefined, undefined, false, undefined, 0],
  ]);
  const begun = kept(LINE, { told_to_end: 'killed' }, 'words\n', '{"code":0}').run;
  expect([begun.record(), begun.pid(), begun.ended(), begun.hasEnded()]).toEqual([
    ...[LINE, { pid: 7, start: 'then', void: false }, 'killed', false],
  ]);
  expect(kept({ ...LINE, start: undefined }).run.pid()).toEqual({ pid: 7, start: '', void: false });
  expect(kept({ ...LINE, pid: '7' }).run.pid()).toBeUndefined();
  expect([kept({ ...RECORD, fence: '2' }).run.record(), kept({ void: true }).run.record()]).toEqual([
    undefined,
    undefined,
  ]);
  expect(kept({ void: true, pid: 7 }).run.pid()).toEqual({ pid: 0, start: '', void: true });
  expect(kept({ ...LINE, code: 3 }).run.hasEnded(), 'the ticket is no end').toBe(false);
  const untold = kept(LINE).run;
  expect(untold.ended()).toBeUndefined();
  untold.markEnded('timeout' as never);
  expect(untold.ended()).toBe('timeout');
});

test('an end has its code, how long it took, and the last lines where they tell something', () => {
  const ended = (...lines: object[]) => {
    const { run, file } = kept(LINE, ...lines);
    writeFileSync(run.output, 'one\ntwo\n');
    utimesSync(file, 10, 10);
    return run;
  };
  expect(ended({ code: 0 }).exit(undefined)).toEqual({ code: 0 });
  expect(ended({ code: 0 }).exit(4_000)).toEqual({ code: 0, durationMs: 6_000 });
  expect(ended({ code: 0 }).exit(20_000)).toEqual({ code: 0, durationMs: 0 });
  expect(ended({ code: 1 }).exit(undefined)).toEqual({ code: 1, lastLines: 'one\ntwo' });
  expect(ended({ code: 0, checked: true }).exit(undefined)).toEqual({ code: 0, check: { lastLines: 'one\ntwo' } });
  expect(ended({ code: '0' }, { code: 2, checked: 'yes' }, { code: 3 }).exit(undefined)).toMatchObject({ code: 2 });
  expect(ended({ code: 1 }).outputBytes()).toBe(8);
});

test('the record of another run in its folder counts as none, and is said', () => {
  const owners: [RecordOwner, boolean][] = [
    [{ taskId: 'a', fence: 2 }, true],
    [{ taskId: 'a', fence: 2, tokenHash: 'h' }, true],
    [{ taskId: 'b', fence: 2 }, false],
    [{ taskId: 'a', fence: 3 }, false],
    [{ taskId: 'a', fence: 2, tokenHash: 'other' }, false],
  ];
  for (const [owner, isOwn] of owners) {
    const run = kept(LINE, { told_to_end: 'killed' }, { code: 1 }).of(owner);
    expect([run.record() !== undefined, run.hasEnded(), run.ended()], JSON.stringify(owner)).toEqual([
      ...(isOwn ? [true, true, 'killed'] : [false, false, undefined]),
    ]);
    expect(run.foreignRecord()).toBe(isOwn ? undefined : 'its folder holds the record of a under 2');
  }
  const other = { taskId: 'b', fence: 9 };
  expect([kept({ void: true }).of(other).foreignRecord(), kept({ void: true }).of(other).pid()?.void]).toEqual([
    undefined,
    true,
  ]);
  expect([kept().of(other).foreignRecord(), kept(LINE).run.foreignRecord()]).toEqual([undefined, undefined]);
});

test('a ticket is taken once: then the run never begins', () => {
  const { run, file } = kept();
  expect([run.isOnlyPrepared(), run.voidTicket(), run.voidTicket()]).toEqual([false, true, true]);
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777, statSync(run.folder).mode & 0o777]).toEqual([
    ...['{"void":true}\n', 0o600, 0o700],
  ]);
  expect(kept(LINE).run.voidTicket()).toBe(false);
  const prepared = kept().run;
  prepared.create();
  expect([prepared.isOnlyPrepared(), statSync(prepared.folder).mode & 0o777]).toEqual([false, 0o700]);
  expect(() => prepared.create()).toThrow('EEXIST');
  writeFileSync(path.join(prepared.folder, 'run.sh'), '');
  expect(prepared.isOnlyPrepared()).toBe(true);
  prepared.voidTicket();
  expect(prepared.isOnlyPrepared()).toBe(false);
  prepared.remove();
  prepared.remove();
  expect(existsSync(prepared.folder)).toBe(false);
  writeFileSync(prepared.folder, '');
  expect(() => prepared.record()).toThrow('ENOTDIR');
});

test('where a shell could not tell when it started, its command has to do', () => {
  const processes = {
    self: () => ({ boot: 'b' }),
    startOf: () => 'then',
    commandOf: (pid: number) => (pid === 7 ? 'sh /agents/agent-1' : undefined),
  };
  const is = (pid: number, start: string, record?: object) =>
    isRun(processes as never, '/agents', { pid, start, void: false }, record);
  expect([
    is(7, ''),
    is(8, ''),
    is(7, 'then'),
    is(7, 'later'),
    is(7, '', { boot_id: 'a' }),
    is(7, '', { boot_id: 'b' }),
  ]).toEqual([...[true, false, true, false, false, true]]);
  expect(isRun(processes as never, '/others', { pid: 7, start: '', void: false }, {})).toBe(false);
});

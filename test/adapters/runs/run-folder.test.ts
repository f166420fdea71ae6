import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { isRun, RunFolder } from '#adapters/runs/run-folder.js';
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

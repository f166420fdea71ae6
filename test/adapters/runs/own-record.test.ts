import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { ReadOnlyRuns } from '#adapters/runs/read-only-runs.js';
import { RunEnds } from '#adapters/runs/run-ends.js';
import { ShellRuns } from '#adapters/runs/shell-runs.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { systemClock } from '#kernel/clock.js';
import type { RunClaim, RunPlan } from '#ports/run-host.js';
import { NO_CLIENT_RUNS, NO_SANDBOX, noDoors } from '../../no-sandbox.js';
import { room } from '../../room.js';
import { textOf, until } from '../../scenarios/program.js';
import { verifies } from '../../verifies.js';

const endsIn = (projectFolder: string) => new RunEnds(path.join(projectFolder, 'runtime/ends.jsonl'));

function place() {
  const projectFolder = room('runs');
  const agentsFolder = path.join(projectFolder, '.workgraph', 'agents');
  mkdirSync(path.dirname(agentsFolder));
  const host = () => {
    const runs = new ShellRuns({
      agentsFolder,
      ends: endsIn(projectFolder),
      projectFolder,
      processes: new ProcessTable(),
      clock: systemClock,
      command: 'troupe',
      runProgram: 'run',
      sandbox: NO_SANDBOX,
      doors: noDoors(agentsFolder),
      ...NO_CLIENT_RUNS,
    });
    onTestFinished(() => runs.close());
    return runs;
  };
  const plan = (id: string, taskId: string, command: string): RunPlan => ({
    id,
    taskId,
    fence: 3,
    command,
    check: '',
    sandboxed: true,
    environment: {},
    timeoutMs: 60_000,
    startedAt: Date.now(),
  });
  const record = (id: string) => path.join(agentsFolder, id, 'run.jsonl');
  return { projectFolder, agentsFolder, host, plan, record };
}

const factOf = async (runs: ShellRuns, id: string): Promise<RunFact | undefined> =>
  (await runs.facts()).find((fact) => fact.id === id);
const over = (runs: ShellRuns, id: string) =>
  until(`${id} to be over`, async () => (await factOf(runs, id))?.alive === false);

const CLAIMED_AT = Date.parse('2026-11-22T10:00:00Z');

/** A command that runs until the file `go` is there. */
const HELD = 'touch begun; while [ ! -e go ]; do sleep 0.02; done; touch ended';

/** The facts of whoever only looks, as a dry run does. */
async function lookedAt(agentsFolder: string, claim: RunClaim) {
  const runs = new ReadOnlyRuns(
    agentsFolder,
    endsIn(path.resolve(agentsFolder, '../..')),
    new ProcessTable(),
    systemClock,
  );
  await runs.adopt([claim]);
  return runs.facts();
}

verifies('hold.run.mine', 'the record of another task, fence or token in its folder settles no run', async () => {
  for (const change of [
    (text: string) => text.replace('"task_id":"mine"', '"task_id":"other"'),
    (text: string) => text.replace('"fence":3', '"fence":4'),
    (text: string) => text.replace(/"token_hash":"[^"]+"/, '"token_hash":"another"'),
  ]) {
    const { projectFolder, host, plan, record } = place();
    const first = host();
    await first.start(plan('agent-1', 'mine', HELD));
    await until('it to begin', () => existsSync(path.join(projectFolder, 'begun')));
    const runs = host();
    await runs.adopt([{ run: 'agent-1', taskId: 'mine', fence: 3, startedAt: CLAIMED_AT }]);
    await first.close(); // from here on only records tell
    const foreign = `${change(textOf(record('agent-1')).trimEnd())}\n`;
    rmSync(path.dirname(record('agent-1')), { recursive: true });
    mkdirSync(path.dirname(record('agent-1')));
    writeFileSync(record('agent-1'), foreign);
    appendFileSync(record('agent-1'), '{"code":0}\n');
    const before = textOf(record('agent-1'));
    await new Promise<void>((resolve) => runs.onChange(resolve)); // it is looked at
    expect(await factOf(runs, 'agent-1')).toMatchObject({ alive: true });
    writeFileSync(path.join(projectFolder, 'go'), '');
    await until('it to end', () => existsSync(path.join(projectFolder, 'ended')));
    await over(runs, 'agent-1');
    const fact = await factOf(runs, 'agent-1');
    expect(fact?.exit).toBeUndefined();
    expect(fact?.startError).toMatch(/holds the record of (mine|other) under \d/);
    expect(textOf(record('agent-1')), 'the other’s record is not written to').toBe(before);
  }
});

verifies('hold.run.mine', 'a life that begins with the record of another does not settle by it', async () => {
  const { host, record, agentsFolder } = place();
  const runs = host();
  mkdirSync(path.join(agentsFolder, 'agent-1'));
  const ticket = {
    pid: 1,
    start: '1',
    id: 'agent-1',
    task_id: 'other',
    fence: 3,
    started_at: 0,
    timeout_ms: 1,
    command: '',
  };
  writeFileSync(record('agent-1'), `${JSON.stringify(ticket)}\n{"code":0}\n`);
  await runs.adopt([{ run: 'agent-1', taskId: 'mine', fence: 3, startedAt: CLAIMED_AT }]);
  expect((await factOf(runs, 'agent-1'))?.exit).toBeUndefined();
});

verifies(
  'hold.run.mine',
  'agents/ removed under a running service is made again, and runs at work are known on',
  async () => {
    const { projectFolder, agentsFolder, host, plan, record } = place();
    const runs = host();
    await runs.start(plan('agent-1', 'held', HELD));
    await until('it to begin', () => existsSync(path.join(projectFolder, 'begun')));
    await until('it to be seen', async () => (await runs.listed())[0]?.pid !== undefined);
    rmSync(agentsFolder, { recursive: true });
    const claim = { run: 'agent-1', taskId: 'held', fence: 3, startedAt: CLAIMED_AT };
    expect(await lookedAt(agentsFolder, claim), 'without the folder').toMatchObject([{ alive: true, started: true }]);
    await runs.start(plan('agent-2', 'quick', 'echo hello'));
    await over(runs, 'agent-2');
    expect(await factOf(runs, 'agent-2')).toMatchObject({ exit: { code: 0 } });
    expect(readFileSync(path.join(agentsFolder, 'agent-2/output.log'), 'utf8')).toBe('hello\n');
    expect(lstatSync(agentsFolder).mode & 0o777).toBe(0o700);
    expect(await factOf(runs, 'agent-1')).toMatchObject({ alive: true });

    // Another life finds the run by its processes, and its record when it ends.
    const next = host();
    await next.adopt([claim]);
    expect(await factOf(next, 'agent-1')).toMatchObject({ alive: true, started: true, startedAt: CLAIMED_AT });
    expect(await lookedAt(agentsFolder, claim), 'a dry run sees the same').toMatchObject([
      { alive: true, started: true },
    ]);
    await runs.close();
    writeFileSync(path.join(projectFolder, 'go'), '');
    await over(next, 'agent-1');
    expect(await factOf(next, 'agent-1')).toMatchObject({ exit: { code: 0 }, taskId: 'held', fence: 3 });
    // The end is in the file outside of the work tree first.
    await until('its record', () => /"task_id":"held".*\n\{"code":0/.test(textOf(record('agent-1'))));
  },
);

verifies(
  'hold.run.mine',
  'a run without its record that is ended has no process left, and never begins again',
  async () => {
    const { projectFolder, agentsFolder, host, plan, record } = place();
    const first = host();
    await first.start(plan('agent-1', 'held', HELD));
    await until('it to begin', () => existsSync(path.join(projectFolder, 'begun')));
    rmSync(path.join(agentsFolder, 'agent-1'), { recursive: true });
    const next = host();
    await next.adopt([{ run: 'agent-1', taskId: 'held', fence: 3, startedAt: CLAIMED_AT }]);
    next.end('agent-1', 'timeout');
    expect(await factOf(next, 'agent-1')).toMatchObject({ alive: false });
    const mark = path.join(agentsFolder, 'agent-1');
    const left = { name: 'WG_RUN', values: new Set([mark]), sessions: new Set<number>() };
    await until('its processes to be gone', () => new ProcessTable().belongingTo(left).length === 0);
    expect(textOf(record('agent-1'))).toBe('{"void":true}\n');
  },
);

verifies('hold.run.mine', 'how a run ended is known although its folder went after its end', async () => {
  const { projectFolder, agentsFolder, host, plan } = place();
  const claim = (id: string, taskId: string) => ({ run: id, taskId, fence: 3, startedAt: CLAIMED_AT });
  const first = host();
  await first.start(plan('agent-1', 'good', 'echo once >> marks'));
  await first.start({ ...plan('agent-2', 'bad', 'true'), check: 'echo no; exit 3' });
  await first.start(plan('agent-3', 'held', HELD));
  await over(first, 'agent-1');
  await over(first, 'agent-2');
  rmSync(agentsFolder, { recursive: true });
  expect(await lookedAt(agentsFolder, claim('agent-1', 'good'))).toMatchObject([{ alive: false, exit: { code: 0 } }]);
  const next = host();
  const [good, bad] = [claim('agent-1', 'good'), claim('agent-2', 'bad')];
  await next.adopt([good, bad, claim('agent-9', 'good'), { ...good, run: 'agent-8', fence: 4 }]);
  expect(await factOf(next, 'agent-1')).toMatchObject({ alive: false, started: true, exit: { code: 0 } });
  expect(await factOf(next, 'agent-2')).toMatchObject({ alive: false, exit: { code: 3, check: {} } });
  for (const another of ['agent-8', 'agent-9']) expect((await factOf(next, another))?.exit, another).toBeUndefined();
  expect(textOf(path.join(projectFolder, 'marks'))).toBe('once\n');
  expect(statSync(endsIn(projectFolder).file).mode & 0o777).toBe(0o600);
  writeFileSync(path.join(projectFolder, 'go'), '');
  await over(first, 'agent-3');
  for (const id of ['agent-1', 'agent-2', 'agent-3']) first.forget(id, 'done');
  expect(textOf(endsIn(projectFolder).file), 'settled, all of it').toBe('');
});

verifies(
  'hold.run.mine',
  'a run whose folder is gone before its output is opened never begins, and fails nothing',
  async () => {
    const { projectFolder, agentsFolder, host } = place();
    host(); // writes the script
    const folder = path.join(agentsFolder, 'agent-1');
    mkdirSync(path.join(folder, 'output.log'), { recursive: true }); // it cannot be opened, as where the folder is gone
    const words = [folder, '"id":"agent-1"}', '{"run":"agent-1"', 'touch ran', projectFolder, ''];
    const program = 'source "$1"; mask=022 pairs=(); shift; run "$@"';
    execFileSync('bash', ['-c', program, '-', path.join(agentsFolder, 'run.sh'), ...words], { cwd: projectFolder });
    expect(existsSync(path.join(projectFolder, 'ran'))).toBe(false);
    expect(textOf(path.join(folder, 'run.jsonl'))).not.toContain('"code"');
  },
);

verifies('hold.run.mine', 'agents/ as a link is refused, at the start and later', async () => {
  const { agentsFolder, host, plan } = place();
  const elsewhere = room('elsewhere');
  const runs = host();
  rmSync(agentsFolder, { recursive: true });
  symlinkSync(elsewhere, agentsFolder);
  await runs.start(plan('agent-1', 'mine', 'true'));
  expect((await factOf(runs, 'agent-1'))?.startError).toContain('is a link');
  await runs.close();
  expect(() => host()).toThrow(expect.objectContaining({ code: 'unsafe_path' }));
  expect(existsSync(path.join(elsewhere, 'agent-1')) || existsSync(path.join(elsewhere, 'registry.json'))).toBe(false);
});

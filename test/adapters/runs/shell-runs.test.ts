import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { RunFolder } from '#adapters/runs/run-folder.js';
import { ShellRuns } from '#adapters/runs/shell-runs.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import type { RunPlan } from '#ports/run-host.js';
import { requestByHand } from '../../launcher.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

function place() {
  const projectFolder = room('runs');
  const agentsFolder = path.join(projectFolder, '.workgraph', 'agents');
  mkdirSync(agentsFolder, { recursive: true });
  const plan = (id: string, command: string, environment: Record<string, string> = {}): RunPlan => ({
    id,
    taskId: `task of ${id}`,
    fence: 1,
    command,
    environment,
    timeoutMs: 60_000,
    startedAt: Date.now(),
  });
  return { projectFolder, agentsFolder, plan };
}

function host(projectFolder: string, agentsFolder: string): ShellRuns {
  const processes = new ProcessTable();
  const runs = new ShellRuns({
    agentsFolder,
    projectFolder,
    processes,
    command: 'troupe',
    runProgram: 'run',
    firstNumber: 1,
  });
  onTestFinished(() => runs.close());
  return runs;
}

/** Resolves with the first facts of a run that satisfy the question; asked whenever facts may have changed. */
function whenever(runs: ShellRuns, id: string, question: (fact: RunFact) => boolean): Promise<RunFact> {
  return new Promise((resolve) => {
    const look = () => {
      const fact = runs.facts().find((candidate) => candidate.id === id);
      if (fact && question(fact)) resolve(fact);
    };
    runs.onChange(look);
    look();
  });
}

verifies('run.folder', 'a run leaves what it printed and how it ended, readable by nobody else', async () => {
  const { projectFolder, agentsFolder, plan } = place();
  const runs = host(projectFolder, agentsFolder);
  await runs.start(
    plan('agent-1', 'echo "$IN_NAME in $PWD"; exit 3', { IN_NAME: "it's $(touch pwned) `id`\nhere", HOME: '/nowhere' }),
  );
  const fact = await whenever(runs, 'agent-1', ({ exit }) => exit !== undefined);
  expect(fact).toMatchObject({ alive: false, started: true, exit: { code: 3 } });
  const folder = new RunFolder(agentsFolder, 'agent-1');
  expect(readFileSync(folder.output, 'utf8')).toBe(`it's $(touch pwned) \`id\`\nhere in ${projectFolder}\n`);
  expect(existsSync(path.join(projectFolder, 'pwned'))).toBe(false);
  expect(folder.record()).toMatchObject({ id: 'agent-1', task_id: 'task of agent-1', fence: 1 });
});

verifies('crash.service-claimed', 'of a run and a coordinator only one gets the ticket', async () => {
  const { projectFolder, agentsFolder, plan } = place();
  const taken = new RunFolder(agentsFolder, 'agent-1');
  expect(taken.voidTicket()).toBe(true);
  expect(requestByHand(projectFolder, plan('agent-1', 'echo ran'))).toMatch(/^agent-1 \d+ \n$/);
  expect(existsSync(taken.output)).toBe(false);
  const running = new RunFolder(agentsFolder, 'agent-2');
  running.create();
  expect(requestByHand(projectFolder, plan('agent-2', 'echo ran'))).toMatch(/^agent-2 \d+ 0\n$/);
  expect(readFileSync(running.output, 'utf8')).toBe('ran\n');
  const ticket = readFileSync(path.join(running.folder, 'run.jsonl'), 'utf8');
  expect(running.voidTicket()).toBe(false);
  expect(readFileSync(path.join(running.folder, 'run.jsonl'), 'utf8')).toBe(ticket);
});

test('a ticket that was only begun is no ticket, and no process', () => {
  const { agentsFolder } = place();
  const torn = new RunFolder(agentsFolder, 'agent-1');
  torn.create();
  for (const text of ['', '{"pid":12', '{"pid":"12"}\n', 'garbage\n']) {
    writeFileSync(path.join(torn.folder, 'run.jsonl'), text);
    expect(torn.pid()).toBeUndefined();
    expect(torn.voidTicket()).toBe(false);
    expect(torn.hasEnded()).toBe(false);
  }
});

test('a launcher that is killed takes no run with it, and the next request starts another', async () => {
  const { projectFolder, agentsFolder, plan } = place();
  const runs = host(projectFolder, agentsFolder);
  await runs.start(plan('agent-1', 'until [ -e go ]; do sleep 0.05; done; echo ended'));
  const first = new RunFolder(agentsFolder, 'agent-1');
  await whenever(runs, 'agent-1', () => first.pid() !== undefined);
  const launcher = execFileSync('pgrep', ['-f', '--', `--serve ${agentsFolder}`], { encoding: 'utf8' })
    .split('\n')
    .map(Number);
  const own = first.pid()?.pid;
  for (const pid of launcher)
    if (pid > 0 && pid !== own && groupOf(pid) === pid && groupOf(pid) !== own) process.kill(pid, 'SIGKILL');
  writeFileSync(path.join(projectFolder, 'go'), '');
  expect((await whenever(runs, 'agent-1', ({ exit }) => exit !== undefined)).exit?.code).toBe(0);
  await runs.start(plan('agent-2', 'true'));
  expect((await whenever(runs, 'agent-2', ({ exit }) => exit !== undefined)).exit?.code).toBe(0);
});

test('a run that is told to end before it began never begins', async () => {
  const { projectFolder, agentsFolder, plan } = place();
  const runs = host(projectFolder, agentsFolder);
  const started = runs.start(plan('agent-1', 'echo ran > ran.txt'));
  runs.end('agent-1', 'stopped');
  await started;
  const fact = await whenever(runs, 'agent-1', ({ alive }) => !alive);
  if (!fact.started) expect(existsSync(path.join(projectFolder, 'ran.txt'))).toBe(false);
  expect(fact.alive).toBe(false);
});

function groupOf(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'pgid=', '-p', String(pid)], { encoding: 'utf8' }));
}

import { appendFileSync, existsSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { systemClock } from '#kernel/clock.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { Engine } from '#main/engine.js';
import { projectAt } from '#main/project.js';
import { fileAt, integrationOf } from '../adapters/worktrees/place.js';
import { mass } from '../mass.js';
import { git } from '../repository.js';
import { verifies } from '../verifies.js';
import { inRun, ownSettings, say } from './client-world.js';
import {
  asked,
  endEverything,
  project,
  startService,
  statuses,
  textOf,
  troupe,
  until,
  untilStatus,
} from './program.js';
import { addPlay, logOf, repositoryProject, serveClients, shownTask } from './repository-world.js';

const WAITS = 'until [ -e "$WG_RUN/go" ]; do sleep 0.05; done';

/** Ends the run of `orphan` and whoever would have settled it; what it is left with is returned. */
async function beheaded(cwd: string): Promise<string> {
  const ticket = inRun(cwd, 'agent-1', 'run.jsonl');
  const { pid } = JSON.parse(textOf(ticket).split('\n')[0] ?? '{}') as { pid: number };
  process.kill(-pid, 'SIGKILL');
  await until('it to be gone', () => !existsSync(`/proc/${pid}`));
  return ticket;
}

/** A command that waits to be told, begun by a service that then stops. */
async function orphan(command: string): Promise<string> {
  const cwd = await project();
  await asked(['add', 'A', '--id', 'a', '--exec', `${WAITS}; ${command}`], { cwd });
  await asked(['add', 'B', '--id', 'b', '--paused'], { cwd });
  await startService(cwd);
  await until('it to begin', () => existsSync(inRun(cwd, 'agent-1', 'output.log')));
  await asked(['service', 'stop'], { cwd });
  return cwd;
}

verifies(
  'wrap.offline',
  'worked example 5: the service is down, and a command that ends with 3 has failed',
  async () => {
    const cwd = await orphan('exit 3');
    say(cwd, 'agent-1', 'go');
    await untilStatus(cwd, 'a', 'failed');
    expect((await shownTask(cwd, 'a'))['failure_reason']).toBe('Command exited with code 3');
    expect(logOf(cwd).filter((entry) => entry.op === 'agent_complete')).toHaveLength(1);
  },
);

verifies('wrap.offline', 'whoever holds the lock is waited for', async () => {
  const cwd = await orphan('true');
  const store = await FileStore.open({
    folder: path.join(cwd, '.workgraph'),
    clock: systemClock,
    processes: new ProcessTable(),
    hold: true,
  });
  say(cwd, 'agent-1', 'go');
  await until('its end to be recorded', () => textOf(inRun(cwd, 'agent-1', 'run.jsonl')).includes('"code"'));
  expect((await store.view()).task('a')?.status).toBe('in-progress');
  await store.close();
  await untilStatus(cwd, 'a', 'done');
});

verifies(
  'wrap.offline',
  'an exit that nobody could settle is settled by the next command that changes something',
  async () => {
    const cwd = await orphan('true');
    const ticket = await beheaded(cwd);
    expect(await asked(['log', 'b', 'nothing of a'], { cwd })).toBeDefined();
    expect(await statuses(cwd)).toMatchObject({ a: 'in-progress' });
    appendFileSync(ticket, '{"code":0}\n');
    expect(await statuses(cwd)).toMatchObject({ a: 'in-progress' });
    await asked(['log', 'b', 'something else'], { cwd });
    expect(await statuses(cwd)).toMatchObject({ a: 'done' });
    await asked(['log', 'b', 'once more'], { cwd });
    expect(logOf(cwd).filter((entry) => entry.op === 'agent_complete')).toHaveLength(1);
  },
);

verifies(
  'wrap.offline',
  'a run that ended after the last round of a service is settled before that is gone',
  async () => {
    const cwd = await orphan('true');
    appendFileSync(await beheaded(cwd), '{"code":0}\n');
    await asked(['trust'], { cwd, env: ownSettings() });
    const engine = await Engine.open({ project: projectAt(cwd) });
    await engine.coordinator.begin(); // it knows of the run from here on, and no round looks at it
    await engine.stop({ killRuns: false });
    expect(await statuses(cwd)).toMatchObject({ a: 'done' });
  },
);

verifies(['wrap.offline', 'tree.merge'], 'the work of a client is merged without a service too', async () => {
  const cwd = await repositoryProject();
  await addPlay(cwd, 'a', 'edits-late');
  await serveClients(cwd);
  await until('it to begin', () => existsSync(inRun(cwd, 'agent-1', 'seen-pid')));
  await asked(['service', 'stop'], { cwd });
  say(cwd, 'agent-1', 'go');
  await untilStatus(cwd, 'a', 'done');
  expect(fileAt(cwd, integrationOf(cwd), 'f.txt')).toBe('by a\n');
  expect((await shownTask(cwd, 'a'))['token_usage']).toMatchObject({ cost_usd: 0.25 });
});

test('tree.merge: a service that is killed at any moment of it has merged everything once when it is there again', async () => {
  const cwd = await repositoryProject();
  const ids = Array.from({ length: mass(3, 6) }, (_, index) => `t${index}`);
  for (const id of ids) await addPlay(cwd, id, 'leaves');
  for (const waited of [300, 700, 500, 900].slice(0, mass(2, 4))) {
    const { pid } = await serveClients(cwd);
    await new Promise((resolve) => setTimeout(resolve, waited)); // any moment will do
    process.kill(pid, 'SIGKILL');
  }
  await serveClients(cwd);
  for (const id of ids) await untilStatus(cwd, id, 'done');
  const subjects = git(cwd, 'log', '--first-parent', '--format=%s', 'wg/integration').trim().split('\n');
  expect(subjects.filter((subject) => subject.startsWith('t')).sort()).toEqual(
    ids.map((id) => `${id}: Do it play=leaves`),
  );
  for (const id of ids) {
    expect(fileAt(cwd, integrationOf(cwd), `${id}.txt`)).toBe(`by ${id}\n`);
    expect(logOf(cwd).filter((entry) => entry.op === 'done' && entry.task_id === id)).toHaveLength(1);
  }
});

verifies('wrap.capture', 'what a command prints shows no secret, and keeps none once it is settled', async () => {
  const cwd = await project();
  const prints = 'echo "before AKIAABCDEFGHIJKLMNOP after"; echo "password=hunter2hunter2"';
  await asked(['add', 'A', '--id', 'a', '--exec', `${prints}; ${WAITS}`], { cwd });
  await startService(cwd);
  onTestFinished(() => endEverything(cwd));
  const file = inRun(cwd, 'agent-1', 'output.log');
  await until('it to print', () => textOf(file).includes('hunter2'));
  const shown = (await troupe(['output', 'a'], { cwd })).stdout;
  expect(shown).toContain('before ******** after');
  expect(shown).not.toMatch(/AKIA|hunter2/);
  expect((await troupe(['output', 'a', '--bytes', '20'], { cwd })).stdout).not.toContain('hunter2');
  say(cwd, 'agent-1', 'go');
  await untilStatus(cwd, 'a', 'done');
  await until('the file to be clean', () => !/AKIA|hunter2/.test(textOf(file)));
  expect(textOf(file)).toContain('before ******** after\npassword=********\n');
  expect(statSync(file).mode & 0o077).toBe(0);
});

verifies('wrap.capture', 'what a command printed beyond the bound is gone when it is settled', async () => {
  const cwd = await project();
  writeFileSync(path.join(cwd, 'flood.sh'), 'yes 0123456789 | head -c 70000000\n');
  await asked(['add', 'A', '--id', 'a', '--exec', 'bash flood.sh'], { cwd });
  await startService(cwd);
  const file = inRun(cwd, 'agent-1', 'output.log');
  const ended = () =>
    ['done', 'failed'].some((status) => textOf(path.join(cwd, '.workgraph/operations.jsonl')).includes(`"${status}"`));
  await until('it to be settled', ended, 60_000);
  await until('the file to be cut', () => statSync(file).size <= WORK_LIMITS.outputBytes, 60_000);
  expect(textOf(file).slice(-60)).toContain('the rest of the output is not kept');
});

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { WatchEvent } from '#core/history/watch-event.js';
import { verifies } from '../verifies.js';
import { asked, project, start, startService, statuses, textOf, troupe, until } from './program.js';

const log = (cwd: string) => textOf(path.join(cwd, '.workgraph/operations.jsonl'));

verifies(
  'watch.agent',
  'runs that begin and end are told, with how they ended, of one task where that is asked for',
  async () => {
    const cwd = await project();
    await startService(cwd);
    const running = start(['watch', '--since', '0', '--event', 'agent', '--task', 'w'], { cwd });
    onTestFinished(() => void running.child.kill('SIGKILL'));
    const told = () =>
      running
        .stdout()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as WatchEvent);
    await asked(['add', 'Done', '--id', 'w-done', '--exec', 'true'], { cwd });
    await asked(['add', 'Failed', '--id', 'w-failed', '--exec', 'exit 3'], { cwd });
    await asked(['add', 'Other', '--id', 'other', '--exec', 'true'], { cwd });
    await asked(
      ['add', 'Itself', '--id', 'w-itself', '--exec', 'node "$TROUPE_BIN" fail w-itself --reason no; exit 0'],
      { cwd },
    );
    await asked(['add', 'Parks', '--id', 'w-parked', '--exec', 'node "$TROUPE_BIN" wait w-parked --until timer:1h'], {
      cwd,
    });
    await asked(['add', 'Dies', '--id', 'w-dead', '--exec', 'sleep 600'], { cwd });
    await until('it to be at work', () => log(cwd).includes('"op":"spawn_agent","task_id":"w-dead"'));
    const row = async () =>
      (await asked<{ agents: { task_id: string; pid: number | null }[] }>(['agents'], { cwd })).agents.find(
        ({ task_id, pid }) => task_id === 'w-dead' && pid !== null,
      );
    await until('its process', async () => (await row()) !== undefined);
    process.kill(-((await row())?.pid ?? 0), 'SIGKILL');
    const outcomes = () =>
      Object.fromEntries(
        told()
          .filter(({ type }) => type === 'agent.completed')
          .map(({ task_id, data }) => [task_id, data['outcome']]),
      );
    const wanted = {
      'w-done': 'done',
      'w-failed': 'failed',
      'w-itself': 'failed',
      'w-parked': 'parked',
      'w-dead': 'dead',
    };
    await until('all of them to end', () => Object.keys(outcomes()).length >= 5);
    expect(outcomes()).toEqual(wanted);
    const types = told().map(({ type }) => type);
    expect(new Set(types)).toEqual(new Set(['agent.spawned', 'agent.completed']));
    expect(told().every(({ task_id }) => task_id?.startsWith('w-'))).toBe(true);
    for (const id of Object.keys(wanted)) {
      const own = told().filter(({ task_id }) => task_id === id);
      expect(own.slice(0, 2)).toMatchObject([
        { type: 'agent.spawned', data: { run: expect.stringMatching(/^agent-\d+$/), executor: 'shell' } },
        { type: 'agent.completed', data: { run: own[0]?.data['run'] } },
      ]);
    }
  },
);

verifies('adapter.points', 'a program beside us comes in by a few commands and looks by watch', async () => {
  const cwd = await project();
  const running = start(['watch', '--since', '0'], { cwd });
  onTestFinished(() => void running.child.kill('SIGKILL'));
  await asked(['add', 'Outside', '--id', 'a'], { cwd });
  await asked(['log', 'a', 'seen by the tool'], { cwd });
  await asked(['done', 'a'], { cwd });
  await asked(['add', 'Other', '--id', 'b'], { cwd });
  await asked(['fail', 'b', '--reason', 'the tool says no'], { cwd });
  await asked(['evaluate', 'record', 'a', '--score', '0.5', '--source', 'ci:unit'], { cwd });
  await asked(['trace', 'export', '--visibility', 'internal', '--output', 'out.json'], { cwd });
  await asked(['trace', 'import', 'out.json', '--source', 'elsewhere'], { cwd });
  await until('all of it to be told', () => running.stdout().includes('evaluation.recorded'));
  const types = running
    .stdout()
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as WatchEvent).type);
  for (const type of ['task.created', 'task.changed', 'task.completed', 'task.failed', 'evaluation.recorded'])
    expect(types).toContain(type);
  expect(await statuses(cwd)).toEqual({ a: 'done', b: 'failed' }); // what was imported lies beside the graph
  // A program that writes beside these commands, by hand, is noticed and told of as such.
  const file = path.join(cwd, '.workgraph/operations.jsonl');
  const before = textOf(file);
  writeFileSync(file, `${before}{"op":"done","task_id":"b"}\n`);
  const looked = await troupe(['list', '--json'], { cwd });
  expect(`${looked.stdout}${looked.stderr}`).not.toContain('"id":"b","title":"Other","status":"done"');
  expect((await asked<{ task: { status: string } }>(['show', 'b'], { cwd })).task.status).toBe('failed');
});

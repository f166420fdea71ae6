import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import type { WatchEvent } from '#core/history/watch-event.js';
import { verifies } from '../verifies.js';
import { asked, CLI, installed, project, type Running, start, startService, textOf, troupe, until } from './program.js';

const LATE_MOST_MS = 300;

function eventsOf({ stdout }: Running): WatchEvent[] {
  return stdout()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as WatchEvent);
}

/** A watch that is known to be live: it has told what was there before. */
async function watching(cwd: string, ...flags: string[]): Promise<Running> {
  const running = start(['watch', '--since', '0', ...flags], { cwd });
  onTestFinished(() => {
    running.child.kill('SIGKILL');
  });
  await until('the watch to be live', () => running.stdout() !== '');
  return running;
}

async function ended(running: Running, signal: NodeJS.Signals = 'SIGINT') {
  running.child.kill(signal);
  const { code, stderr } = await running.finished;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
}

/** Milliseconds from the moment a command has been answered to its line. */
async function lateness(cwd: string, running: Running, command: readonly string[]): Promise<number> {
  const before = eventsOf(running).length;
  const seen = until('the line', () => eventsOf(running).length > before).then(() => performance.now());
  await troupe(command, { cwd });
  const answered = performance.now();
  return (await seen) - answered;
}

async function adds(cwd: string, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await troupe(['add', `Task ${index}`], { cwd });
}

for (const served of [false, true]) {
  verifies(
    'graph.watch.lines',
    `${served ? 'with' : 'without'} a service every event is told once, in order, and soon`,
    async () => {
      const cwd = await project();
      await troupe(['add', 'A', '--id', 'a'], { cwd });
      if (served) await startService(cwd);
      const running = await watching(cwd);
      const late: number[] = [];
      for (const command of [
        ['claim', 'a'],
        ['log', 'a', 'half way'],
        ['fail', 'a'],
        ['retry', 'a'],
        ['done', 'a'],
      ]) {
        late.push(await lateness(cwd, running, command));
      }
      expect(late.sort((left, right) => left - right)[2]).toBeLessThanOrEqual(LATE_MOST_MS);
      await adds(cwd, 12);
      await until('the last line', () => eventsOf(running).length === 18);
      const events = eventsOf(running);
      expect(events.map((event) => event.seq)).toEqual(Array.from({ length: 18 }, (_, index) => index + 1));
      expect(events.slice(0, 6).map((event) => event.type)).toEqual([
        'task.created',
        'task.started',
        'task.changed',
        'task.failed',
        'task.retried',
        'task.completed',
      ]);
      for (const event of events) {
        expect(Object.keys(event)).toEqual(['type', 'timestamp', 'task_id', 'data', 'seq']);
      }
      await ended(running);
    },
  );
}

verifies('graph.watch.lines', 'who reads no more ends it well; so does TERM', async () => {
  const cwd = await project();
  await troupe(['add', 'A', '--id', 'a'], { cwd });
  const piped = await watching(cwd);
  piped.child.stdout?.destroy();
  await troupe(['done', 'a'], { cwd });
  expect(await piped.finished).toMatchObject({ code: 0, signal: null, stderr: '' });
  await ended(await watching(cwd), 'SIGTERM');
});

verifies('graph.watch.lines', 'watching holds no lock, and a graph that a hand changed is told of too', async () => {
  const cwd = await project();
  await troupe(['add', 'A', '--id', 'a'], { cwd });
  const running = await watching(cwd);
  expect(textOf(path.join(cwd, '.workgraph/service/write.lock'))).toBe('');
  const graph = path.join(cwd, '.workgraph/graph.jsonl');
  writeFileSync(graph, readFileSync(graph, 'utf8').replace('"title":"A"', '"title":"By hand"'));
  await troupe(['log', 'a', 'x'], { cwd });
  await until('both lines', () => eventsOf(running).length === 3);
  expect(eventsOf(running)[1]).toMatchObject({
    type: 'task.changed',
    task_id: 'a',
    data: { op: 'hand_edit', fields: ['title'] },
  });
  await ended(running);
});

verifies(
  'graph.watch.filter',
  'kinds and tasks are chosen, history comes first, unknown kinds are refused',
  async () => {
    const cwd = await project();
    for (const id of ['part-1', 'part-2', 'other']) await troupe(['add', id, '--id', id], { cwd });
    for (const id of ['part-1', 'other']) await troupe(['done', id], { cwd });
    await troupe(['log', 'part-1', 'x'], { cwd });
    const told = async (earlier: number, ...flags: string[]) => {
      const running = start(['watch', ...flags], { cwd });
      await until('what was before', () => eventsOf(running).length >= earlier);
      await troupe(['log', 'part-2', 'last'], { cwd });
      await until('the last line', () => eventsOf(running).at(-1)?.data['message'] === 'last');
      const lines = eventsOf(running).filter((event) => event.data['message'] !== 'last');
      await ended(running);
      return lines.map((event) => `${event.type} ${event.task_id}`);
    };
    expect(await told(2, '--replay', '2', '--task', 'part')).toHaveLength(2);
    expect(
      await told(2, '--since', '3', '--event', 'task.completed', '--event', 'task.changed', '--task', 'part'),
    ).toEqual(['task.completed part-1', 'task.changed part-1']);
    const two = start(['watch', '--event', 'task.completed', '--replay', '1'], { cwd });
    await until('the line', () => eventsOf(two).length > 0);
    expect(eventsOf(two).map((event) => event.task_id)).toEqual(['other']);
    await ended(two);
    for (const flags of [
      ['--event', 'task'],
      ['--replay', 'x'],
      ['--replay', '-1'],
      ['--since', '1.5'],
      ['--since', '1', '--replay', '1'],
    ]) {
      const refused = await troupe(['watch', ...flags], { cwd });
      expect([refused.code, refused.stdout], flags.join(' ')).toEqual([2, '']);
    }
    expect((await troupe(['watch', '--event', 'task.complete'], { cwd })).stderr).toContain(
      'Did you mean task.completed?',
    );
  },
);

verifies('graph.watch.lines', 'a person at a terminal reads words, and what titles hold does not act', async () => {
  const cwd = await project();
  await troupe(['add', 'A \u001b[31m red', '--id', 'a'], { cwd });
  const running = start(['-qefc', `exec node "${CLI}" watch --since 0`, path.join(cwd, 'typescript')], {
    cwd,
    program: ['script'],
    env: { TERM: 'xterm', NO_COLOR: '1' },
    input: 'pipe',
  });
  await until('the line', () => running.stdout().includes('task.created'));
  running.child.stdin?.write('\u0003');
  const { code, stdout } = await running.finished;
  expect(code).toBe(0);
  expect(stdout).toMatch(/\d\d:\d\d:\d\d {2}task\.created +a by tess {2}→ open; title A \\u\{1b\}\[31m red/);
});

verifies(
  'graph.watch.adapters',
  'the adapter of the guide for continuous integration does what the guide says',
  async () => {
    const guide = readFileSync(path.resolve(import.meta.dirname, '../../docs/guide/adapters.md'), 'utf8');
    const script = /```sh ci-adapter\n([\s\S]*?)```/.exec(guide)?.[1] ?? '';
    const cwd = await project();
    writeFileSync(path.join(cwd, 'adapter.sh'), script);
    writeFileSync(path.join(cwd, 'checks.sh'), 'exit 0\n');
    const running = start(['sh', 'adapter.sh'], {
      cwd,
      program: ['setsid'],
      env: { PATH: `${installed()}:${process.env['PATH'] ?? ''}` },
    });
    const end = () => {
      const { pid, exitCode, signalCode } = running.child;
      if (exitCode === null && signalCode === null && pid !== undefined) process.kill(-pid, 'SIGKILL');
    };
    onTestFinished(end);
    const log = () => textOf(path.join(cwd, '.workgraph/operations.jsonl'));
    await until('the good word', async () => {
      // Until it listens, nobody hears of it. Processes of their own give it the time to.
      const added = await start(['add', 'Good', '--json'], { cwd }).finished;
      await start(['done', JSON.parse(added.stdout).id], { cwd }).finished;
      return log().includes('ci: checks passed');
    });
    writeFileSync(path.join(cwd, 'checks.sh'), 'exit 1\n');
    await troupe(['add', 'Bad', '--id', 'bad'], { cwd });
    await troupe(['done', 'bad'], { cwd });
    await until('the new task', () => log().includes('Repair what bad broke'));
    const scored = async () =>
      (await asked<{ evaluations: { score: number; source: string }[] }>(['evaluate', 'show', 'bad'], { cwd }))
        .evaluations;
    await until('the score', async () => (await scored()).length > 0);
    expect(await scored()).toMatchObject([{ score: 0, source: 'ci:checks' }]);
    end();
    await running.finished;
    const seen = await watching(cwd, '--event', 'evaluation', '--task', 'bad');
    expect(eventsOf(seen)).toMatchObject([
      { type: 'evaluation.recorded', task_id: 'bad', data: { score: 0, source: 'ci:checks' } },
    ]);
    await ended(seen);
    const again = ['replay', '--below-score', '0.5', '--keep-done', '0.9', '--plan-only'];
    const { reset_tasks } = await asked<{ reset_tasks: string[] }>(again, { cwd });
    expect(reset_tasks).toContain('bad');
    const passed = log()
      .split('\n')
      .filter((line) => line.includes('ci: checks passed'))
      .map((line) => (JSON.parse(line) as Entry).task_id);
    expect(passed).not.toEqual([]);
    expect(reset_tasks.filter((id) => passed.includes(id))).toEqual([]);
  },
);

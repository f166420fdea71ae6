import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifies } from '../verifies.js';
import { asked, project, startService, statuses, textOf, troupe, until, untilStatus } from './program.js';
import { logOf } from './repository-world.js';

const refusal = async (words: string[], cwd: string) => {
  const { code, stderr, stdout } = await troupe([...words, '--json'], { cwd });
  expect([code === 0, stdout]).toEqual([false, '']);
  return { exit: code, ...JSON.parse(stderr).error } as {
    exit: number;
    code: string;
    message: string;
    details: Record<string, unknown>;
  };
};

verifies(['graph.cli', 'graph.move.review'], 'mutations answer the task, the seq and the events', async () => {
  const cwd = await project();
  const added = await asked<Record<string, unknown>>(['add', 'Write it', '--verify', 'read it', '-t', 'x'], { cwd });
  expect(added).toMatchObject({
    id: 'write-it',
    task: { id: 'write-it', status: 'open', tags: ['x', 'eval-gate'] },
    seq: expect.any(Number),
    events: [{ op: 'add_task', task_id: 'write-it' }],
  });
  await asked(['claim', 'write-it', '--actor', 'ann'], { cwd });
  const submitted = await asked<{ task: { status: string }; events: unknown[] }>(
    ['done', 'write-it', '--actor', 'ann'],
    { cwd },
  );
  expect(submitted).toMatchObject({ task: { status: 'pending-validation' }, events: [{ op: 'submit' }] });
  expect(await refusal(['approve', 'write-it', '--actor', 'ann'], cwd)).toMatchObject({ code: 'own_work', exit: 1 });
  expect(await refusal(['reject', 'write-it', '--actor', 'ben'], cwd)).toMatchObject({ exit: 2 });
  await asked(['approve', 'write-it', '--actor', 'ben'], { cwd });
  expect(await statuses(cwd)).toEqual({ 'write-it': 'done' });
});

describe('checks before a review', () => {
  verifies(
    'graph.move.verify',
    'a check that fails refuses, with its last words; the text of `verify` is never run',
    async () => {
      const cwd = await project();
      await asked(
        [
          'add',
          'A',
          '--id',
          'a',
          '--verify',
          'touch ran-the-text',
          '--verify-cmd',
          'echo "it is $WG_TASK_ID"; test -e fixed',
        ],
        { cwd },
      );
      const refused = await refusal(['done', 'a'], cwd);
      expect(refused).toMatchObject({ code: 'verify_failed', details: { code: 1, output: 'it is a\n' } });
      expect(await statuses(cwd)).toEqual({ a: 'open' });
      writeFileSync(path.join(cwd, 'fixed'), '');
      await asked(['done', 'a'], { cwd });
      expect(await statuses(cwd)).toEqual({ a: 'pending-validation' });
      expect(existsSync(path.join(cwd, 'ran-the-text'))).toBe(false);
    },
  );

  verifies(
    'graph.move.verify',
    'nothing is locked while it runs, and who lost the claim meanwhile is refused',
    async () => {
      const cwd = await project();
      const check = 'touch checking; until test -e go-on; do sleep 0.05; done';
      await asked(['add', 'A', '--id', 'a', '--verify-cmd', check], { cwd });
      const done = troupe(['done', 'a', '--json'], { cwd });
      await until('the check to begin', () => existsSync(path.join(cwd, 'checking')));
      await asked(['claim', 'a', '--actor', 'somebody-else'], { cwd });
      writeFileSync(path.join(cwd, 'go-on'), '');
      expect(JSON.parse((await done).stderr).error).toMatchObject({ code: 'stale_attempt' });
      expect(await statuses(cwd)).toEqual({ a: 'in-progress' });
    },
  );

  verifies('graph.move.verify', 'a command that a run did is checked as well', async () => {
    const cwd = await project();
    await asked(['add', 'Good', '--id', 'good', '--exec', 'echo x > good.txt', '--verify-cmd', 'test -s good.txt'], {
      cwd,
    });
    await asked(['add', 'Bad', '--id', 'bad', '--exec', 'true', '--verify-cmd', 'exit 7'], { cwd });
    await startService(cwd);
    await untilStatus(cwd, 'good', 'done');
    await untilStatus(cwd, 'bad', 'failed');
    expect(await asked(['show', 'bad'], { cwd })).toMatchObject({
      failure_reason: 'The check `exit 7` exited with code 7 and printed nothing',
    });
  });
});

describe('exec', () => {
  test('runs the command of a task here and says how it ended', async () => {
    const cwd = await project();
    await asked(['add', 'A', '--id', 'a', '--exec', 'echo hello; exit 3'], { cwd });
    expect(await asked(['exec', 'a', '--dry-run'], { cwd })).toMatchObject({
      command: 'echo hello; exit 3',
      events: [],
    });
    const shown = await troupe(['exec', 'a', '--dry-run'], { cwd });
    expect(shown.stdout).toBe('◎ ready  a (unchanged)\n  echo hello; exit 3\n');
    const failed = await troupe(['exec', 'a', '--json'], { cwd });
    expect(failed.code, 'a script learns that the command failed').toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({ exit_code: 3, ok: false, output: 'hello\n', status: 'failed' });
    await asked(['exec', 'a', '--set', 'true'], { cwd });
    await asked(['retry', 'a'], { cwd });
    expect(await asked(['exec', 'a'], { cwd })).toMatchObject({ exit_code: 0, ok: true, status: 'done' });
    await asked(['exec', 'a', '--clear'], { cwd });
    expect(await refusal(['exec', 'a'], cwd)).toMatchObject({ code: 'exec_missing' });
  });
});

describe('waits in a service', () => {
  verifies(
    ['graph.wait.met', 'graph.wait.to'],
    'a file, a moment and the end of a task wake what waits for them',
    async () => {
      const cwd = await project();
      await startService(cwd);
      for (const id of ['file', 'timer', 'task', 'other']) {
        await asked(['add', id, '--id', id], { cwd });
        if (id !== 'other') await asked(['claim', id], { cwd });
      }
      // Each answer says it, as the timer may be over before anybody could look at all of them.
      const waits = async (id: string, ...words: string[]) =>
        (await asked<{ task: { status: string } }>(['wait', id, '--until', ...words], { cwd })).task.status;
      expect(await waits('file', 'file:out.txt')).toBe('waiting');
      expect(await waits('timer', 'timer:1s')).toBe('waiting');
      expect(await waits('task', 'task:other=failed', '--checkpoint', 'half')).toBe('waiting');
      expect(await statuses(cwd)).toMatchObject({ file: 'waiting', task: 'waiting', other: 'open' });
      writeFileSync(path.join(cwd, 'out.txt'), 'x');
      await asked(['fail', 'other'], { cwd });
      expect((await statuses(cwd))['task']).toBe('in-progress');
      await untilStatus(cwd, 'timer', 'in-progress');
      await untilStatus(cwd, 'file', 'in-progress');
      expect(await refusal(['wait', 'file', '--until', 'file:../secret'], cwd)).toMatchObject({ code: 'unsafe_path' });
      expect((await statuses(cwd))['file']).toBe('in-progress');
    },
  );

  verifies('graph.wait.to', 'a run that parks its task holds no slot, and the next takes it up', async () => {
    const cwd = await project();
    await asked(['add', 'Gate', '--id', 'gate', '--paused'], { cwd });
    const command =
      'if test -e parked; then echo again >> ran.txt; else touch parked; node "$TROUPE_BIN" wait "$WG_TASK_ID" --until task:gate=done --checkpoint half; fi';
    await asked(['add', 'Parks', '--id', 'parks', '--exec', command], { cwd });
    await startService(cwd, '--max-agents', '1');
    // As long as its run is not settled, what wakes the task is that run's own.
    await until('it to be parked and gone', () => logOf(cwd).some(({ op }) => op === 'park'));
    expect(await asked(['show', 'parks'], { cwd })).toMatchObject({ status: 'waiting' });
    await asked(['add', 'Other', '--id', 'other', '--exec', 'true'], { cwd });
    await untilStatus(cwd, 'other', 'done');
    await asked(['done', 'gate'], { cwd });
    await untilStatus(cwd, 'parks', 'done');
    expect(textOf(path.join(cwd, 'ran.txt'))).toBe('again\n');
  });

  verifies('graph.cycle.when', 'a cycle of commands goes round by itself until its guard says no', async () => {
    const cwd = await project();
    await asked(
      [
        'add',
        'Count',
        '--id',
        'count',
        '--after',
        'check',
        '--allow-missing',
        '--exec',
        'echo x >> count.txt',
        '--max-iterations',
        '9',
        '--cycle-guard',
        'task:check=failed',
      ],
      { cwd },
    );
    await asked(['add', 'Check', '--id', 'check', '--after', 'count', '--exec', 'test "$(wc -l < count.txt)" -ge 3'], {
      cwd,
    });
    await asked(['add', 'Ship', '--id', 'ship', '--after', 'check', '--exec', 'wc -l < count.txt > shipped.txt'], {
      cwd,
    });
    await startService(cwd);
    await untilStatus(cwd, 'ship', 'done');
    expect(textOf(path.join(cwd, 'shipped.txt')).trim()).toBe('3');
    expect(await asked(['show', 'count'], { cwd })).toMatchObject({
      loop_iteration: 2,
      cycle_ended: { reason: 'guard-false' },
    });
  });
});

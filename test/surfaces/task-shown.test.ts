import pc from 'picocolors';
import { expect, test } from 'vitest';
import { claim, pause, reschedule, resume } from '#operations/graph/moves.js';
import type { Context } from '#operations/operation.js';
import { renderers } from '#surfaces/cli/render/graph.js';
import { renderers as ofTask } from '#surfaces/cli/render/task.js';
import type { Screen } from '#surfaces/cli/screen.js';
import { world } from '../e2e/world.js';
import { verifies } from '../verifies.js';

type Shown = Parameters<(typeof ofTask)['task.show']>[0];

function screenOf(lines: string[]): Screen {
  const line = (text = '') => lines.push(text);
  return { width: 80, colour: pc.createColors(false), unicode: true, line, aside: line };
}

/** What `show` prints of a ready task, one line. */
async function printed(fields: Partial<Shown>, served: boolean): Promise<string> {
  const lines: string[] = [];
  const screen = screenOf(lines);
  const task = { id: 'a', title: 'A', status: 'open' };
  const shown = { task, ready: true, reasons: [], after: [], before: [], ...fields } as unknown as Shown;
  await ofTask['task.show'](shown, screen, { serviceAnswers: async () => served });
  return lines.join('\n');
}

verifies('ui.status.true', 'a change says how it left its task: ready, or what it still waits for', async () => {
  const { add: added, context } = world();
  await added('parse');
  await added('test', { after: ['parse'] });
  const said = async (operation: { run: (context: Context, input: never) => unknown }, input: object) => {
    const lines: string[] = [];
    renderers['task.pause']((await operation.run(context, input as never)) as never, screenOf(lines));
    return lines[0];
  };
  expect(await said(pause, { id: 'test' })).toBe('○ open  test · it is paused');
  expect(await said(resume, { id: 'test' })).toBe('○ open  test · waits for parse');
  expect(await said(reschedule, { id: 'parse', at: '2030-01-01T00:00:00Z' })).toMatch(
    /^○ open {2}parse · not before 2030/,
  );
  expect(await said(reschedule, { id: 'parse', at: '2020-01-01T00:00:00Z' })).toBe('◎ ready  parse');
  expect(await said(claim, { id: 'parse' })).toBe('◐ claimed  parse');
});

test('a ready task says what makes it begin: nothing while a service is up, unless a person takes it', async () => {
  for (const done_by of ['command', 'client'] as const) {
    expect(await printed({ done_by }, true)).not.toContain('service');
    expect(await printed({ done_by }, false)).toContain('no service is running: `troupe service start`');
  }
  for (const served of [true, false])
    expect(await printed({ done_by: 'person' }, served)).toContain('for a person: `troupe claim a`');
});

verifies('ui.status.true', 'what somebody can do about a task stands below its title, as `why` has it', async () => {
  const why = 'It needs review: `troupe approve a` or `troupe reject a`.';
  const task = { id: 'a', title: 'A', status: 'pending-validation' } as unknown as Shown['task'];
  expect((await printed({ task, ready: false, why }, false)).split('\n')[1]).toBe(`  ${why}`);
});

verifies('ui.status.true', '`show` has every field a reviewer needs', async () => {
  const task = {
    ...{ id: 'a', title: 'A', status: 'pending-validation', verify: 'It reads well', verify_cmd: 'npm test' },
    ...{
      agent: 'a1b2',
      model: 'claude-haiku-4-5',
      evidence: { verify_cmd: 'npm test', exit: 0, ms: 1200, commit: 'c0ffee' },
    },
  } as unknown as Shown['task'];
  const changes = { branch: 'wg/task/a/1', files: 2, added: 10, removed: 3 };
  const text = await printed({ task, ready: false, changes, last_words: 'All tests pass.' }, true);
  for (const part of [
    /criterion +It reads well/,
    /check +npm test/,
    /agent +a1b2/,
    /model +claude-haiku-4-5/,
    /branch +wg\/task\/a\/1/,
    /changes +2 files, \+10 -3: `troupe worktree show a`/,
    /checked +npm test: exited with 0/,
    /commit +c0ffee/,
    /last words of its run\n +All tests pass\./,
  ])
    expect(text).toMatch(part);
});

verifies('end.evidence', 'the agent of a task is shown by its name and 8 characters of its id', async () => {
  const task = { id: 'a', title: 'A', status: 'open', agent: 'a1b2c3d4'.repeat(8) } as never;
  expect(await printed({ task, agent_name: 'Writer' }, true)).toMatch(/agent +Writer \(a1b2c3d4\)$/m);
  expect(await printed({ task }, true), 'of an agent that is not here').toMatch(/agent +a1b2c3d4$/m);
});

test('what only few tasks have is shown as well, and a dependency that is not there is called missing', async () => {
  const { add: added, call } = world();
  await added('later');
  const cycle = { max_iterations: 3, guard: { IterationLessThan: 2 }, delay: '5s', no_converge: true };
  await added('parse', {
    ...{ after: ['gone'], estimate: { hours: 2, cost: 10 }, requires: ['budget'], provider: 'local' },
    ...{ exec_mode: 'light', context_scope: 'graph', visibility: 'public', in: 'project', require_commit: true },
    ...{ max_retries: 1, max_rejections: 2 },
    cycle_config: { ...cycle, restart_on_failure: false, max_failure_restarts: 1 },
  });
  await call('task.abandon', { id: 'parse', superseded_by: ['later'] });
  const shown = await printed({ ...((await call('task.show', { id: 'parse' })) as Shown), reasons: [] }, false);
  const rows = shown.split('\n').map((line) => line.trim());
  expect(rows).toEqual(
    expect.arrayContaining([
      'estimate      2 h, cost 10',
      'requires      budget',
      'provider      local',
      'mode          light',
      'context       graph',
      'visible to    public',
      'runs in       project',
      'commit        required before it is done',
      'retries       1',
      'rejections    2',
      'cycle         at most 3 iterations, while iteration<2, 5s between them, does not end early, a failure does not restart it, at most 1 restart',
      'replaced by   later',
      'depends on    gone (missing)',
    ]),
  );
});

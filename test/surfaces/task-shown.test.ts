import pc from 'picocolors';
import { expect, test } from 'vitest';
import { renderTask } from '#surfaces/cli/render/task.js';
import type { Screen } from '#surfaces/cli/screen.js';
import { verifies } from '../verifies.js';

type Shown = Parameters<typeof renderTask>[0];

/** What `show` prints of a ready task, one line. */
async function printed(fields: Partial<Shown>, served: boolean): Promise<string> {
  const lines: string[] = [];
  const line = (text = '') => lines.push(text);
  const screen: Screen = { width: 80, colour: pc.createColors(false), unicode: true, line, aside: line };
  const task = { id: 'a', title: 'A', status: 'open' };
  const shown = { task, ready: true, reasons: [], after: [], before: [], ...fields } as unknown as Shown;
  await renderTask(shown, screen, { serviceAnswers: async () => served });
  return lines.join('\n');
}

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

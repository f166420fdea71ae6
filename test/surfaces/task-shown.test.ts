import pc from 'picocolors';
import { expect, test } from 'vitest';
import { renderTask } from '#surfaces/cli/render/task.js';
import type { Screen } from '#surfaces/cli/screen.js';

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
    expect(await printed({ done_by }, false)).toContain('no service is up to run it: `troupe service start`');
  }
  for (const served of [true, false])
    expect(await printed({ done_by: 'person' }, served)).toContain('a person takes it: `troupe claim a`');
});

import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '../verifies.js';
import { attempted, SHORT_RUN, streamOf } from './attempts.js';
import { hasChromium, openStage, type Stage, violationsInBothThemes, visit } from './browser.js';
import { framed, nameless, picture, SIZES } from './looks.js';
import type { World } from './world.js';

async function twoAttempts(own: World): Promise<void> {
  await own.add('parser', { title: 'Handle empty input in the parser', member: 'Ash', verify: 'It reads well' });
  await attempted(own, {
    ...{ task: 'parser', run: 'agent-1', attempt: 1, exit: 1 },
    events: [...SHORT_RUN.slice(0, 12), { type: 'final', outcome: 'failed', reason: 'max_turns' }],
  });
  await own.call('task.reject', { id: 'parser', reason: 'Two tests are red' });
  await attempted(own, { task: 'parser', run: 'agent-2', attempt: 2, events: SHORT_RUN, seconds: 190 });
}

describe.skipIf(!hasChromium)('an attempt over time (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  verifies(
    ['web.run', 'web.run.compare', 'ui.web.a11y'],
    'turns with tokens and cost, calls with their results, trouble, the end; another attempt beside it',
    async () => {
      const { page, complaints } = await visit(stage, {
        fill: twoAttempts,
        browser: { colorScheme: 'light', bypassCSP: true },
      });
      await page.evaluate(`location.hash = '#/runs/attempt/agent-2'`);
      await page.getByRole('heading', { name: 'Attempt 2, agent-2', level: 1 }).waitFor();
      const column = page.getByRole('region', { name: 'Attempt 2, agent-2' });
      const steps = column.locator('.step');
      expect(await steps.filter({ hasText: /^\d:\d\d◇Turn/ }).count()).toBe(3);
      await steps.filter({ hasText: 'Turn 2' }).getByText('1.1k tokens').waitFor();
      await steps.filter({ hasText: 'Turn 2' }).getByText(/^~\$/).waitFor();
      await steps.filter({ hasText: '2 failed, 212 passed' }).getByText('failed', { exact: true }).waitFor();
      await column.getByText('<script>alert(1)</script>').waitFor();
      await column.getByText('✓ passed in 3s').waitFor();
      await picture(page, 'attempt');
      await column.getByRole('button', { name: /^Trouble/ }).click();
      expect(await steps.count()).toBe(2);
      await column.getByRole('button', { name: /^All/ }).click();
      await page.getByRole('combobox').selectOption('agent-1');
      const other = page.getByRole('region', { name: 'Attempt 1, agent-1' });
      await other.getByText('max_turns').first().waitFor();
      await other.getByText('✕ exit 1 after 3s').waitFor();
      await picture(page, 'attempt-two');
      await page.emulateMedia({ colorScheme: 'light' });
      const wrong: string[] = [];
      for (const size of SIZES) wrong.push(...(await framed(page, size, 'Attempt')));
      expect([...wrong, ...(await nameless(page))]).toEqual([]);
      await page.setViewportSize({ width: 1440, height: 900 });
      expect(await violationsInBothThemes(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  verifies('web.run.live', 'a run at work is followed: steps come as they happen, and it ends by itself', async () => {
    const { page, own } = await visit(stage, {
      fill: async (world) => {
        await world.add('parser', { title: 'Handle empty input' });
        const events = SHORT_RUN.slice(0, 9);
        await attempted(world, { task: 'parser', run: 'agent-1', attempt: 1, events, running: true });
      },
    });
    await page.evaluate(`location.hash = '#/runs/attempt/parser'`);
    const column = page.getByRole('region', { name: 'Attempt 1, agent-1' });
    await column.getByText('live', { exact: true }).waitFor();
    await column.locator('.step').filter({ hasText: 'Edit' }).getByText('running').waitFor();
    expect(await column.getByText('All 214 tests pass.').count()).toBe(0);
    own.streams.set('agent-1', streamOf(SHORT_RUN, own.clock.now(), 60));
    await column.getByText('All 214 tests pass.').waitFor();
    own.atWork.delete('agent-1');
    await column.getByText('live', { exact: true }).waitFor({ state: 'detached' });
  });
});

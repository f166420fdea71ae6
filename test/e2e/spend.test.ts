import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '../verifies.js';
import { hasChromium, openStage, type Stage, violationsInBothThemes, visit } from './browser.js';
import { framed, nameless, picture, SIZES } from './looks.js';
import { settledIn } from './settled.js';
import type { World } from './world.js';

const DAY = 86_400_000;

/** Attempts of the last weeks, by two clients and several members. */
async function spending(own: World): Promise<void> {
  const rows = [
    ['parser', 'Handle empty input in the parser', 'Ash', 'claude', 'opus'],
    ['errors', 'Give every API error a code, =SUM(A1)', 'Kane', 'codex', 'gpt-5.5'],
    ['seats', 'Seat map', 'Ripley', 'claude', undefined],
    ['notes', 'Release notes', 'Ash', 'claude', 'haiku'],
  ] as const;
  for (const [id, title, member] of rows) await own.add(id, { title, member });
  await own.set('seats', { workflow: { id: 'bug-fix', run: 'bug-fix', node: 'fix' } });
  for (let day = 24; day >= 0; day--) {
    own.pass(-day * DAY);
    const at = rows.filter((_, index) => (day * 7 + index * 3) % 4 !== 0);
    await own.store.commit(() => ({
      events: at.map(([task_id, , , executor, model], index) => ({
        ...{ op: 'agent_complete', task_id, actor: 'x', patch: [] },
        detail: {
          ...{ run: `agent-${day * 10 + index}`, executor, ...(model === undefined ? {} : { model }) },
          usage: { cost_usd: 0.4 + ((day * 13 + index * 5) % 11) / 4, input_tokens: 20_000 + day * 900 },
        },
      })),
      result: undefined,
    }));
    own.pass(day * DAY);
  }
}

describe.skipIf(!hasChromium)('the place Spend (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  verifies(
    ['web.spend', 'web.spend.export'],
    'what was spent by day and origin against the budget, which is changed and changed back; exported as a table',
    async () => {
      const { page, own, complaints } = await visit(stage, {
        browser: { bypassCSP: true, acceptDownloads: true },
        fill: async (world) => {
          await spending(world);
          await settledIn(world);
        },
      });
      await page.getByRole('link', { name: 'Spend', exact: true }).click();
      const answer = (await own.call('spend.show', { days: 30 })) as { total: { usd: number } };
      await page
        .getByText(`$${answer.total.usd.toFixed(2)}`)
        .first()
        .waitFor();
      const members = page.getByRole('region', { name: 'By member' });
      expect(await members.getByRole('rowheader').allTextContents()).toEqual(
        expect.arrayContaining(['Ash', 'Kane', 'Ripley']),
      );
      await page.getByRole('region', { name: 'By playbook' }).getByText('bug-fix').waitFor();
      await page.getByRole('region', { name: 'By model' }).getByText('The default model of the client').waitFor();

      const cap = page.getByRole('textbox', { name: 'US dollars a day' });
      await cap.fill('20');
      await cap.press('Enter');
      await page.locator('.notice').getByText('US dollars a day: 20.').hover(); // stays while the pointer is on it
      await page.locator('.day-cap-key').getByText('$20.00 a day').waitFor();
      await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
      await page.locator('.day-cap-key').waitFor({ state: 'detached' });
      await cap.fill('much');
      await cap.press('Enter');
      const row = page.getByRole('listitem').filter({ has: cap });
      await row.getByRole('alert').getByText('must be a number, not "much"', { exact: false }).waitFor();
      expect(await cap.getAttribute('aria-invalid')).toBe('true');
      await cap.press('Escape');

      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Export CSV' }).click();
      const lines = readFileSync(await (await download).path(), 'utf8').split('\r\n');
      expect(lines[0]).toBe('day,task,title,member,client,model,playbook,count,tokens,unpriced,usd,estimated');
      expect(lines.some((line) => line.includes(',errors,"Give every API error a code, =SUM(A1)",Kane,codex,'))).toBe(
        true,
      );

      expect(await violationsInBothThemes(page)).toEqual([]);
      expect(await nameless(page)).toEqual([]);
      for (const size of SIZES) expect(await framed(page, size, 'spend')).toEqual([]);
      await picture(page, 'spend');
      expect(complaints).toEqual([expect.stringContaining('422')]); // the refused value
    },
  );

  verifies('web.spend', 'a project that has spent nothing says what will be here', async () => {
    const { page } = await visit(stage, { fill: async (world) => void (await settledIn(world)) });
    await page.getByRole('link', { name: 'Spend', exact: true }).click();
    await page.getByText('Nothing was spent in this period.').waitFor();
    await picture(page, 'spend-empty');
  });
});

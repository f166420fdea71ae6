import { afterAll, beforeAll, describe, expect } from 'vitest';
import { PATIENCE } from '../patience.js';
import { verifies } from '../verifies.js';
import { goTo, hasChromium, openStage, type Stage, violationsInBothThemes, visit } from './browser.js';
import { livelyProject } from './lively.js';
import { framed, picture, SIZES } from './looks.js';

describe.skipIf(!hasChromium)('the places of the dashboard (needs Chromium: apt-get install chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  verifies(
    ['web.places', 'ui.web.keys', 'ui.web.a11y'],
    'a few places in the rail, their pages as tabs, by pointer and by keyboard',
    async () => {
      const { page, complaints } = await visit(stage, {
        fill: livelyProject,
        browser: { colorScheme: 'light', bypassCSP: true },
      });
      const places = page.getByRole('navigation', { name: 'Places' });
      const heading = (name: string) => page.getByRole('heading', { name, level: 1, exact: true }).waitFor();
      const selected = () => page.getByRole('tab', { selected: true }).textContent();
      await heading('Now');
      expect(await places.getByRole('link').allInnerTexts()).toEqual(['Now', 'Tasks', 'Runs', 'Team', 'Spend']);
      await places.getByRole('link', { name: 'Team' }).click();
      await heading('Team');
      expect(await selected()).toBe('Members');
      expect(await page.title()).toBe('Members · Team · Troupe');
      await page.getByRole('tabpanel', { name: 'Members' }).waitFor();
      await page.getByRole('tab', { name: 'Members' }).focus();
      for (const key of ['End', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft'])
        await page.keyboard.press(key);
      await page.keyboard.press('Enter');
      await page.getByRole('tabpanel', { name: 'Roles' }).waitFor();
      expect(page.url()).toMatch(/#\/team\/roles$/);
      for (const [key, name, tab] of [
        ['t', 'Tasks', 'Board'],
        ['c', 'Team', 'Chat'],
        ['r', 'Runs', 'Runs'],
        ['p', 'Team', 'Members'],
        ['g', 'Tasks', 'Graph'],
      ] as const) {
        await page.keyboard.press('g');
        await page.keyboard.press(key);
        await heading(name);
        expect(await selected()).toBe(tab);
      }
      await places.getByRole('button', { name: 'More' }).click();
      expect(await violationsInBothThemes(page)).toEqual([]);
      await places.getByRole('link', { name: 'Machines' }).click();
      await heading('Machines');
      await places.getByRole('link', { name: 'Machines' }).waitFor({ state: 'hidden' });
      // The team of this world has no files: such answers are not what is tested here.
      const ofFiles = /^Failed to load resource|\/casting\/proposals: /;
      expect(complaints.filter((text) => !ofFiles.test(text))).toEqual([]);
    },
  );

  verifies('web.places', 'addresses of earlier versions lead to where their pages are now', async () => {
    const { page } = await visit(stage, { fill: livelyProject });
    for (const [before, now] of [
      ['#/graph?state=failed&task=login', '#/tasks/graph?state=failed&task=login'],
      ['#/chat', '#/team/chat'],
      ['#/formations/run-1', '#/runs/list/run-1'],
      ['#/talent/skeptic', '#/team/roles/skeptic'],
      ['#/agency', '#/team/scores'],
      ['#/team', '#/team'],
      ['#/machines', '#/machines'],
    ] as const) {
      await goTo(page, before);
      await expect.poll(() => page.evaluate('location.hash'), PATIENCE).toBe(now);
    }
    await goTo(page, '#/no%such/place');
    await page.getByRole('heading', { name: 'Now', level: 1 }).waitFor();
  });

  verifies(['web.places', 'ui.web.room'], 'each page has a visible title, and fits every window', async () => {
    const { page } = await visit(stage, { fill: livelyProject });
    const wrong: string[] = [];
    for (const place of ['now', 'tasks/graph', 'runs', 'team', 'team/chat', 'team/roles', 'team/scores', 'machines']) {
      await goTo(page, `#/${place}`);
      const title = page.locator('main h1').first();
      await title.waitFor();
      await expect.poll(() => page.locator('main .skeleton').count(), PATIENCE).toBe(0);
      for (const size of SIZES) {
        wrong.push(...(await framed(page, size, place)));
        const box = await title.boundingBox();
        if (box === null || box.height < 20 || box.y > 120) wrong.push(`${place}: its title is not seen`);
      }
      await picture(page, `places-${place.replace('/', '-')}`);
    }
    expect(wrong).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { ServedProject } from '#ports/served-projects.js';
import { PATIENCE } from '../patience.js';
import { asked, project, startService } from '../scenarios/program.js';
import { verifies } from '../verifies.js';
import { copied, hasChromium, openStage, type Stage, violationsInBothThemes, visit } from './browser.js';
import { framed, picture, SIZES } from './looks.js';
import { OWNER } from './world.js';

const SINCE = Date.parse('2026-03-01T09:00:00Z');

function served(
  folder: string,
  port: number | undefined,
  counts?: { needsYou: number; running: number },
  listens: readonly string[] = [],
): ServedProject {
  return { folder, since: SINCE, port, listens, counts: async () => counts };
}

const SHOP = '/home/you/shop';
/** A name as hostile as folders can be, longer than the list is wide. */
const LONG = `/home/you/${'a-long-name-'.repeat(8)}$(touch pwned)`;

describe.skipIf(!hasChromium)('Other projects (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const open = (projects: readonly ServedProject[], holder = OWNER) =>
    visit(stage, {
      holder,
      browser: { bypassCSP: true, permissions: ['clipboard-read', 'clipboard-write'] },
      fill: async (world) => {
        world.served.push(...projects);
        await world.add('a');
      },
    });

  verifies(
    'web.pages',
    'the name of the project opens a list of the others with what waits there, by pointer and by keys',
    async () => {
      const { page, complaints } = await open([
        served('/project', 4_000, { needsYou: 9, running: 9 }),
        served(SHOP, 4_001, { needsYou: 3, running: 2 }, ['https://away.example:1/', 'http://127.0.0.1:4443/']),
        served(LONG, undefined),
        served('/home/you/quiet', 4_002, { needsYou: 0, running: 0 }),
      ]);
      const name = page.getByRole('button', { name: 'demo: other projects' });
      const list = page.getByRole('navigation', { name: 'Other projects' });
      await name.focus();
      await page.keyboard.press('Enter');
      await list.getByRole('listitem').first().waitFor();
      expect(await list.getByRole('listitem').allInnerTexts()).toEqual([
        expect.stringMatching(/^a-long-name-[\s\S]*does not answer[\s\S]*has not been opened yet/),
        expect.stringMatching(/^quiet\s+nothing waits\s+\/home\/you\/quiet/),
        expect.stringMatching(/^shop\s+3 need you, 2 running\s+\/home\/you\/shop/),
      ]);
      const links = await list.getByRole('link').all();
      expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
        'http://127.0.0.1:4002/',
        'http://127.0.0.1:4443/', // the address on the host of this page
      ]);
      await copied(list, `troupe --dir ${SHOP} dashboard`).waitFor();
      await copied(list, `troupe --dir '${LONG}' dashboard`).waitFor(); // one word for a shell
      await picture(page, 'projects');
      for (const size of SIZES) {
        expect(await framed(page, size, 'Now')).toEqual([]);
        const box = (await list.boundingBox()) ?? expect.unreachable();
        expect(box.x >= 0 && box.x + box.width <= size[0] && box.y + box.height <= size[1], String(size)).toBe(true);
      }
      expect(await violationsInBothThemes(page)).toEqual([]);
      await page.keyboard.press('Tab');
      await expect.poll(() => page.evaluate('document.activeElement.ariaLabel'), PATIENCE).toMatch(/^Copy .*pwned/);
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'hidden' });
      expect(complaints).toEqual([]);
    },
  );

  verifies(
    'web.pages',
    'the search leads to other projects too; one without a dashboard gives its command',
    async () => {
      const { page } = await open([served(SHOP, undefined, { needsYou: 1, running: 0 })]);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox').fill('shop');
      await page.getByRole('option', { name: 'shop copy its command' }).click();
      await page.locator('.notice').getByText(`troupe --dir ${SHOP} dashboard`, { exact: false }).waitFor();
      expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`troupe --dir ${SHOP} dashboard`);
    },
  );

  verifies('web.pages', 'without others the list says how to get one; who only visits has no list', async () => {
    const { page } = await open([]);
    await page.getByRole('button', { name: 'demo: other projects' }).click();
    await page.getByText('No other project has a service.', { exact: false }).waitFor();
    await copied(page, 'troupe service start').waitFor();
    await picture(page, 'projects-none');
    expect(await violationsInBothThemes(page)).toEqual([]);
    const visitor = await open([served(SHOP, 4_001)], { ...OWNER, scope: 'observer' });
    await visitor.page.locator('.top').getByText('demo', { exact: true }).waitFor();
    expect(await visitor.page.getByRole('button', { name: /other projects/ }).count()).toBe(0);
    await visitor.page.keyboard.press('Control+k');
    await visitor.page.getByRole('option').first().waitFor();
    expect(visitor.requests.filter((address) => address.includes('project/list'))).toEqual([]);
  });

  verifies('web.pages', 'of two services each leads to the other, and neither lets a browser in there', async () => {
    const [first, second] = [await project('first'), await project('second')];
    for (const cwd of [first, second]) await startService(cwd);
    await asked(['add', 'Look at it', '--id', 'look', '--verify', 'A person looks'], { cwd: second });
    await asked(['done', 'look'], { cwd: second });
    const link = async (cwd: string) => (await asked<{ address: string }>(['dashboard'], { cwd })).address;
    const context = await stage.browser.newContext();
    const page = await context.newPage();
    try {
      await page.goto(await link(first));
      const there = await link(second);
      await page.getByRole('button', { name: 'first: other projects' }).click();
      const entry = page.getByRole('link', { name: 'second' });
      await expect.poll(() => entry.innerText(), PATIENCE).toMatch(/second\s+1 needs you/);
      await entry.click();
      await page.getByRole('heading', { name: 'This page needs a new link' }).waitFor();
      await page.goto(there);
      await page.getByRole('button', { name: 'second: other projects' }).click();
      await page.getByRole('link', { name: 'first' }).click();
      await page.getByRole('button', { name: 'first: other projects' }).click();
      await page.getByRole('link', { name: 'second' }).click();
      await page.getByRole('button', { name: 'second: other projects' }).waitFor();
      await page.getByRole('heading', { name: 'Now', exact: true }).waitFor();
    } finally {
      await context.close();
    }
  });
});

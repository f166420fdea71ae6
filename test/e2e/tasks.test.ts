import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { PATIENCE } from '../patience.js';
import { verifies } from '../verifies.js';
import {
  copied,
  goTo,
  hasChromium,
  openStage,
  type Stage,
  violations,
  violationsInBothThemes,
  visit,
} from './browser.js';
import { largeProject, livelyProject } from './lively.js';
import { framed, nameless, picture, SIZES } from './looks.js';
import { OWNER, type World } from './world.js';

const drawer = (page: Page) => page.getByRole('complementary', { name: 'Task' });
const column = (page: Page, state: string) => page.locator(`.board-cell.is-${state}`).first();
const card = (page: Page, title: string | RegExp) => page.locator('.board').getByRole('link', { name: title });
const rows = (page: Page) => page.locator('.task-body .task-line:not(.is-group) a');
const notice = (page: Page) => page.locator('.notice');
/** Whether a box of the graph is in the window to stay: at first all boxes are drawn, to be measured. */
async function isShown(box: Locator): Promise<boolean> {
  if ((await box.page().locator('.react-flow__node').count()) > 100) return false;
  const [at, canvas] = [await box.boundingBox(), await box.page().locator('.canvas').boundingBox()];
  return at !== null && canvas !== null && at.x >= canvas.x && at.x < canvas.x + canvas.width;
}

async function isWholeIn(frame: Locator, part: Locator): Promise<boolean> {
  const [around, box] = [await frame.boundingBox(), await part.boundingBox()];
  if (around === null || box === null) return false;
  const isIn = (at: number, size: number, from: number, room: number) => at >= from - 1 && at + size <= from + room + 1;
  return isIn(box.x, box.width, around.x, around.width) && isIn(box.y, box.height, around.y, around.height);
}

/** Drags a card over a column, and lets go of it there. */
async function drag(page: Page, title: string | RegExp, to: string, whileOver?: () => Promise<unknown>): Promise<void> {
  const [from, over] = [await card(page, title).boundingBox(), await column(page, to).boundingBox()];
  if (from === null || over === null) throw new Error('The card or the column is not there');
  await page.mouse.move(from.x + 20, from.y + 10);
  await page.mouse.down();
  await page.mouse.move(from.x + 40, from.y + 20, { steps: 4 });
  await page.mouse.move(over.x + Math.min(20, over.width / 2), over.y + 40, { steps: 8 });
  await whileOver?.();
  await page.mouse.up();
}

/** Ten thousand tasks of several members, tags and playbooks, with a chain, a cycle and every state. */
async function hugeProject(own: World, tasks = 10_000): Promise<void> {
  const ended = new Date(own.clock.now() - 600_000).toISOString();
  await own.addAll(
    Array.from({ length: tasks }, (_, number) => {
      const id = `t-${String(number).padStart(5, '0')}`;
      const before = number % 500 === 0 ? {} : { after: [`t-${String(number - 1).padStart(5, '0')}`] };
      const status =
        number % 500 < 200 ? { status: 'done', completed_at: ended } : number % 997 === 0 ? { status: 'failed' } : {};
      const more = {
        member: ['Ash', 'Kane', 'Newt', 'Hicks'][number % 4],
        tags: [`wf:part-${Math.floor(number / 500)}`],
      };
      return { id, title: `Step ${number} of the migration`, ...before, ...more, ...status };
    }),
  );
}

describe.skipIf(!hasChromium)('the place Tasks (needs Chromium: apt-get install chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const open = async (address: string, fill: (own: World) => Promise<void> = livelyProject) => {
    const opened = await visit(stage, { fill, browser: { colorScheme: 'light', bypassCSP: true } });
    await goTo(opened.page, address);
    return opened;
  };

  verifies(
    ['web.tasks', 'web.tasks.board'],
    'a card is dropped where a move leads it; elsewhere the reason is said and it stays',
    async () => {
      const { page, own, complaints } = await open('#/tasks');
      const statusOf = async (id: string) => (await own.store.view()).task(id)?.status;
      await drag(page, 'Fix the failing login', 'ready', () => column(page, 'ready').getByText('Retry').waitFor());
      await notice(page).getByText('Open again: Fix the failing login').waitFor();
      expect(await statusOf('login')).toBe('open');
      await notice(page).getByRole('button', { name: 'Undo' }).click();
      await expect.poll(() => statusOf('login'), PATIENCE).toBe('failed');
      await column(page, 'failed').getByRole('link', { name: 'Fix the failing login' }).waitFor();

      const refused = 'login cannot be done: it is failed.';
      await drag(page, 'Fix the failing login', 'done', () => column(page, 'done').getByText(refused).waitFor());
      await notice(page).getByText(refused).waitFor();
      expect(await statusOf('login')).toBe('failed');
      await drag(page, 'A long refactoring of the tokenizer', 'failed');
      await notice(page).getByText('agent-30 works on it: stop it first.').waitFor();

      await drag(page, 'Handle empty input in the parser', 'ready');
      const dialog = page.getByRole('dialog', { name: 'Reject' });
      await dialog.getByRole('textbox').fill('No test for commas');
      await copied(dialog, "troupe reject parser --reason 'No test for commas'").waitFor();
      await dialog.getByRole('button', { name: 'Reject', exact: true }).click();
      await expect.poll(() => statusOf('parser'), PATIENCE).toBe('open');
      expect(complaints).toEqual([]);
    },
  );

  verifies(
    ['web.tasks', 'web.tasks.board', 'ui.web.keys'],
    'a card is moved by keyboard: picked up, led to a column, dropped; Escape leaves it',
    async () => {
      const { page, own } = await open('#/tasks');
      const statusOf = async (id: string) => (await own.store.view()).task(id)?.status;
      const said = (text: string) => page.locator('[id^="DndLiveRegion"]', { hasText: text });
      await card(page, 'Seat map endpoint').focus();
      await page.keyboard.press('Space');
      await page.locator('.card.is-flying').waitFor();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Escape');
      await said('stays where it was').waitFor({ state: 'attached' });
      expect(await statusOf('seat-map-endpoint')).toBe('open');
      await card(page, 'Seat map endpoint').focus();
      await page.keyboard.press('Space');
      await page.locator('.card.is-flying').waitFor();
      for (const over of ['in progress', 'waiting', 'needs review', 'blocked']) {
        await page.keyboard.press('ArrowRight');
        await said(`Over ${over}`).waitFor({ state: 'attached' });
      }
      await page.keyboard.press('Space');
      await expect.poll(() => statusOf('seat-map-endpoint'), PATIENCE).toBe('blocked');
      await card(page, 'Seat map endpoint').press('Enter');
      await drawer(page).getByRole('heading', { name: 'Seat map endpoint' }).waitFor();
    },
  );

  verifies(
    ['web.tasks', 'web.tasks.board'],
    'lanes by member; a cell of many shows some and leads to all; an observer moves nothing',
    async () => {
      const { page } = await open('#/tasks?lanes=member', largeProject);
      await page.getByRole('region', { name: 'None' }).waitFor();
      await page.getByRole('link', { name: 'all 1892' }).click();
      await page.getByText('1892 tasks', { exact: true }).waitFor();
      expect(page.url()).toContain('#/tasks/table?member=-&state=done');
      const { page: seen } = await visit(stage, {
        fill: livelyProject,
        holder: { ...OWNER, scope: 'observer' },
      });
      await goTo(seen, '#/tasks');
      await card(seen, 'Seat map endpoint').focus();
      await seen.keyboard.press('Space');
      expect(await seen.locator('.card.is-flying').count()).toBe(0);
    },
  );

  verifies(
    ['web.tasks', 'web.tasks.table'],
    'the table sorts, groups and filters; the address holds it all, a name keeps it',
    async () => {
      const { page, complaints } = await open('#/tasks/table');
      await rows(page).first().waitFor();
      await page.getByRole('button', { name: 'Task', exact: true }).click();
      await expect.poll(() => rows(page).first().textContent(), PATIENCE).toBe('A long refactoring of the tokenizer');
      await page.getByRole('button', { name: 'Task', exact: true }).click();
      expect(page.url()).toContain('sort=-title');
      await page.locator('th[aria-sort=descending]', { hasText: 'Task' }).waitFor();
      await page
        .getByRole('button', { name: /^Member/ })
        .first()
        .click();
      await page.getByRole('menuitemcheckbox', { name: /Ash/ }).click();
      await page.getByRole('menuitemcheckbox', { name: /Ripley/ }).click();
      await page.keyboard.press('Escape');
      await page.getByText('5 tasks', { exact: true }).waitFor();
      await page.getByRole('combobox', { name: 'Group by' }).selectOption('member');
      await page
        .locator('.task-group')
        .getByRole('button', { name: /Ripley/ })
        .click();
      await expect.poll(() => rows(page).count(), PATIENCE).toBe(3);
      expect(await violations(page)).toEqual([]);
      await page.getByRole('button', { name: /^Views/ }).click();
      await page.getByRole('menuitem', { name: 'Save this view…' }).click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Ours');
      await page.keyboard.press('Enter');
      const address = page.url();
      await goTo(page, '#/tasks/table?q=seat');
      await page.getByText('13 tasks', { exact: true }).waitFor();
      await page.reload();
      await page.getByText('13 tasks', { exact: true }).waitFor();
      await page.getByRole('button', { name: /^Views/ }).click();
      await page.getByRole('menuitem', { name: 'Ours' }).click();
      await page.getByText('5 tasks', { exact: true }).waitFor();
      expect(page.url()).toBe(address);
      await page.getByRole('searchbox', { name: 'Filter by words' }).fill('no such task');
      await page.getByText('No task meets these filters.').waitFor();
      await page.getByRole('button', { name: 'Clear' }).click();
      await page.getByText('No task meets these filters.').waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
    },
  );

  verifies(
    ['web.tasks', 'web.tasks.graph'],
    'the server counts all tasks of a group; opening it shows them whole; cycles and the critical path are seen',
    async () => {
      const { page } = await open('#/tasks/graph', async (own) => {
        await largeProject(own);
        await own.addAll(
          Array.from({ length: 9 }, (_, number) => ({
            id: `api-${number}`,
            tags: ['wf:api'],
            ...(number === 0 ? {} : { after: [`api-${number - 1}`] }),
            ...(number === 3
              ? { cycle_config: { max_iterations: 4 }, loop_iteration: 2, after: ['api-2', 'api-5'] }
              : {}),
            ...(number === 8 ? { estimate: { hours: 7 } } : {}),
          })),
        );
      });
      await page.getByRole('combobox', { name: 'Grouping' }).selectOption('finished');
      const finished = page.getByRole('button', { name: 'Finished: 1892 tasks, 1892 done' });
      await expect.poll(() => isShown(finished), PATIENCE).toBe(true);
      await page.getByRole('combobox', { name: 'Grouping' }).selectOption('playbook');
      const api = page.getByRole('button', { name: /^api: 9 tasks/ });
      await expect.poll(() => isShown(api), PATIENCE).toBe(true);
      await api.press('Enter');
      const first = page.locator('.react-flow__node[data-id="api-0"]');
      await first.waitFor();
      await page.getByRole('button', { name: 'Close api' }).waitFor();
      const canvas = await page.locator('.canvas').boundingBox();
      const inside = async () => {
        const boxes = await Promise.all(
          [0, 8].map((one) => page.locator(`.react-flow__node[data-id="api-${one}"]`).boundingBox()),
        );
        return boxes.every(
          (box) => box !== null && canvas !== null && box.x >= canvas.x && box.x + box.width <= canvas.x + canvas.width,
        );
      };
      await expect.poll(inside, PATIENCE).toBe(true);
      await page.locator('.edge-count', { hasText: '↻ 2/4' }).waitFor();
      await page.getByRole('button', { name: 'Critical path' }).click();
      await page.getByRole('button', { name: /Critical path \d+ tasks/ }).waitFor();
      await page.locator('.task-node.is-critical').first().waitFor();
      expect(page.url()).toContain('critical=yes');
      expect(await violations(page)).toEqual([]);
    },
  );

  verifies(
    ['web.tasks', 'web.tasks.form', 'ui.web.keys'],
    'n adds a task with what it depends on; e edits the one of the row; all fields are behind More',
    async () => {
      const { page, own, complaints } = await open('#/tasks/table');
      await rows(page).first().waitFor();
      await page.keyboard.press('n');
      const form = page.getByRole('dialog', { name: 'New task' });
      await form.getByRole('textbox', { name: 'Title' }).fill('Prices by weekday');
      await form.getByRole('combobox', { name: 'Depends on' }).fill('login');
      await page.keyboard.press('Enter');
      await form.getByRole('button', { name: 'Remove login' }).waitFor();
      await form.getByRole('textbox', { name: 'Check command' }).fill('npm test');
      await form.getByText('More', { exact: true }).click();
      await form.getByRole('checkbox', { name: 'Draft: it does not start' }).check();
      await form.getByRole('spinbutton', { name: 'Estimated hours' }).fill('2');
      await copied(
        form,
        "troupe add 'Prices by weekday' --after login --verify-cmd 'npm test' --paused --hours 2",
      ).waitFor();
      expect(await violations(page)).toEqual([]);
      await picture(page, 'tasks-new');
      await page.keyboard.press('Control+Enter');
      await notice(page).getByText('Added: Prices by weekday').waitFor();
      const view = await own.store.view();
      const added = [...view.nodes()].find((node) => 'title' in node && node.title === 'Prices by weekday');
      expect(added).toMatchObject({ after: ['login'], verify_cmd: 'npm test', paused: true, estimate: { hours: 2 } });
      await page.getByRole('link', { name: 'Importer design' }).focus();
      await page.keyboard.press('e');
      const edit = page.getByRole('dialog', { name: 'Edit the task' });
      await edit.getByRole('textbox', { name: 'Description' }).fill('Summer and winter');
      await page.keyboard.press('Control+Enter');
      await edit.waitFor({ state: 'detached' });
      expect((await own.store.view()).task('grammar')?.description).toBe('Summer and winter');
      expect(complaints).toEqual([]);
    },
  );

  verifies(
    ['web.tasks', 'web.palette'],
    'Ctrl+K finds tasks, members, pages and acts, also from within a field',
    async () => {
      const { page, own, complaints } = await open('#/tasks/table');
      await page.getByRole('searchbox', { name: 'Filter by words' }).focus();
      await page.keyboard.press('Control+k');
      const palette = page.getByRole('dialog', { name: 'Search' });
      await palette.getByRole('combobox').fill('failing log');
      await palette.getByRole('option', { name: /Fix the failing login/ }).waitFor();
      expect(await violationsInBothThemes(page)).toEqual([]);
      await picture(page, 'tasks-palette');
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.keyboard.press('Enter');
      await drawer(page).getByRole('heading', { name: 'Fix the failing login' }).waitFor();
      await page.keyboard.press('Control+k');
      await palette.getByRole('combobox').fill('retry');
      await palette.getByRole('option', { name: 'Retry login' }).click();
      await expect.poll(async () => (await own.store.view()).task('login')?.status, PATIENCE).toBe('open');
      await page.keyboard.press('Control+k');
      await palette.getByRole('combobox').fill('newt');
      await palette.getByRole('option', { name: /Newt/ }).click();
      await page.getByText('3 tasks', { exact: true }).waitFor();
      await page.keyboard.press('/');
      await palette.getByRole('combobox').fill('scores');
      await page.keyboard.press('Enter');
      await page.getByRole('tabpanel', { name: 'Scores' }).waitFor();
      expect(complaints.filter((line) => !line.includes('422'))).toEqual([]); // its folder is no repository
    },
  );

  verifies(
    ['web.tasks', 'web.proof', 'ui.web.room', 'ui.web.a11y'],
    'board, table and graph fit three sizes in both themes, empty, lively, and with 4,000 tasks',
    async () => {
      const wrong: string[] = [];
      for (const [world, fill] of [
        ['empty', async () => undefined],
        ['lively', livelyProject],
        ['large', largeProject],
      ] as const) {
        const { page, complaints } = await open('#/tasks', fill);
        for (const view of ['board', 'table', 'graph']) {
          await goTo(page, `#/tasks/${view}`);
          const part = { board: '.card', table: '.task-body a', graph: '.react-flow__node' }[view];
          await page
            .locator(world === 'empty' ? '.tasks-none' : (part ?? ''))
            .first()
            .waitFor();
          for (const size of SIZES) wrong.push(...(await framed(page, size, `${view}, ${world}`)));
          wrong.push(...(await nameless(page)));
          await page.setViewportSize({ width: 1440, height: 900 });
          // More of the same elements have the same colours.
          wrong.push(...(await (world === 'large' ? violations(page) : violationsInBothThemes(page))));
          await picture(page, `tasks-${view}-${world}`);
        }
        expect(complaints).toEqual([]);
      }
      expect(wrong).toEqual([]);
    },
  );

  verifies(
    ['web.tasks', 'web.proof', 'ui.web.perf'],
    '10,000 tasks: each view is painted soon, and panning and scrolling stay smooth',
    async () => {
      const { page } = await open('#/now', hugeProject);
      await page.getByRole('heading', { name: 'Now' }).waitFor();
      const figures: string[] = [];
      for (const [view, part] of [
        ['board', '.card'],
        ['table', '.task-body a'],
        ['graph', '.react-flow__node'],
      ] as const) {
        const before = Date.now();
        await goTo(page, `#/tasks/${view}`);
        await page.locator(part).first().waitFor();
        figures.push(`${view}: first paint ${Date.now() - before} ms`);
        expect(Date.now() - before, view).toBeLessThan(5_000); // a second on a quiet machine
        const [canvas] = await Promise.all([page.locator('.canvas, .task-table, .board').boundingBox()]);
        if (canvas === null) throw new Error('Nothing to move');
        await page.mouse.move(canvas.x + canvas.width / 2, canvas.y + canvas.height - 60);
        const frames = page.evaluate(FRAMES);
        if (view === 'graph') {
          await page.mouse.down();
          for (let step = 0; step < 60; step++)
            await page.mouse.move(canvas.x + 300 + 8 * step, canvas.y + 200 + 3 * step);
          await page.mouse.up();
        } else for (let step = 0; step < 40; step++) await page.mouse.wheel(0, 400);
        const fps = (await frames) as number;
        figures.push(`${view}: ${fps} frames per second`);
        expect(fps, view).toBeGreaterThan(10); // 60 on a quiet machine
      }
      process.stdout.write(`10,000 tasks: ${figures.join(', ')}\n`);
    },
  );

  verifies(
    ['web.run', 'web.tasks.graph', 'ui.web.keys'],
    'a slider over the log shows the graph as it was, step by step, and leads back to now',
    async () => {
      const { page: seen, complaints } = await visit(stage, {
        fill: async (own) => {
          await own.add('plan', { title: 'Plan it' });
          await own.set('plan', { status: 'in-progress' });
          await own.add('build', { title: 'Build it', after: ['plan'] });
          await own.set('plan', { status: 'done' });
          await own.set('build', { description: 'Nothing to be seen in the graph' });
          await own.set('build', { status: 'in-progress' });
        },
        holder: { ...OWNER, scope: 'observer' },
        browser: { colorScheme: 'light', bypassCSP: true },
      });
      await goTo(seen, '#/tasks/graph');
      const nodes = () => seen.locator('.task-node').allTextContents();
      await seen.getByRole('button', { name: 'History' }).click();
      const slider = seen.getByRole('slider', { name: 'Event of the log' });
      const words = seen.locator('.history-words');
      await words.getByText('"Build it" is in progress').waitFor();
      await slider.focus();
      await seen.keyboard.press('ArrowLeft');
      await words.getByText('"Plan it" is done').waitFor();
      await seen.keyboard.press('ArrowLeft');
      await words.getByText('"Build it" was added').waitFor();
      await expect.poll(async () => (await nodes()).join(' '), PATIENCE).toMatch(/Plan it◐.*Build it○ open/);
      const wrong: string[] = [...(await nameless(seen))];
      for (const size of SIZES) wrong.push(...(await framed(seen, size, 'the history of the graph')));
      const frame = seen.locator('.react-flow');
      await expect.poll(() => isWholeIn(frame, seen.locator('.react-flow__node').first()), PATIENCE).toBe(true);
      expect(await isWholeIn(frame, seen.locator('.react-flow__controls'))).toBe(false);
      await picture(seen, 'tasks-history');
      expect(wrong).toEqual([]);
      expect(await violationsInBothThemes(seen)).toEqual([]);
      await expect.poll(() => seen.url(), PATIENCE).toContain('event=3');
      await seen.reload();
      await words.getByText('"Build it" was added').waitFor();
      await slider.focus();
      await seen.keyboard.press('Home');
      await words.getByText('"Plan it" was added').waitFor();
      await expect.poll(nodes, PATIENCE).toHaveLength(1);
      await seen.getByRole('button', { name: 'Play' }).click();
      await words.getByText('"Plan it" is in progress').waitFor();
      await seen.getByRole('button', { name: 'Now' }).click();
      await slider.waitFor({ state: 'detached' });
      await expect.poll(() => seen.url(), PATIENCE).not.toContain('event');
      await expect.poll(nodes, PATIENCE).toHaveLength(2);
      expect(complaints).toEqual([]);
    },
  );
});

/** Frames per second within the next second and a half. */
const FRAMES = `new Promise((resolve) => {
  let count = 0;
  const begin = performance.now();
  const step = (now) => {
    count++;
    if (now - begin < 1500) requestAnimationFrame(step);
    else resolve(Math.round((count * 1000) / (now - begin)));
  };
  requestAnimationFrame(step);
})`;

import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { PATIENCE } from '../patience.js';
import { verifies } from '../verifies.js';
import { copied, hasChromium, openStage, type Stage, violationsInBothThemes, visit } from './browser.js';
import { largeProject, livelyProject } from './lively.js';
import { framed, nameless, picture, SIZES, strayTabs } from './looks.js';
import { OWNER } from './world.js';

const needsYou = (page: Page) => page.getByRole('region', { name: 'Needs you', exact: true });
const entryOf = (part: Locator, text: string | RegExp) => part.locator('[data-entry]').filter({ hasText: text });
const button = (part: Locator, name: RegExp) => part.getByRole('button', { name });

describe.skipIf(!hasChromium)('the inbox on Now (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  verifies(
    'web.now.acts',
    'without a terminal: a work is approved, one rejected with a reason, a question answered, a group retried and that undone',
    async () => {
      const { page, own, complaints } = await visit(stage, { fill: livelyProject });
      const task = async (id: string) => (await own.store.view()).task(id);
      const inbox = needsYou(page);
      const notice = page.locator('.notice');

      // The criterion and the result of the check are in sight; the first click only asks.
      const parser = entryOf(inbox, 'Handle empty input in the parser');
      await parser.getByText('“Reads well; no jargon. parse("") returns [] instead of [""].”').waitFor();
      await parser.getByText('✓ npm test passed in 3s').waitFor();
      await button(parser, /^Approve /).click();
      await parser.getByText('It is merged for good.').waitFor();
      expect((await task('parser'))?.status).toBe('pending-validation');
      await button(parser, /^Cancel/).click();
      await button(parser, /^Approve /).dblclick(); // the second half of a double click is no answer
      expect((await task('parser'))?.status).toBe('pending-validation');
      await button(parser, /^Yes, approve/).click();
      await parser.getByText('Approved', { exact: true }).waitFor();
      expect((await task('parser'))?.status).toBe('done');
      await notice.getByText('Approved: Handle empty input in the parser').waitFor();
      expect(await notice.getByRole('button', { name: 'Undo' }).count()).toBe(0); // it was merged: nothing is pretended

      const errors = entryOf(inbox, 'Give every API error a code');
      await errors.getByText('✕ npm run lint exit 1 after 11s').waitFor();
      await button(errors, /^Reject/).click();
      expect(await button(errors, /^Reject Give/).isDisabled()).toBe(true);
      await errors.getByRole('textbox').fill('E17 has no hint');
      await copied(errors, "troupe reject errors --reason 'E17 has no hint'").last().waitFor();
      await errors.getByRole('textbox').press('Control+Enter');
      await errors.getByText('Rejected', { exact: true }).waitFor();
      expect(await task('errors')).toMatchObject({ status: 'open', failure_reason: 'E17 has no hint' });

      const question = entryOf(inbox, 'Importer design');
      await question.getByText('Which grammar should the importer read').waitFor();
      await button(question, /^Answer/).click();
      await question.getByRole('textbox').fill('RFC 4180');
      await button(question, /^Answer Importer design/)
        .last()
        .click();
      await question.getByText('Answered', { exact: true }).waitFor();

      const group = entryOf(inbox, '12 failed: the provider refused the key (401)');
      const before = await task('seats-3');
      await button(group, /^Retry all/).click();
      await notice.getByText('Open again: 12 tasks').waitFor();
      expect(await task('seats-3')).toMatchObject({ status: 'open' });
      await notice.getByRole('button', { name: 'Undo' }).click();
      await notice.waitFor({ state: 'detached' });
      await button(group, /^Retry all/).waitFor();
      const { log: _log, ...after } = (await task('seats-3')) ?? {};
      expect({ ...after, rev: 0 }).toEqual({ ...before, rev: 0 });
      expect(complaints).toEqual([]);
    },
  );

  verifies(
    'web.now.acts',
    'a paused task is resumed and paused again by the undo; a run is stopped after a question',
    async () => {
      const { page, own } = await visit(stage, { fill: livelyProject });
      const inbox = needsYou(page);
      await button(inbox, /^All 17/).click();
      const draft = entryOf(inbox, 'Nightly dependency review');
      await button(draft, /^Resume/).click();
      await expect.poll(async () => (await own.store.view()).task('draft')?.paused, PATIENCE).toBeUndefined();
      // The page learns of it a moment after the store, and can undo it from then on.
      await page.locator('.notice').getByText('Nightly dependency review').waitFor();
      await page.keyboard.press('u');
      await expect.poll(async () => (await own.store.view()).task('draft')?.paused, PATIENCE).toBe(true);

      const running = page.getByRole('region', { name: 'Running', exact: true });
      const run = entryOf(running, 'A long refactoring of the tokenizer');
      await run.getByText('Hicks · claude · at host-b').waitFor();
      await run.getByText('extracting the lexer states into a table').waitFor();
      await run.getByText('31.2k tokens').waitFor();
      await run.getByText('$0.21').waitFor();
      await copied(run, 'troupe pause tokenizer && troupe kill agent-30').waitFor();
      await button(run, /^Stop/).click();
      await button(run, /^Yes, stop/).click();
      await page.locator('.notice').getByRole('button', { name: 'Resume' }).waitFor();
      expect((await own.store.view()).task('tokenizer')?.paused).toBe(true);
      expect(own.killed).toEqual(['agent-30']);
      await page.locator('.notice').getByRole('button', { name: 'Resume' }).click();
      await expect.poll(async () => (await own.store.view()).task('tokenizer')?.paused, PATIENCE).toBeUndefined();
    },
  );

  verifies(
    'web.now.errors',
    'what the server refuses is said at the row, with what helps, and at the notice if it is too late to undo',
    async () => {
      const { page, own } = await visit(stage, { fill: livelyProject });
      const inbox = needsYou(page);
      const login = entryOf(inbox, 'Fix the failing login');
      await page.route('**/api/task/retry', (route) => route.abort(), { times: 1 });
      await button(login, /^Retry/).click();
      const alert = login.getByRole('alert');
      await alert.getByText('Troupe does not answer.').waitFor();
      await alert.getByText('Check that the service is still running.').waitFor();
      await button(login, /^Retry/).click();
      await page.locator('.notice').getByText('Open again: Fix the failing login').waitFor();
      await own.call('task.log', { id: 'login', message: 'A note meanwhile' });
      await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
      await page.locator('.notice').getByText('login stays as it is: it has moved on since.').waitFor();
      expect((await own.store.view()).task('login')?.status).toBe('open');
      // What has begun is not offered to be undone.
      await own.set('login', { status: 'failed', failure_reason: 'red again' });
      await button(login, /^Retry/).click();
      await page.locator('.notice').getByRole('button', { name: 'Undo' }).waitFor();
      await own.set('login', { status: 'in-progress', assigned: 'agent-40', fence: 4 });
      await page.locator('.notice').getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    },
  );

  verifies('web.now.keys', 'j, k, a, r, Enter and u work the inbox; one key never decides', async () => {
    const { page, own } = await visit(stage, { fill: livelyProject });
    const inbox = needsYou(page);
    await entryOf(inbox, 'Handle empty input').waitFor();
    const status = async (id: string) => (await own.store.view()).task(id)?.status;
    await page.keyboard.press('j');
    await page.keyboard.press('a');
    await inbox.getByText('It is merged for good.').waitFor();
    await page.keyboard.press('Escape');
    await inbox.getByText('It is merged for good.').waitFor({ state: 'detached' });
    expect(await status('parser')).toBe('pending-validation');
    await page.keyboard.press('j');
    await page.keyboard.press('r');
    await page.keyboard.type('No hint');
    await page.keyboard.press('Control+Enter');
    await entryOf(inbox, 'Give every API error a code').getByText('Rejected', { exact: true }).waitFor();
    await page.keyboard.press('k'); // the focus stayed in the row that was decided
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await entryOf(inbox, 'Handle empty input').getByText('Approved', { exact: true }).waitFor();
    expect(await status('parser')).toBe('done');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('complementary', { name: 'Task' }).getByRole('heading', { name: 'Importer design' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Undo, as long as the notice is shown').waitFor();
  });

  verifies(
    'web.now.steady',
    'no row moves away from under a pointer: what is decided keeps its place, what comes is last',
    async () => {
      const { page, own } = await visit(stage, { fill: livelyProject });
      const inbox = needsYou(page);
      const second = entryOf(inbox, 'Give every API error a code');
      await second.hover();
      const { y } = (await second.boundingBox()) ?? { y: Number.NaN };
      await own.set('parser', { status: 'done', completed_at: new Date().toISOString() });
      await entryOf(inbox, 'Handle empty input').getByText('No longer waits').waitFor();
      await own.add('urgent', {
        title: 'Came meanwhile',
        status: 'pending-validation',
        started_at: '2026-01-01T00:00:00Z',
      });
      await inbox
        .getByText('18', { exact: true })
        .or(inbox.getByText('17', { exact: true }))
        .waitFor();
      expect((await second.boundingBox())?.y).toBe(y);
      await page.mouse.move(5, 5);
      await entryOf(inbox, 'Came meanwhile').waitFor();
      expect(await entryOf(inbox, 'Handle empty input').count()).toBe(0);
    },
  );

  verifies(
    'web.now.group',
    '108 failures for one reason are one row; the rest of the page keeps its place',
    async () => {
      const { page } = await visit(stage, { fill: largeProject });
      const inbox = needsYou(page);
      const group = entryOf(inbox, '108 failed: the provider refused the key (401)');
      await button(group, /^Retry all/).waitFor();
      expect(await inbox.locator('[data-entry]').count()).toBe(1);
      await group.getByRole('button', { name: /^108 failed/ }).click();
      await group.getByRole('link', { name: 'Step 0 of the migration' }).waitFor();
      await group.getByRole('link', { name: 'and 103 more in the graph' }).waitFor();
      await page.getByRole('region', { name: 'Finished lately' }).getByRole('link').first().waitFor();
      const running = await page.getByRole('heading', { name: /^Running/ }).boundingBox();
      expect(running?.y).toBeLessThan(500);
      await picture(page, 'now-large');
    },
  );

  verifies('web.now.visitor', 'an observer sees the same rows, and no act', async () => {
    const { page } = await visit(stage, { fill: livelyProject, holder: { ...OWNER, scope: 'observer' } });
    const inbox = needsYou(page);
    await entryOf(inbox, 'Handle empty input in the parser').waitFor();
    expect(await page.locator('main button.act').count()).toBe(0); // a link to a page changes nothing
    expect(await page.getByRole('button', { name: 'New task' }).count()).toBe(0);
  });

  verifies('web.now.spend', 'what today cost stands in the top bar, against the budget of the day', async () => {
    const { page } = await visit(stage, { fill: livelyProject });
    const spend = page.locator('.top-spend');
    await spend.waitFor();
    expect(await spend.textContent()).toBe('today $4.12 of $20.00');
  });

  verifies(
    ['web.now', 'ui.web.a11y', 'ui.web.responsive'],
    'at a desk, on a small one and on a telephone nothing is cut off, every control has a name, and axe finds nothing',
    async () => {
      const { page, complaints } = await visit(stage, {
        fill: livelyProject,
        browser: { colorScheme: 'light', bypassCSP: true },
      });
      const inbox = needsYou(page);
      await page.getByText('extracting the lexer states').waitFor();
      await page.getByRole('region', { name: 'Finished lately' }).getByText('Design the schema').waitFor();
      await picture(page, 'now-lively');
      await button(entryOf(inbox, 'Handle empty input'), /^Approve/).click();
      await button(entryOf(inbox, 'Importer design'), /^Answer/).click();
      await picture(page, 'now-asked');
      await page.emulateMedia({ colorScheme: 'light' });
      const wrong: string[] = [];
      for (const size of SIZES) wrong.push(...(await framed(page, size, 'Now')));
      expect([...wrong, ...(await nameless(page))]).toEqual([]);
      await page.setViewportSize({ width: 1440, height: 900 });
      expect(await violationsInBothThemes(page)).toEqual([]);
      expect(await strayTabs(page)).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  verifies('web.now', 'on a telephone an act is as large as a thumb and within its reach', async () => {
    const { page, own } = await visit(stage, {
      fill: livelyProject,
      browser: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    });
    const parser = entryOf(needsYou(page), 'Handle empty input in the parser');
    await button(parser, /^Approve/).tap();
    const box = await button(parser, /^Yes, approve/).boundingBox();
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(40);
    await page.getByRole('heading', { name: 'Now', exact: true }).tap(); // two taps at once count as one
    await button(parser, /^Yes, approve/).tap();
    await parser.getByText('Approved', { exact: true }).waitFor();
    expect((await own.store.view()).task('parser')?.status).toBe('done');
  });

  verifies('ui.web.empty', 'an empty project offers its first task', async () => {
    const { page } = await visit(stage);
    await page.getByRole('button', { name: 'Add the first task' }).click();
    await page.getByRole('dialog', { name: 'New task' }).waitFor();
    await page.keyboard.press('Escape');
    await picture(page, 'now-empty');
  });
});

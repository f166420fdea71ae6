import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { prompt } from '#operations/runs/show-prompt.js';
import { PATIENCE } from '../patience.js';
import { git, repository } from '../repository.js';
import { verifies } from '../verifies.js';
import { attempted, SHORT_RUN, withClient } from './attempts.js';
import { hasChromium, openStage, type Stage, violationsInBothThemes, visit } from './browser.js';
import { framed, nameless, picture, SIZES } from './looks.js';
import { OWNER, type World } from './world.js';

const BEFORE = `export function parse(text: string): string[] {
  return text.split(',').map((part) => part.trim());
}
`;
const AFTER = `export function parse(text: string): string[] {
  if (text.trim() === '') return [];
  return text.split(',').map((part) => part.trim());
}
`;

/** A repository in which attempts get worktrees. */
function projectIn(own: World, files: Readonly<Record<string, string>>): string {
  const folder = repository(files);
  mkdirSync(path.join(folder, '.workgraph'));
  own.workIn(folder);
  return folder;
}

const bar = (page: Page) => page.getByRole('region', { name: 'Your verdict' });
const open = (page: Page, address: string) => page.evaluate(`location.hash = '${address}'`);

/** One attempt with a bit of everything under review. */
async function oneReview(own: World): Promise<void> {
  projectIn(own, { 'src/parse.ts': BEFORE, 'README.md': 'A parser.\n', 'old.md': 'Moved later.\nTwo.\nThree.\n' });
  await own.add('parser', {
    title: 'Handle empty input in the parser',
    member: 'Ash',
    description: 'parse() returns a list with one empty text for empty input.\nIt should return an empty list.',
    verify: 'Reads well; no jargon. parse("") returns [] instead of [""].',
    verify_cmd: 'npm test',
    log: [{ timestamp: '2026-03-01T09:05:00Z', actor: 'agent-2', message: 'Last words: empty input is an empty list' }],
  });
  await own.add('announce', { title: 'Announce it', after: ['parser'] });
  await attempted(own, {
    ...{ task: 'parser', run: 'agent-1', attempt: 1, exit: 1, events: SHORT_RUN },
    files: { 'src/parse.ts': BEFORE.replace('part.trim()', 'part') },
  });
  await own.call('task.reject', { id: 'parser', reason: 'Blanks stay.\nTrim them.' });
  await attempted(own, {
    ...{ task: 'parser', run: 'agent-2', attempt: 2, events: SHORT_RUN },
    files: { 'src/parse.ts': AFTER, 'src/logo.bin': 'a\0b', 'package-lock.json': '{\n  "a": 1\n}\n' },
    uncommitted: { 'src/parse.spec.ts': "test('empty', () => expect(parse('')).toEqual([]));\n<b>&amp;\u202e\n" },
  });
}

describe.skipIf(!hasChromium)('a task on its own page (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  verifies(
    ['web.review', 'web.review.comments', 'web.review.compare'],
    'ten attempts are reviewed, commented, sent back, compared, approved and landed without a terminal',
    async () => {
      let folder = '';
      const numbers = Array.from({ length: 10 }, (_, index) => index);
      const { page, own, complaints, requests } = await visit(stage, {
        fill: async (world) => {
          folder = projectIn(world, Object.fromEntries(numbers.map((number) => [`src/part${number}.ts`, BEFORE])));
          for (const number of numbers) {
            const task = `part-${number}`;
            await world.add(task, { title: `Empty input in part ${number}`, verify: `Part ${number} returns [] then` });
            await attempted(world, {
              ...{ task, run: `agent-${number + 1}`, attempt: 1, events: SHORT_RUN },
              files: { [`src/part${number}.ts`]: AFTER },
            });
          }
        },
      });
      const status = async (id: string) => (await own.store.view()).task(id)?.status;
      const inbox = page.getByRole('region', { name: 'Needs you', exact: true });
      await inbox.getByRole('link', { name: 'Review Empty input in part 0' }).click();
      for (const number of numbers) {
        await page.getByRole('heading', { name: `Empty input in part ${number}`, level: 1 }).waitFor();
        await page.getByText(`Part ${number} returns [] then`).waitFor();
        await page.getByText('✓ npm test passed in 3s').first().waitFor();
        const file = page.getByRole('region', { name: `Changes in src/part${number}.ts` });
        await file.locator('.lines').filter({ hasText: "if (text.trim() === '') return [];" }).waitFor();
        if (number === 3) {
          await file
            .getByRole('button', { name: `Comment on src/part3.ts, line 2`, exact: true })
            .click({ force: true });
          await page.keyboard.type('What about a text of commas only?');
          await page.keyboard.press('Control+Enter');
          await file.getByText('What about a text of commas only?').waitFor();
          await page.reload(); // the draft is still there
          await file.getByText('What about a text of commas only?').waitFor();
          await page.keyboard.press('r');
          await page.keyboard.type('Nearly.');
          await page.keyboard.press('Control+Enter');
          await page.locator('.notice').getByText('Rejected: Empty input in part 3').waitFor();
          expect(await status('part-3')).toBe('open');
          const { text } = await prompt.run(withClient(own.context), { id: 'part-3' });
          for (const words of [
            'Nearly.',
            'src/part3.ts:2',
            "if (text.trim() === '')",
            'What about a text of commas only?',
          ])
            expect(text).toContain(words);
          await attempted(own, {
            ...{ task: 'part-3', run: 'agent-13', attempt: 2, events: SHORT_RUN },
            files: { 'src/part3.ts': AFTER.replace('text.trim()', "text.replaceAll(',', '').trim()") },
          });
          const rounds = page.getByRole('region', { name: 'Attempts', exact: true });
          await rounds.getByText('Rejected by you').waitFor();
          await rounds.getByRole('link', { name: 'Since attempt 1 in attempt 2' }).click();
          await page.getByText('since attempt 1', { exact: true }).waitFor();
          expect(await file.getByText('+1').count()).toBeGreaterThan(0);
          await rounds.getByRole('link', { name: 'Changes of attempt 2' }).click();
          await file.getByText('What about a text of commas only?').waitFor({ state: 'detached' });
        }
        const isLast = number === 9;
        await page.keyboard.press(isLast ? 'l' : 'a');
        const question = isLast
          ? /^It is merged for good, and main moves to it, with \d+ commits that already wait/
          : 'It is merged for good.';
        await bar(page).getByText(question).waitFor();
        expect(await status(`part-${number}`)).toBe('pending-validation'); // one key never decides
        await page.keyboard.press('Enter');
        const said = isLast ? 'Approved and landed on main' : 'Approved';
        await page.locator('.notice').getByText(`${said}: Empty input in part ${number}`).waitFor();
        expect(await status(`part-${number}`)).toBe('done');
        await file.locator('.lines').filter({ hasText: 'return [];' }).waitFor();
        // What was approved stays in sight: merged work has no changes left to ask for.
        const asked = requests.filter((url) => url.endsWith(`worktree/show?task=part-${number}&patch=true`));
        if (number !== 3) expect(asked).toHaveLength(1);
        if (isLast) continue;
        await page.getByRole('link', { name: `Next to review: Empty input in part ${number + 1}` }).waitFor();
        await page.keyboard.press('a');
      }
      for (const number of numbers) expect(git(folder, 'show', `main:src/part${number}.ts`)).toContain('return [];');
      expect(await page.getByText('Next to review').count()).toBe(0);
      // The attempt that was shown is gone once it is merged.
      expect(complaints.filter((line) => !line.includes('404'))).toEqual([]);
    },
  );

  verifies(
    ['web.review', 'ui.web.a11y', 'ui.web.responsive'],
    'criterion, check, work and last words, then the files, then the decision; at any size, in both themes',
    async () => {
      const { page, complaints } = await visit(stage, {
        fill: oneReview,
        browser: { colorScheme: 'light', bypassCSP: true },
      });
      await open(page, '#/tasks/task/parser');
      await page.getByText('Reads well; no jargon.').waitFor();
      await page.getByText('3 files').or(page.getByText('4 files')).first().waitFor();
      for (const words of [
        'It should return an empty list.',
        'empty input is an empty list',
        'in 2 commits on wg/parser/2',
      ])
        await page.getByText(words).first().waitFor();
      await page.locator('.lines').filter({ hasText: "test('empty'" }).waitFor();
      await page.locator('.token.keyword').first().waitFor();
      expect(await page.locator('.files').textContent()).toContain('<b>&amp;\\u{202e}');
      await page.getByText('A binary file: its content is not shown.').waitFor();
      await page.getByText('Generated, 3 changed lines.').waitFor();
      // The verdict comes after all evidence, also for those who do not see the page.
      const order = await page.evaluate(
        `[...document.querySelectorAll('.review-head, .files, .verdict-bar')].map((part) => part.className)`,
      );
      expect(order).toEqual(['review-head', 'files', 'verdict-bar']);
      const spec = page.getByRole('region', { name: 'Lines of src/parse.ts' });
      await spec.focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('c');
      await page.keyboard.type('Say why.');
      await picture(page, 'review');
      await page.emulateMedia({ colorScheme: 'light' });
      const wrong: string[] = [];
      for (const size of SIZES) wrong.push(...(await framed(page, size, 'Review')));
      expect([...wrong, ...(await nameless(page))]).toEqual([]);
      await page.setViewportSize({ width: 1440, height: 900 });
      expect(await violationsInBothThemes(page)).toEqual([]);
      await page.keyboard.press('Control+Enter');
      await page.getByRole('button', { name: 'Side by side' }).click();
      await page.locator('.diff-split').first().waitFor();
      await picture(page, 'review-split');
      expect(await violationsInBothThemes(page)).toEqual([]);
      await page.keyboard.press('r');
      await picture(page, 'review-reject');
      expect(complaints).toEqual([]);
    },
  );

  verifies('web.review.steady', 'nothing moves while the page loads, however slow its parts are', async () => {
    const { page } = await visit(stage, { fill: oneReview });
    await page.route(/api\/task\/attempts/, (route) => setTimeout(() => void route.continue(), 300));
    await page.route(/api\/worktree\/show/, (route) => setTimeout(() => void route.continue(), 600));
    await page.locator('.top-spend').waitFor(); // the top bar is as it stays
    await page.evaluate(`(() => {
      globalThis.shifts = [];
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries())
          globalThis.shifts.push([entry.value, ...entry.sources.map(({ node }) => node?.className ?? String(node))]);
      }).observe({ type: 'layout-shift' });
    })()`);
    await open(page, '#/tasks/task/parser');
    expect(await bar(page).count()).toBe(0);
    await bar(page).waitFor();
    expect(await page.locator('.files').textContent()).toContain("test('empty'");
    await page.locator('.token.keyword').first().waitFor();
    await page.evaluate('new Promise((done) => setTimeout(done, 300))');
    expect(await page.evaluate('globalThis.shifts')).toEqual([]);
  });

  verifies(
    'web.review.large',
    'three hundred files, one of five thousand lines, are quick: only what is near the window is drawn',
    async () => {
      const { page } = await visit(stage, {
        fill: async (own) => {
          projectIn(own, { 'README.md': 'Large.\n' });
          await own.add('large', { title: 'A large change' });
          const line = (_: unknown, index: number) => `const value${index} = ${index}; // ${'x'.repeat(40)}`;
          const text = (lines: number) => `${Array.from({ length: lines }, line).join('\n')}\n`;
          const files = Object.fromEntries(
            Array.from({ length: 299 }, (_, index) => [`src/file${String(index).padStart(3, '0')}.ts`, text(20)]),
          );
          await attempted(own, {
            task: 'large',
            run: 'agent-1',
            attempt: 1,
            files: { ...files, 'src/a.ts': text(5_000) },
          });
        },
      });
      await open(page, '#/tasks/task/large');
      await page.getByText('300 files').first().waitFor();
      await bar(page).waitFor();
      expect(await page.locator('*').count()).toBeLessThan(12_000);
      await page.getByText('Large, 5000 changed lines.').waitFor();
      await page.getByRole('button', { name: 'Show it: src/a.ts' }).click();
      await page.locator('.lines').filter({ hasText: 'value0 = 0;' }).first().waitFor();
      expect(await page.locator('.diff-line').count()).toBeLessThan(1_500);
      await page
        .getByRole('button', { name: /file298\.ts/ })
        .first()
        .click();
      const last = page.getByRole('region', { name: 'Changes in src/file298.ts' });
      await last.locator('.lines').filter({ hasText: 'value19 = 19;' }).waitFor();
      await expect
        .poll(async () => (await last.boundingBox())?.y ?? Number.POSITIVE_INFINITY, PATIENCE)
        .toBeLessThan(900);
    },
  );

  verifies('web.review', 'what is refused is said at the buttons, and an observer has none', async () => {
    const { page, own } = await visit(stage, { fill: oneReview });
    await open(page, '#/tasks/task/parser');
    own.atWork.add('agent-2');
    await bar(page).waitFor();
    await page.keyboard.press('a');
    await page.keyboard.press('Enter');
    await bar(page).getByText('is still running on parser').waitFor();
    const watcher = await visit(stage, { fill: oneReview, holder: { ...OWNER, scope: 'observer' } });
    await open(watcher.page, '#/tasks/task/parser');
    await bar(watcher.page).getByText('This browser is read-only').waitFor();
    expect(await bar(watcher.page).getByRole('button').count()).toBe(0);
  });
});

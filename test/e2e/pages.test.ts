import { afterAll, beforeAll, describe, expect } from 'vitest';
import { confirm } from '#operations/squad/confirm.js';
import { decisionAdd } from '#operations/squad/decisions.js';
import { add as remember } from '#operations/squad/memories.js';
import { manual } from '#operations/squad/proposals.js';
import { verifies } from '../verifies.js';
import { hasChromium, openStage, type Stage, violations, violationsInBothThemes, visit } from './browser.js';
import { framed, nameless, picture, SIZES } from './looks.js';
import { planWith } from './planning.js';

const FOREIGN = [
  '## Why',
  'One file, **no server**. <script>window.stolen = 1</script>',
  '<img src="x" onerror="window.stolen = 2">',
  '- [a link](https://example.org/x)',
  '- ![a picture](https://example.org/y.png)',
  '```',
  'const x = 1;',
  '```',
].join('\n');

describe.skipIf(!hasChromium)('pages to read (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  verifies(
    'web.pages',
    'playbooks are listed by kind; one is shown with its steps and its loop, and its plan is one click away',
    async () => {
      const { page, complaints } = await visit(stage, {
        browser: { bypassCSP: true },
        fill: async (own) => void planWith(own),
      });
      await page.goto(`${new URL(page.url()).origin}/#/runs/playbooks`);
      await page
        .getByRole('region', { name: 'Workflows' })
        .getByRole('link', { name: /^bug-fix/ })
        .waitFor();
      await page
        .getByRole('region', { name: 'Formations' })
        .getByRole('link', { name: /^panel/ })
        .waitFor();
      await page
        .getByRole('region', { name: 'Blueprints' })
        .getByRole('link', { name: /support/ })
        .waitFor();
      expect(await violationsInBothThemes(page)).toEqual([]);
      for (const size of SIZES) expect(await framed(page, size, 'playbooks')).toEqual([]);
      await picture(page, 'playbooks');
      await page.getByRole('link', { name: /^bug-fix/ }).click();
      const steps = page.getByRole('region', { name: 'Steps' });
      await steps.getByText('up to 3 rounds').waitFor();
      expect(await steps.locator('.flow-label').allTextContents()).toEqual([
        ...['Find out what is wrong', 'Put it right', 'Check the fix', 'Merge the fix'],
      ]);
      await page.getByRole('region', { name: 'Inputs' }).getByText('What was seen and what was expected').waitFor();
      expect(await violationsInBothThemes(page)).toEqual([]);
      expect(await nameless(page)).toEqual([]);
      await picture(page, 'playbook');
      await page.getByRole('button', { name: /^Start…/ }).click();
      const dialog = page.getByRole('dialog', { name: 'What should be done?' });
      expect(await dialog.getByRole('combobox', { name: 'Playbook' }).inputValue()).toBe('workflow:bug-fix');
      expect(complaints).toEqual([]);
    },
  );

  verifies(
    ['web.pages', 'web.pages.markdown', 'web.proof'],
    'decisions and memory read as words; nothing foreign is run, loaded or linked',
    async () => {
      const { page, requests, complaints } = await visit(stage, {
        browser: { bypassCSP: true },
        fill: async (own) => {
          const casting = planWith(own);
          await casting.call(manual, { archetypes: ['writer', 'qa-engineer'], universe: 'Dune' });
          await casting.call(confirm);
          await casting.call(decisionAdd, { title: 'Messages are kept in SQLite', content: FOREIGN });
          await casting.call(decisionAdd, { title: 'Reviews take one day', supersedes: 1, rationale: 'They *wait*.' });
          await casting.call(remember, { agent: 'Paul', content: 'The tests need **Node 20**.' });
        },
      });
      await page.goto(`${new URL(page.url()).origin}/#/team/decisions`);
      await page.getByRole('heading', { name: '2 Reviews take one day' }).waitFor();
      await page.locator('.reading-reason em').getByText('wait').waitFor();
      await page.getByRole('button', { name: 'And 1 no longer in force' }).click();
      const text = page.locator('.markdown').filter({ hasText: 'One file' });
      await text.locator('strong').getByText('no server').waitFor();
      await text.getByText('<script>window.stolen = 1</script>', { exact: false }).waitFor();
      await text.getByText('(https://example.org/x)', { exact: false }).waitFor();
      await text.getByText('[a picture]').waitFor();
      expect(await text.locator('a, img, script').count()).toBe(0);
      expect(await page.evaluate('window.stolen')).toBeUndefined();
      expect(requests.filter((address) => address.includes('example.org'))).toEqual([]);
      expect(await violationsInBothThemes(page)).toEqual([]);
      for (const size of SIZES) expect(await framed(page, size, 'decisions')).toEqual([]);
      await picture(page, 'decisions');
      await page.getByRole('button', { name: /^Archive/ }).click();
      await page.getByText('· archived', { exact: false }).waitFor();

      await page.goto(`${new URL(page.url()).origin}/#/team/memory`);
      await page.locator('strong').getByText('Node 20').waitFor();
      expect(await violationsInBothThemes(page)).toEqual([]);
      for (const size of SIZES) expect(await framed(page, size, 'memory')).toEqual([]);
      await picture(page, 'memory');
      // The charter is all that there is of this member, so it is open.
      await page.getByRole('combobox', { name: 'Member' }).selectOption({ index: 1 });
      await page.locator('details[open]').getByText('charter').waitFor();
      expect(await violations(page)).toEqual([]);
      for (const size of SIZES) expect(await framed(page, size, 'memory of one')).toEqual([]);
      await picture(page, 'memory-of-one');
      expect(complaints).toEqual([]);
    },
  );

  verifies('web.pages', 'the report of a review is a page, and an artifact is read in place', async () => {
    const { page } = await visit(stage, {
      browser: { bypassCSP: true },
      fill: async (own) => {
        await own.add('review-lint', {
          ...{ title: 'Lint', status: 'done' },
          workflow: { id: 'repository-review', run: 'review', node: 'lint' },
        });
        const markdown = '# Review\n\n## Do first\n\n1. The linter fails.\n';
        Object.assign(own.context, { inspector: async () => ({ folder: { readReport: async () => ({ markdown }) } }) });
      },
    });
    await page.goto(`${new URL(page.url()).origin}/#/runs/review`);
    await page.getByRole('heading', { name: 'Do first' }).waitFor();
    await page.getByRole('listitem').getByText('The linter fails.').waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    await picture(page, 'report');
    await page.goto(`${new URL(page.url()).origin}/#/team/artifacts`);
    await page.getByText('No artifacts yet.').waitFor();
  });
});

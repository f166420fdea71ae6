import type { Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { PATIENCE } from '../patience.js';
import { write } from '../repository.js';
import { verifies } from '../verifies.js';
import { copied, goTo, hasChromium, openStage, type Stage, violationsInBothThemes, visit } from './browser.js';
import { framed, picture, SIZES } from './looks.js';
import { planWith } from './planning.js';

const PAGE = `kind: trace-function
version: 1
id: page
description: A page with its review
inputs:
  - { name: feature, type: string, required: true, description: Its feature }
  - { name: size, type: enum, values: [small, large], default: small }
  - { name: pages, type: number, min: 1, max: 9 }
tasks:
  - { template_id: write, title: "Write the {{input.size}} page of {{input.feature}}" }
  - { template_id: review, title: Review the page, after: [write] }
`;

describe.skipIf(!hasChromium)('what should be done? (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const open = async (more: { bypassCSP?: boolean } = {}) => {
    const visited = await visit(stage, {
      browser: more,
      fill: async (own) => write(planWith(own).folder, { '.workgraph/functions/page.yaml': PAGE }),
    });
    const tasks = async () => [...(await visited.own.store.view()).nodes()].map(({ id }) => id);
    return { ...visited, tasks, dialog: visited.page.getByRole('dialog', { name: 'What should be done?' }) };
  };

  verifies(
    ['web.do', 'web.do.edit', 'gate.plan-shown'],
    'a goal becomes a plan that is shown, edited and started as shown; nothing runs before, and the start is undone',
    async () => {
      const { page, own, dialog, tasks, complaints } = await open();
      await page.getByRole('textbox', { name: 'What should be done?' }).fill('add a version flag');
      await page.keyboard.press('Enter');
      const plan = dialog.getByRole('region', { name: 'Plan' });
      await plan.getByText('default, 4 steps').waitFor();
      await plan.getByText('cast when you start').waitFor();
      await copied(plan, "troupe run 'add a version flag'").waitFor();
      const title = (node: string) => plan.getByRole('textbox', { name: `Title of step ${node}` });
      expect(await title('work').inputValue()).toBe('Do the work: add a version flag');

      await title('work').fill('Print the version');
      await title('work').press('Enter');
      await plan.getByRole('button', { name: 'Undo the last change' }).waitFor();
      expect(await plan.getByRole('button', { name: /^Copy/ }).count()).toBe(0); // no command starts an edited plan
      await plan.getByRole('button', { name: /^Leave out: Make a plan/ }).click();
      await plan.getByText('default, 3 steps').waitFor();
      const reviewer = plan.getByRole('combobox', { name: /^Reviewer of Review the work/ });
      await reviewer.selectOption({ label: 'You, or another person' });
      await expect
        .poll(() => reviewer.locator('option:checked').textContent(), PATIENCE)
        .toBe('You, or another person');
      // A reviewer of own work is refused, with the reason, and the plan stays.
      const worker = await plan.getByRole('combobox', { name: /^Owner of Print the version/ }).inputValue();
      await reviewer.selectOption(worker);
      await plan.getByRole('alert').getByText(`${worker} would review own work`, { exact: false }).waitFor();
      expect(await tasks()).toEqual([]);

      await plan.getByRole('button', { name: 'Start', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      const view = await own.store.view();
      expect(view.task('default-work')).toMatchObject({ title: 'Print the version', member: worker });
      expect(view.task('default-review')).toMatchObject({ human: true });
      expect(view.task('default-plan')).toBeUndefined();
      const notice = page.locator('.notice');
      await notice.getByText('Started default: 3 tasks.').waitFor();
      await notice.getByRole('button', { name: 'Undo' }).click();
      await notice.getByText('Closed default.', { exact: true }).waitFor();
      expect((await own.store.view()).task('default-work')?.status).toBe('abandoned');
      expect(complaints).toEqual([expect.stringContaining('400')]); // the refused change
    },
  );

  verifies(
    ['web.do', 'ui.web.keys'],
    'what is typed while the dialog loads is its goal, no key of the page',
    async () => {
      const { page, dialog } = await open();
      const held: Route[] = [];
      await page.route(/DoDialog[^/]*\.js$/, (route) => void held.push(route));
      await page.keyboard.press('d');
      await page.keyboard.type('get teams back');
      await page.keyboard.press('Enter');
      await expect.poll(() => held.length, PATIENCE).toBeGreaterThan(0);
      for (const route of held) await route.continue();
      const goal = dialog.getByRole('textbox', { name: 'Goal' });
      await expect.poll(() => goal.inputValue(), PATIENCE).toBe('get teams back');
      await page.keyboard.type(' to work');
      expect(await goal.inputValue()).toBe('get teams back to work');
      expect(page.url()).toMatch(/#\/now$/);
    },
  );

  verifies(
    'gate.plan-shown',
    'a plan that has changed since it was shown is shown again, and not started',
    async () => {
      const { page, own, dialog, tasks } = await open();
      await page.keyboard.press('d');
      await dialog.getByRole('textbox', { name: 'Goal' }).fill('add a version flag');
      await page.keyboard.press('Enter');
      const plan = dialog.getByRole('region', { name: 'Plan' });
      await plan.getByText('default, 4 steps').waitFor();
      await own.add('default-plan', { title: 'Taken meanwhile' });
      await plan.getByRole('button', { name: 'Start', exact: true }).click();
      await plan.getByRole('alert').waitFor();
      expect(await tasks()).toEqual(['default-plan']);
      await plan.getByRole('button', { name: 'Start', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await tasks()).toContain('default-2-plan');
    },
  );

  verifies(
    ['web.do', 'web.do.inputs'],
    'a playbook by name asks for its inputs; at every size nothing is cut off, and axe finds nothing',
    async () => {
      const { page, dialog } = await open({ bypassCSP: true });
      await page.keyboard.press('d');
      await dialog.getByRole('combobox', { name: 'Playbook' }).selectOption('bug-fix');
      await dialog.getByRole('textbox', { name: 'What was seen and what was expected' }).fill('The page is empty');
      await dialog.getByRole('button', { name: 'Show the plan' }).click();
      const plan = dialog.getByRole('region', { name: 'Plan' });
      await plan.getByText('bug-fix, 4 steps').waitFor();
      await copied(plan, "troupe workflow run bug-fix --input 'report=The page is empty'").waitFor();
      expect(await violationsInBothThemes(page)).toEqual([]);
      for (const size of SIZES) expect(await framed(page, size, 'do')).toEqual([]);
      await picture(page, 'do');
    },
  );

  verifies(
    ['web.do', 'web.do.inputs'],
    'a function is a form of its inputs, and its tasks are shown before they are added; a blueprint casts its team',
    async () => {
      const { page, own, dialog, tasks, complaints } = await open({ bypassCSP: true });
      await goTo(page, '#/runs/playbooks');
      await page.getByRole('button', { name: 'Start… page', exact: true }).click();
      const feature = dialog.getByRole('textbox', { name: 'Its feature' });
      await feature.waitFor();
      expect(await dialog.getByRole('textbox', { name: 'Goal' }).count()).toBe(0);
      expect(await dialog.getByRole('button', { name: 'Show the tasks' }).isDisabled()).toBe(true);
      await feature.fill('Login');
      await dialog.getByRole('combobox', { name: 'size' }).selectOption('large');
      await dialog.getByRole('textbox', { name: 'pages (from 1 up to 9)' }).fill('12');
      await dialog.getByRole('button', { name: 'Show the tasks' }).click();
      await dialog.getByRole('alert').getByText('pages must be at most 9', { exact: false }).waitFor();
      await dialog.getByRole('textbox', { name: 'pages (from 1 up to 9)' }).fill('2');
      await dialog.getByRole('button', { name: 'Show the tasks' }).click();
      await dialog.getByText('Write the large page of Login').waitFor();
      await copied(
        dialog,
        "troupe func apply page --input 'feature=Login' --input 'size=large' --input 'pages=2'",
      ).waitFor();
      expect(await tasks()).toEqual([]);
      expect(await violationsInBothThemes(page)).toEqual([]);
      for (const size of SIZES) expect(await framed(page, size, 'do-function')).toEqual([]);
      await picture(page, 'do-function');
      await dialog.getByRole('button', { name: 'Add the tasks' }).click();
      const notice = page.locator('.notice');
      await notice.getByText('Added 2 tasks of page.').hover(); // stays while the pointer is on it
      const titles = [...(await own.store.view()).nodes()].map((task) => ('title' in task ? task.title : ''));
      expect(titles).toContain('Write the large page of Login');
      await notice.getByRole('button', { name: 'Undo' }).click();
      await notice.waitFor({ state: 'detached' });
      const states = async () => {
        const view = await own.store.view();
        return [...view.nodes()].map(({ id }) => view.task(id)?.status);
      };
      expect(await states()).toEqual(['abandoned', 'abandoned']);

      await page.getByRole('button', { name: /^Start… .*support/ }).click();
      await dialog.getByRole('button', { name: 'Cast and start' }).waitFor();
      await dialog.getByRole('textbox', { name: 'Goal' }).fill('Answer the open mails');
      await copied(dialog, /^Copy troupe run --blueprint \S*support 'Answer the open mails'$/).waitFor();
      expect(await violationsInBothThemes(page)).toEqual([]);
      await picture(page, 'do-blueprint');
      await dialog.getByRole('button', { name: 'Cast and start' }).click();
      await notice.getByText(/^Cast the team and started /).hover();
      expect((await tasks()).length).toBeGreaterThan(3);
      await notice.getByRole('button', { name: 'Undo' }).click();
      await notice.getByText(/^Closed .*\. The team stays\.$/).waitFor();
      expect(new Set(await states())).toEqual(new Set(['abandoned']));
      expect(complaints.filter((line) => !line.includes('400'))).toEqual([]); // the page of 12 was refused
    },
  );
});

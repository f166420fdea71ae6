import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { RolesInMemory } from '../roles-in-memory.js';
import { verifies } from '../verifies.js';
import {
  copied,
  goTo,
  hasChromium,
  openStage,
  type Stage,
  type VisitOptions,
  violations,
  visit,
  writtenCommands,
} from './browser.js';
import { framed, nameless, picture, SIZES, strayTabs } from './looks.js';
import { manyRoles, SOME_ROLES, withRoles } from './roles.js';
import { OWNER, type World } from './world.js';

describe.skipIf(!hasChromium)('the roles of a team (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  async function openRoles(texts: Parameters<typeof withRoles>[1], options: VisitOptions = {}) {
    let roles: RolesInMemory | undefined;
    const opened = await visit(stage, {
      browser: { bypassCSP: true },
      ...options,
      fill: async (own) => {
        roles = withRoles(own, texts);
        await options.fill?.(own);
      },
    });
    await goTo(opened.page, '#/team/roles');
    return { ...opened, text: (file: string) => roles?.texts.get(`.claude/roles/${file}`) ?? '' };
  }
  const toDecide = (page: Page) => page.getByRole('region', { name: 'For you to decide' });
  const propose = (own: World) =>
    own.call('roles.propose', {
      role: 'qa',
      section: 'charter',
      text: 'Checks every criterion with evidence.',
      why: 'verdicts without evidence came back',
    });

  verifies(
    ['roles.grad.user-gate', 'ui.web.cli'],
    'the page Now says what waits for a person, and where to decide it',
    async () => {
      const { page } = await openRoles(SOME_ROLES, {
        fill: async (own) => {
          await own.call('task.add', { title: 'Any' });
          await propose(own);
        },
      });
      await page.getByRole('link', { name: 'Now', exact: true }).click();
      const roles = page
        .getByRole('region', { name: 'Needs you' })
        .getByRole('link', { name: /decisions about roles/ });
      expect(await roles.innerText()).toMatch(/2 decisions about roles\s+A new charter for qa was proposed by you/);
      await roles.click();
      await toDecide(page).getByRole('article', { name: 'Proposal for qa' }).waitFor();
    },
  );

  verifies(
    ['roles.grad.user-gate', 'roles.grad.candidates', 'ui.web.cli'],
    'a candidate shows its lanes, lines, dates and overlap; the difference comes before the button, and a person graduates',
    async () => {
      const { page, text, complaints } = await openRoles(SOME_ROLES, {
        fill: async (own) => void (await propose(own)),
      });
      const card = toDecide(page).getByRole('article', { name: 'Lesson of skeptic' });
      const evidence = card.getByRole('list', { name: 'Evidence' });
      for (const words of [
        'panel · skeptic',
        'research · verifier',
        '2026-03-04 · 82 % of the words',
        '.claude/roles/panel.md:9',
      ])
        await evidence.getByText(words).waitFor();
      expect(await card.getByRole('button', { name: 'Graduate' }).count()).toBe(0);
      await card.getByRole('button', { name: 'Show the difference for skeptic' }).click();
      const difference = await card
        .getByRole('region', { name: 'What graduating it changes in skeptic' })
        .textContent();
      expect(difference).toMatch(/^- {3}- 2026-03-01 — Judge by the title/m);
      expect(difference).toMatch(/^\+ - \d{4}-\d\d-\d\d — Judge by the title and what is shown, not by the slug\.$/m);
      await copied(card, /^Copy troupe roles graduate c1 --seen [0-9a-f]{16}$/).waitFor();
      expect(await violations(page)).toEqual([]);
      await card.getByRole('button', { name: 'Graduate the lesson of skeptic' }).click();
      await page.getByText('It is now a core lesson of skeptic and was removed from its lanes.').waitFor();
      await card.waitFor({ state: 'detached' });
      expect(text('skeptic.md')).toContain('not by the slug.\n');
      expect(text('panel.md')).not.toContain('slug');

      const proposal = toDecide(page).getByRole('article', { name: 'Proposal for qa' });
      expect(await proposal.getByRole('region', { name: 'Proposed charter of qa' }).textContent()).toContain(
        '- Finds defects and breaches of the contract before release.\n+ Checks every criterion with evidence.\n',
      );
      await copied(proposal, /^Copy troupe roles proposals qa-charter-.* --accept/).waitFor();
      await proposal.getByRole('button', { name: 'Accept charter of qa' }).click();
      await page.getByText('The charter of qa was changed.').waitFor();
      expect(text('qa.md')).toContain('Checks every criterion with evidence.');
      expect(complaints).toEqual([]);
    },
  );

  verifies(
    ['ui.web.keys', 'roles.life.retired'],
    'a role has an address of its own with its lanes, lessons and counts; a row is retired and revived there',
    async () => {
      const { page, text } = await openRoles(SOME_ROLES);
      const lines = page.getByRole('region', { name: 'Roles', exact: true });
      await lines.getByRole('searchbox', { name: 'Search' }).fill('refute');
      await lines.getByText('1 of 5 roles').waitFor();
      await lines.getByRole('searchbox', { name: 'Search' }).fill('');
      await lines.getByLabel('Status').selectOption('retired');
      await lines.getByText('1 of 5 roles').waitFor();
      expect(await lines.getByRole('list', { name: 'Lanes of release-engineer' }).textContent()).toMatch(
        /crew.*retired.*clean 0, thin 0, cuts 3/,
      );
      await lines.getByLabel('Status').selectOption('');
      expect(await strayTabs(page)).toEqual([]);
      await lines.getByLabel('Status').selectOption('retired');
      await page.getByRole('heading', { name: 'Team', level: 1 }).click();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'release-engineer', level: 1 }).waitFor();
      expect(page.url()).toContain('#/team/roles/release-engineer');
      await page.getByRole('button', { name: 'Revive release-engineer in crew' }).click();
      const crew = page.getByRole('region', { name: 'crew: release-engineer' });
      await crew.getByText('Stable after 3 more clean runs.').waitFor();
      expect(text('crew.md')).toContain('### release-engineer\n- status: probationary\n');
      await copied(crew, 'troupe roles retire release-engineer --lane crew').waitFor();
      await page.goBack();
      await page.getByRole('heading', { name: 'Team', level: 1 }).waitFor();
      await goTo(page, '#/team/roles/nobody');
      await page.getByRole('alert').waitFor();
    },
  );

  verifies(
    'roles.grad.user-gate',
    'who may only look sees the difference, and a button that says why not',
    async () => {
      const { page, text } = await openRoles(SOME_ROLES, {
        holder: { ...OWNER, scope: 'observer' },
        fill: async (own) => void (await propose(own)),
      });
      const before = text('skeptic.md');
      const card = toDecide(page).getByRole('article', { name: 'Lesson of skeptic' });
      await card.getByRole('button', { name: 'Show the difference for skeptic' }).click();
      const graduate = card.getByRole('button', { name: 'Graduate the lesson of skeptic' });
      await graduate.waitFor();
      expect(await graduate.isDisabled()).toBe(true);
      expect(await graduate.getAttribute('aria-describedby')).not.toBe(null);
      await card.getByText('This browser is read-only').waitFor();
      for (const name of ['Accept charter of qa', 'Reject charter of qa'])
        expect(await toDecide(page).getByRole('button', { name }).isDisabled()).toBe(true);
      expect(text('skeptic.md')).toBe(before);
    },
  );

  verifies(
    'ui.web.empty',
    'without roles the page says what will be here, and one of the seven can be asked',
    async () => {
      const { page, own, text } = await openRoles([]);
      await page.getByText('No roles yet.').waitFor();
      expect(await page.getByRole('combobox', { name: 'Role' }).locator('option').allTextContents()).toHaveLength(7);
      await copied(page, 'troupe roles as architect TARGET').waitFor();
      await page.getByRole('combobox', { name: 'Role' }).selectOption('debugger');
      await page.getByRole('textbox', { name: 'Target' }).fill('the login test');
      await copied(page, "troupe roles as debugger 'the login test'").waitFor();
      await page.getByRole('button', { name: 'Ask debugger' }).click();
      await page.getByRole('complementary', { name: 'Task' }).getByText('debugger: the login test').waitFor();
      expect(text('debugger.md')).toContain('# debugger');
      expect((await own.store.view()).count('open')).toBe(1);
    },
  );

  verifies(
    ['ui.web.room', 'ui.web.a11y', 'ui.web.perf', 'ui.web.responsive'],
    'five hundred roles fit the frame at three sizes, a hundred at a time; every button has a name',
    async () => {
      const { page } = await openRoles([...manyRoles(496), ...SOME_ROLES.slice(0, 2)], {
        fill: async (own) => void (await propose(own)),
      });
      const lines = page.getByRole('region', { name: 'Roles', exact: true });
      await lines.getByRole('button', { name: 'Show 100 more of 398' }).waitFor();
      const wrong: string[] = [];
      for (const place of ['team/roles', 'team/roles/skeptic', 'team/roles/specialist-for-interfaces-2']) {
        await goTo(page, `#/${place}`);
        await page.locator('.roles h2').first().waitFor();
        for (const size of SIZES) wrong.push(...(await framed(page, size, place)));
        wrong.push(...(await nameless(page)));
        await picture(page, place.replaceAll('/', '-'));
      }
      expect(wrong).toEqual([]);
      expect(await violations(page)).toEqual([]);
    },
  );

  verifies(
    ['web.team', 'web.copy'],
    'one registry: roles of files with their lessons, roles of agents with their scores, and both at once',
    async () => {
      const { page } = await openRoles(SOME_ROLES, {
        fill: async (own) => {
          for (const name of ['QA', 'Programmer'])
            await own.call('role.add', {
              name,
              description: `Works as ${name}`,
              outcome: 'It works',
              skills: ['rust'],
            });
          await own.call('tradeoff.add', {
            name: 'Careful',
            description: 'Slow',
            accept: ['slow'],
            reject: ['careless'],
          });
          await own.call('identity.create', { name: 'Careful QA', role: 'QA', tradeoff: 'Careful' });
          const { agents } = (await own.call('agency.stats', {})) as { agents: { id: string }[] };
          await own.add('check', { title: 'Check it', status: 'done', agent: agents[0]?.id ?? '' });
          await own.call('evaluation.record', { id: 'check', score: 0.8, source: 'ci:unit' });
        },
      });
      const lines = page.getByRole('region', { name: 'Roles', exact: true });
      const line = (name: string) =>
        lines.getByRole('listitem').filter({ has: page.getByRole('link', { name, exact: true }) });
      await line('qa').getByText('0.80 in 1').waitFor();
      await line('qa').getByText('lessons: 2 in lanes').waitFor();
      await line('Programmer').getByText('rust').waitFor();
      await line('skeptic').getByText('lessons: 1 core, 1 solo, 3 in lanes').waitFor();
      expect(await writtenCommands(page)).toEqual([]);
      await copied(page, 'troupe roles show').waitFor();
      await lines.getByRole('link', { name: 'Programmer' }).click();
      const of = page.getByRole('region', { name: 'Of agents' });
      await of.getByText('Works as Programmer').waitFor();
      await of.getByText('none yet').waitFor();
      expect(await violations(page)).toEqual([]);
    },
  );
});

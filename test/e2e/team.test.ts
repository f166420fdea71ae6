import path from 'node:path';
import type { BrowserContextOptions, Page, Request, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { callOperation } from '#operations/call.js';
import { OPERATIONS } from '#operations/table.js';
import { Stage as Casting } from '../operations/team/casting-stage.js';
import { PATIENCE } from '../patience.js';
import { git, write } from '../repository.js';
import { verifies } from '../verifies.js';
import { copied, hasChromium, openStage, type Stage, violationsInBothThemes, visit } from './browser.js';

const OF_THE_TEAM = /^(casting|catalog|team|member|squad)\./;
/** Where pictures of the page go, when somebody wants to look at them. */
const PICTURES = process.env['TROUPE_PICTURES'];

/** A change asks the server, and the list after it. */

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: path.join(PICTURES, `${name}.png`), fullPage: true });
}

describe.skipIf(!hasChromium)('the page Team (needs Chromium: apt-get install chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  /** The page over a real project folder that is a repository. */
  async function openTeam(browser: BrowserContextOptions = {}) {
    const casting = new Casting();
    casting.now = Date.now();
    git(casting.folder, 'init', '--quiet', '--initial-branch=main');
    git(casting.folder, 'config', 'user.name', 'Ann');
    git(casting.folder, 'config', 'user.email', 'ann@example.org');
    const opened = await visit(stage, {
      browser,
      fill: async (own) => {
        const ofTheGraph = own.call;
        own.call = async (name, input) => {
          const spec = OPERATIONS.find((candidate) => candidate.name === name);
          if (spec === undefined || !OF_THE_TEAM.test(name)) return await ofTheGraph(name, input);
          return await callOperation(spec, casting.context(), input);
        };
      },
    });
    await opened.page.getByRole('link', { name: 'Team', exact: true }).click();
    await opened.page.getByRole('heading', { name: 'Propose a team' }).waitFor();
    return { ...opened, casting };
  }
  const proposal = (page: Page) => page.getByRole('region', { name: 'Proposal' });
  /** Who is proposed, and what the page complains of. */
  const proposedNames = async (page: Page) => [
    ...(await proposal(page).locator('.proposed-head h3 strong').allTextContents()),
    ...(await page.getByRole('alert').allTextContents()),
  ];

  /** A change of the proposal. On a busy machine the page may move between press and release; then nothing was clicked, and one clicks again. */
  async function press(page: Page, name: string): Promise<void> {
    const isChange = (request: Request) => request.method() === 'PATCH';
    const sent = page.waitForRequest(isChange, { timeout: 5_000 }).then(
      () => true,
      () => false,
    );
    const button = proposal(page).getByRole('button', { name });
    await button.click();
    if (!(await sent) && (await button.isEnabled({ timeout: 1_000 }).catch(() => false))) await button.click();
  }

  /** Leaves the list of proposals unanswered until the returned function is called. */
  async function holdProposals(page: Page): Promise<() => Promise<void>> {
    const address = /\/casting\/proposals$/;
    const held: Route[] = [];
    await page.route(address, (route) => void held.push(route));
    return async () => {
      await page.unroute(address);
      // The page gives up a request that it held for long.
      for (const route of held) await route.continue().catch(() => undefined);
    };
  }

  verifies(
    ['ui.wizard', 'ui.web.cli'],
    'a goal becomes a proposal with reasons and charters, is changed, confirmed, and committed alone',
    async () => {
      const { page, casting, complaints } = await openTeam();
      await page.getByLabel('Goal', { exact: true }).fill('document our public HTTP interface');
      await page.getByRole('combobox', { name: /^Members/ }).selectOption('3');
      expect(await page.getByLabel('Names from').inputValue()).toBe('');
      await picture(page, 'team-propose');
      await copied(page, "troupe cast propose 'document our public HTTP interface' --size 3").waitFor();
      await page.getByRole('button', { name: 'Propose', exact: true }).click();
      await proposal(page).waitFor();
      expect(casting.files()).toEqual(onlyGit(casting));
      expect(await proposedNames(page)).toHaveLength(3);
      await proposal(page).getByText('Documentation Writer').first().waitFor();
      expect(
        await proposal(page)
          .getByText(/"(document|interface|http|public)"/)
          .count(),
      ).toBeGreaterThan(0);
      expect(await proposal(page).getByRole('list', { name: 'Warnings' }).textContent()).not.toBe('');
      expect(await proposal(page).getByRole('timer').textContent()).toMatch(/holds for (30m|29m \d+s)/);
      // A change is made of what the change before it answered, whenever the list is read again.
      const release = await holdProposals(page);
      await proposal(page).getByLabel('Names from').selectOption('Dune');
      await expect.poll(() => proposedNames(page), PATIENCE).toEqual(['Paul', 'Jessica', 'Duncan']);
      await copied(proposal(page), 'troupe cast amend --universe Dune').waitFor();
      await proposal(page).getByText('Charter of Paul').click();
      await proposal(page).getByRole('region', { name: 'Charter of Paul' }).getByRole('heading').first().waitFor();
      await picture(page, 'team-proposal');
      await press(page, 'Remove Jessica');
      await expect.poll(() => proposedNames(page), PATIENCE).toEqual(['Paul', 'Duncan']);
      await release();
      await copied(proposal(page), 'troupe cast amend --drop Jessica').waitFor();
      await copied(proposal(page), 'troupe cast reject').waitFor();
      await proposal(page).getByRole('button', { name: 'Rename Duncan' }).click();
      await proposal(page).getByLabel('New name for Duncan').selectOption('Gurney');
      await expect.poll(() => proposedNames(page), PATIENCE).toEqual(['Paul', 'Gurney']);
      await copied(proposal(page), "troupe cast amend --name 'Duncan=Gurney'").waitFor();
      expect(await proposal(page).getByRole('group', { name: 'There is already a team' }).count()).toBe(0);
      expect(await proposal(page).getByRole('button', { name: 'Confirm', exact: true }).count()).toBe(1);
      expect(await proposal(page).getByLabel('Leader').inputValue()).toBe('');
      await proposal(page).getByLabel('Leader').selectOption('Gurney');
      await copied(proposal(page), 'troupe cast confirm --intent new --leader Gurney').waitFor();
      await proposal(page).getByRole('button', { name: 'Confirm', exact: true }).click();
      await page.getByText('Confirmed: Paul, Gurney joined the team.').waitFor();
      expect(await casting.call(await verb('team.show'))).toMatchObject({ leader: 'Gurney' });
      await page.getByRole('link', { name: 'Gurney', exact: true }).click();
      await page.getByRole('region', { name: 'Charter of Gurney' }).getByRole('heading').first().waitFor();
      await page.goBack();
      write(casting.folder, { 'other.ts': 'mine\n' });
      git(casting.folder, 'add', 'other.ts');
      const sync = page.getByRole('region', { name: 'Git' });
      await sync.getByText('.squad/team.md').waitFor();
      await sync.getByText('Line by line').click();
      await sync.getByText('+# Squad Team').waitFor();
      await picture(page, 'team-sync');
      await copied(sync, /^Copy troupe squad sync --commit --expect [0-9a-f]{64}/).waitFor();
      await sync.getByLabel('Message').fill('Cast the team');
      await sync.getByRole('button', { name: 'Commit this' }).click();
      await page.getByText(/Committed as [0-9a-f]{10}\./).waitFor();
      expect(git(casting.folder, 'log', '--format=%s').trim()).toBe('Cast the team');
      expect(git(casting.folder, 'diff', '--cached', '--name-only').trim()).toBe('other.ts');
      expect(complaints.filter((line) => !line.includes('409'))).toEqual([]);
    },
  );

  verifies(
    'ui.wizard',
    'of a template what is ticked is proposed; over a team nothing is chosen, and each intent says who retires',
    async () => {
      const { page, casting } = await openTeam();
      await casting.call(await verb('casting.manual'), { archetypes: ['writer', 'editor'], universe: 'Dune' });
      await casting.call(await verb('casting.confirm'));
      await page.getByRole('button', { name: 'Propose changes' }).click();
      await page.getByLabel('From a template').check();
      await page.getByRole('combobox', { name: /^Template/ }).selectOption('quick-software-development');
      // What a template holds is asked for when it is chosen.
      await page.getByRole('checkbox', { checked: true }).nth(4).waitFor();
      expect(await page.getByRole('checkbox', { checked: true }).count()).toBe(5);
      await page.getByLabel('Security Engineer', { exact: true }).uncheck();
      await page.getByLabel('Writer', { exact: true }).check();
      await page.getByLabel('Names from').selectOption('Dune');
      await picture(page, 'team-ticks');
      await page.getByRole('button', { name: 'Propose', exact: true }).click();
      await proposal(page).waitFor();
      const roles = await proposal(page).locator('.proposed-head h3').allTextContents();
      expect(roles).toHaveLength(5);
      expect(roles.join(' ')).toContain('Writer');
      expect(roles.join(' ')).not.toContain('Security');
      const confirm = proposal(page).getByRole('button', { name: 'Confirm', exact: true });
      expect(await confirm.isDisabled()).toBe(true);
      expect(await proposal(page).getByRole('radio', { checked: true }).count()).toBe(0);
      const intents = await proposal(page).locator('.intents label').allTextContents();
      expect(intents.map((text) => text.replaceAll('\n', ' '))).toEqual([
        expect.stringContaining('No one retires.'),
        expect.stringMatching(/Recast.*Paul, Jessica retire\./),
        expect.stringMatching(/new team.*Paul, Jessica retire\./),
      ]);
      await proposal(page).getByRole('radio').nth(1).check();
      await picture(page, 'team-intents');
      await confirm.click();
      await page.getByText(/^Confirmed: /).waitFor();
      const team = (await casting.call(await verb('team.show'))) as { members: { name: string; status: string }[] };
      expect(team.members.filter(({ status }) => status === 'Retired').map(({ name }) => name)).toEqual([
        'Paul',
        'Jessica',
      ]);
    },
  );

  verifies(
    'ui.wizard',
    'what was changed elsewhere, refused or run out is said, and nothing is confirmed',
    async () => {
      const { page, casting } = await openTeam();
      await page.getByLabel('From this project').check();
      await page.getByRole('button', { name: 'Propose', exact: true }).click();
      await proposal(page).waitFor();
      await page.route('**/casting/proposals', (route) => route.abort()); // the page knows nothing of what comes now
      await casting.call(await verb('casting.amend'), { universe: 'Alien' });
      await proposal(page).getByRole('button', { name: 'Confirm', exact: true }).click();
      await proposal(page).getByRole('alert').waitFor();
      expect(casting.files()).toEqual(onlyGit(casting));
      await page.unroute('**/casting/proposals');
      await expect.poll(() => proposedNames(page), PATIENCE).toContain('Ripley');
      await proposal(page).getByRole('button', { name: 'Reject', exact: true }).click();
      await page.getByRole('heading', { name: 'Propose a team' }).waitFor();
      await page.clock.install();
      await page.reload();
      await casting.call(await verb('casting.manual'), { archetypes: ['writer'] });
      await proposal(page).waitFor();
      await page.clock.fastForward(31 * 60_000);
      await proposal(page).getByText('expired: propose again').waitFor();
      expect(await proposal(page).getByRole('button', { name: 'Confirm', exact: true }).isDisabled()).toBe(true);
    },
  );

  verifies(
    ['ui.wizard', 'ui.web.a11y', 'ui.web.responsive'],
    'axe-core finds nothing on any step, light or dark, and 360 pixels cut nothing off',
    async () => {
      const { page, casting } = await openTeam({ colorScheme: 'light', bypassCSP: true });
      expect(await violationsInBothThemes(page)).toEqual([]);
      await page.getByLabel('From a template').check();
      await page.getByRole('combobox', { name: /^Template/ }).selectOption({ index: 2 });
      await page.getByRole('combobox', { name: /^Members/ }).waitFor({ state: 'detached' });
      expect(await violationsInBothThemes(page)).toEqual([]);
      await casting.call(await verb('casting.manual'), { archetypes: ['writer'], universe: 'Dune' });
      await casting.call(await verb('casting.confirm'));
      await casting.call(await verb('casting.scenario'), { scenario: 'quick-software-development' });
      await proposal(page).waitFor({ timeout: 20_000 });
      await page.getByRole('region', { name: /^Members of / }).waitFor({ timeout: 20_000 });
      expect(await violationsInBothThemes(page)).toEqual([]);
      await picture(page, 'team-wide');
      await page.setViewportSize({ width: 360, height: 740 });
      await page.getByText('Line by line').click();
      await page.getByText('+# Squad Team').waitFor();
      const cutOff =
        "(() => { const main = document.querySelector('main'); return main.scrollWidth - main.clientWidth; })()";
      expect(await page.evaluate(cutOff)).toBeLessThanOrEqual(0);
      await picture(page, 'team-narrow');
    },
  );
});

/** An operation of the table, by its name. */
async function verb(name: string) {
  const spec = OPERATIONS.find((candidate) => candidate.name === name);
  if (spec === undefined) throw new Error(`no operation ${name}`);
  return (await spec.load()) as Parameters<Casting['call']>[0];
}

/** The files of git: all that a project has that nobody cast. */
const onlyGit = (casting: Casting) =>
  Object.fromEntries(Object.entries(casting.files()).filter(([name]) => name.startsWith('.git/')));

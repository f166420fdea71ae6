import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { ConfigTree } from '#core/mail/config-tree.js';
import { callOperation } from '#operations/call.js';
import type { OperationName } from '#operations/map.js';
import { specOf } from '#operations/named.js';
import { OPERATIONS, UNLISTED } from '#operations/table.js';
import { seedTree } from '../core/mail/tree.js';
import { NO_TREE } from '../no-teams.js';
import { TeamStage } from '../operations/teamwork/team-stage.js';
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
import { framed, nameless, picture, SIZES } from './looks.js';

const OF_TEAMS = /^(?:team|artifact|roster|member)\.|^msg\.search$|^task\.(?:submit|review)$/;

/** The page over teams of a project of its own. */
async function openChat(
  stage: Stage,
  fill: (crew: TeamStage) => Promise<void> = async () => undefined,
  tree: ConfigTree | undefined = undefined,
) {
  const crew = new TeamStage();
  crew.now = Date.now();
  crew.person('ann');
  if (tree) crew.roster = { ...NO_TREE, tree: async () => tree };
  await fill(crew);
  const opened = await visit(stage, {
    browser: { bypassCSP: true },
    fill: async (own) => {
      const ofTheGraph = own.call;
      own.call = async (name, input) => {
        const spec = [...OPERATIONS, ...UNLISTED].find((candidate) => candidate.name === name);
        if (spec === undefined || !OF_TEAMS.test(name)) return await ofTheGraph(name, input);
        return await callOperation(spec, crew.context(), input);
      };
    },
  });
  await goTo(opened.page, '#/team/chat');
  return { ...opened, crew };
}

const ask = (crew: TeamStage, name: OperationName, input: object) => callOperation(specOf(name), crew.context(), input);

describe.skipIf(!hasChromium)('a team in the browser (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  verifies(
    'team.chat',
    'three panels: who is on the team; what is said, with who and when; tasks and artifacts with a verdict',
    async () => {
      const { page, crew } = await openChat(stage, async (team) => {
        await team.crew();
        await ask(team, 'team.task', { team: 'crew', title: 'Seal the door', to: 'Hicks' });
        await team.begin('seal-the-door', 'agent-1');
        const artifact = { content: '# Sealed\n', title: 'seal.md', content_type: 'text/markdown' };
        await ask(team, 'task.submit', { id: 'seal-the-door', ...artifact });
        team.person('ann');
      });
      const members = page.getByRole('region', { name: 'Team', exact: true });
      for (const name of ['Ripley', 'Hicks', 'Newt']) await members.getByText(name).waitFor();
      const talk = page.getByRole('region', { name: 'Conversation' });
      await talk.getByRole('textbox', { name: 'Write to the team' }).fill('Fix the <b>airlock</b>');
      await copied(talk, "troupe team say crew 'Fix the <b>airlock</b>'").waitFor();
      await talk.getByRole('button', { name: 'Send', exact: true }).click();
      const messages = talk.getByRole('region', { name: 'Messages' });
      await messages.getByText('Fix the <b>airlock</b>').waitFor();
      await messages.getByText('ann', { exact: true }).waitFor();
      await page.getByRole('region', { name: 'Plan' }).getByText('The leader is planning.').waitFor();
      await page.getByRole('region', { name: 'Artifacts' }).getByRole('link', { name: 'seal.md' }).waitFor();
      const tasks = page.getByRole('region', { name: 'Tasks' });
      await tasks.getByText('needs review').waitFor();
      await picture(page, 'chat');
      expect(await violations(page)).toEqual([]);
      for (const [width, height] of [
        [1440, 900],
        [1024, 768],
        [390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        const beyond =
          '[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]';
        expect(await page.evaluate(beyond), `${width}`).toEqual([0, 0]);
      }
      await tasks.getByRole('textbox', { name: 'Feedback' }).fill('Handle vacuum');
      await tasks.getByRole('button', { name: 'Reject', exact: true }).click();
      await tasks.getByText(/rejected 1× · Handle vacuum/).waitFor();
      expect(await crew.task('seal-the-door')).toMatchObject({ status: 'open', member: 'hicks' });
    },
  );

  verifies(
    ['web.pages', 'web.proof'],
    'artifacts of the teams are read in place; the page fits each size, in both themes',
    async () => {
      const { page, complaints } = await openChat(stage, async (team) => {
        await team.crew();
        const rules = '# Rules\n\n- Doors open inwards.\n- `seal --now` closes **all** of them.\n';
        await ask(team, 'artifact.put', { team: 'crew', content: rules, name: 'rules.md' });
        const log = `${'2026-03-01T10:00:00Z the door of deck 4 was sealed by Hicks; '.repeat(4)}\n`.repeat(3);
        await ask(team, 'artifact.put', { team: 'crew', content: log, name: 'doors.log', content_type: 'text/plain' });
        await ask(team, 'team.create', { name: 'Bridge', leader: 'Dallas' });
      });
      await goTo(page, '#/team/artifacts');
      await page.getByRole('region', { name: 'Bridge' }).getByText('Nothing handed in yet.').waitFor();
      const crew = page.getByRole('region', { name: 'crew' });
      await crew.getByText('rules.md').click();
      await crew.getByText('Doors open inwards.').waitFor();
      await crew.getByText('doors.log').click();
      await crew.getByText('the door of deck 4', { exact: false }).waitFor();
      const wrong = await violationsInBothThemes(page);
      for (const size of SIZES) wrong.push(...(await framed(page, size, 'artifacts')));
      wrong.push(...(await nameless(page)));
      await picture(page, 'artifacts');
      expect(wrong).toEqual([]);
      expect(complaints).toEqual([]);
    },
  );

  verifies(
    ['team.chat', 'web.talk'],
    'which team one talks to is a list, has an address, and is remembered',
    async () => {
      const { page } = await openChat(stage, async (team) => {
        await team.crew();
        await ask(team, 'team.create', { name: 'Bridge', leader: 'Dallas' });
      });
      const members = page.getByRole('region', { name: 'Team', exact: true });
      const title = (name: string) => members.getByRole('heading', { name, exact: true }).waitFor();
      for (const name of ['Bridge', 'crew', 'Bridge']) {
        await members.getByLabel('Change team').selectOption(name);
        await title(name);
        expect(page.url()).toMatch(new RegExp(`#/team/chat/${name}$`));
      }
      await goTo(page, '#/team/chat');
      await page.reload();
      await title('Bridge');
    },
  );

  verifies(
    ['team.chat', 'web.talk', 'web.pages'],
    'without a team in use the page opens on the one that spoke last, and complains of nothing',
    async () => {
      const { page, complaints } = await openChat(stage, async (team) => {
        await ask(team, 'casting.manual', { archetypes: ['writer', 'editor'], universe: 'Dune' });
        await ask(team, 'casting.confirm', {});
        await team.crew();
        team.now += 1_000;
        await ask(team, 'team.create', { name: 'Bridge', leader: 'Dallas' });
        team.now += 1_000;
        await ask(team, 'team.say', { team: 'crew', text: 'Fix the airlock' });
      });
      const members = page.getByRole('region', { name: 'Team', exact: true });
      await members.getByRole('heading', { name: 'crew', exact: true }).waitFor();
      await members.getByLabel('Change team').selectOption('Bridge');
      await members.getByRole('heading', { name: 'Bridge', exact: true }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill('fix airlock');
      await page.getByRole('option', { name: /Fix the airlock/ }).click();
      await members.getByRole('heading', { name: 'crew', exact: true }).waitFor();
      await page.locator('.said.is-asked', { hasText: 'Fix the airlock' }).waitFor();
      expect(page.url()).toMatch(/#\/team\/chat\/crew\?at=1$/);
      await picture(page, 'chat-found');
      await page.getByRole('link', { name: 'To the latest messages' }).click();
      await page.locator('.said.is-asked').waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
    },
  );

  verifies(
    ['roster.one-source', 'web.team'],
    'the organisation of the configuration is a chart of who leads whom',
    async () => {
      const { page } = await openChat(stage, undefined, seedTree());
      await goTo(page, '#/team/roster');
      const chart = page.getByRole('region', { name: 'Who leads whom' });
      for (const [lead, member] of [
        ['teaparty-lead', 'coding-lead'],
        ['coding-lead', 'developer'],
      ] as const)
        await chart.locator('li', { hasText: lead }).last().locator('li', { hasText: member }).first().waitFor();
      await copied(page, /^Copy troupe roster show/).waitFor();
      expect(await violations(page)).toEqual([]);
    },
  );

  verifies(
    ['ui.web.empty', 'web.talk', 'web.copy'],
    'without a team the page says what will be here and what begins it, in a few lines, and complains of nothing',
    async () => {
      const { page, complaints } = await openChat(stage);
      const words = page.getByText('No team yet.');
      await words.waitFor();
      await copied(page, /^Copy troupe team create/).waitFor();
      expect((await page.locator('.empty-page').boundingBox())?.height).toBeLessThan(200);
      await picture(page, 'chat-empty');
      await page.setViewportSize({ width: 1440, height: 900 });
      await page.getByRole('link', { name: 'Cast a team for this project' }).click();
      await page.getByRole('tabpanel', { name: 'Members' }).waitFor();
      expect(complaints).toEqual([]);
    },
  );
});

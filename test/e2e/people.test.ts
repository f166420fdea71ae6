import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { EventDraft } from '#core/graph/event.js';
import { callOperation } from '#operations/call.js';
import type { OperationName } from '#operations/map.js';
import { specOf } from '#operations/named.js';
import { OPERATIONS } from '#operations/table.js';
import { TeamStage } from '../operations/teamwork/team-stage.js';
import { PATIENCE } from '../patience.js';
import { verifies } from '../verifies.js';
import {
  copied,
  goTo,
  hasChromium,
  openStage,
  type Stage,
  type VisitOptions,
  violationsInBothThemes,
  visit,
  writtenCommands,
} from './browser.js';
import { framed, nameless, picture, SIZES } from './looks.js';
import { OWNER, type World } from './world.js';

const OF_THE_TEAM = /^(?:casting|catalog|team|member|squad|memory|artifact|roster)\./;

/** A cast team that has worked for a while, and a crew beside it. */
async function livelyTeam(own: World, crew: TeamStage): Promise<void> {
  crew.store = own.store;
  crew.now = Date.now();
  const ask = (name: OperationName, input: object) => callOperation(specOf(name), crew.context(), input);
  const roles = ['lead-architect', 'backend-engineer', 'qa-engineer', 'writer'];
  await ask('casting.manual', { archetypes: roles, universe: 'The Matrix' });
  await ask('casting.confirm', {});
  await crew.crew();
  for (const lesson of ['The tests need Node 20.', 'A retry of a payment needs the key of the first request.'])
    await ask('memory.add', { agent: 'Trinity', content: lesson });
  const ago = (seconds: number) => new Date(own.clock.now() - seconds * 1_000).toISOString();
  const log = (...events: EventDraft[]) => own.store.commit(() => ({ events, result: undefined }));
  const ended = async (id: string, title: string, member: string, status: string, seconds: number, usd: number) => {
    const run = `agent-${seconds}`;
    await own.add(id, { title, member, status, fence: 1, completed_at: ago(seconds), started_at: ago(seconds + 90) });
    const outcome = status === 'failed' ? 'failed' : 'done';
    const detail = { run, outcome, usage: { input_tokens: 21_000, output_tokens: 900, cost_usd: usd } };
    await log({ op: 'spawn_agent', task_id: id, actor: run, detail: { run, executor: 'claude' }, patch: [] });
    await log({ op: 'agent_complete', task_id: id, actor: 'coordinator', detail, patch: [] });
  };
  await ended('prices', 'Prices by season', 'Trinity', 'done', 900, 0.12);
  await ended('retry', 'Retry payments with a key', 'Trinity', 'pending-validation', 300, 0.31);
  await ended('login', 'Fix the failing login', 'Trinity', 'failed', 700, 0.08);
  await ended('rules', 'Test the booking rules', 'Morpheus', 'done', 500, 0.05);
  for (const [id, title, member, run] of [
    ['tokenizer', 'A long refactoring of the tokenizer', 'Trinity', 'agent-30'],
    ['codes', 'Review: API error codes', 'Neo', 'agent-31'],
    ['guide', 'Seal the airlock', 'Hicks', 'agent-32'],
  ] as const) {
    own.atWork.add(run);
    await own.add(id, { title, member, status: 'in-progress', assigned: run, fence: 1, started_at: ago(200) });
  }
  for (const title of ['Seat map endpoint', 'Deploy to staging'])
    await own.add(title.toLowerCase().replaceAll(' ', '-'), { title, member: 'Trinity' });
}

describe.skipIf(!hasChromium)('members and talk in the browser (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  async function openMembers(fill = livelyTeam) {
    const crew = new TeamStage();
    crew.person('ann');
    const opened = await visit(stage, {
      browser: { colorScheme: 'light', bypassCSP: true },
      fill: async (own) => {
        await fill(own, crew);
        const ofTheGraph = own.call;
        own.call = async (name, input) => {
          const spec = OPERATIONS.find((candidate) => candidate.name === name);
          if (spec === undefined || !OF_THE_TEAM.test(name)) return await ofTheGraph(name, input);
          return await callOperation(spec, crew.context(), input);
        };
      },
    });
    await goTo(opened.page, '#/team/members');
    return { ...opened, crew };
  }

  verifies(
    ['web.team', 'web.copy'],
    'members with what they do now, results, scores, lessons and cost; one of them with charter, tools and attempts',
    async () => {
      const { page, complaints } = await openMembers();
      const cast = page.getByRole('table', { name: /^Members of project/ });
      const row = cast.getByRole('row').filter({ hasText: 'Trinity' });
      await row.getByText('A long refactoring of the tokenizer').waitFor();
      await row.getByText('Backend Engineer').waitFor();
      expect(await row.getByRole('link', { name: /^(?:done|failed|pending-validation): / }).count()).toBe(3);
      await row.getByText('$0.51').waitFor();
      await row.getByText('2 tasks ahead').waitFor();
      await page.getByRole('table', { name: 'Members of crew' }).getByText('Seal the airlock').waitFor();
      await page.getByText('4 built in').waitFor();
      await copied(page, 'troupe member list').waitFor();
      expect(await writtenCommands(page)).toEqual([]);
      expect(await violationsInBothThemes(page)).toEqual([]);
      const wrong: string[] = [];
      for (const size of SIZES) wrong.push(...(await framed(page, size, 'members')));
      await picture(page, 'members');
      await page.setViewportSize({ width: 1440, height: 900 });
      await row.getByRole('link', { name: 'Trinity' }).click();
      await page.getByRole('heading', { name: 'Trinity', level: 1 }).waitFor();
      const charter = page.getByRole('region', { name: 'Charter of Trinity' });
      await charter.getByRole('heading', { name: 'What I must not do' }).waitFor();
      expect(await charter.textContent()).not.toContain('##');
      await page.getByText('reads and changes files, runs commands').waitFor();
      const attempts = page.getByRole('table', { name: 'Attempts' });
      expect(await attempts.getByRole('row').count()).toBe(4);
      await attempts.getByRole('row').filter({ hasText: 'Fix the failing login' }).getByText('failed').waitFor();
      await page.getByRole('region', { name: 'Lessons' }).getByText('The tests need Node 20.').waitFor();
      expect(await violationsInBothThemes(page)).toEqual([]);
      for (const size of SIZES) wrong.push(...(await framed(page, size, 'a member')));
      wrong.push(...(await nameless(page)));
      await picture(page, 'member');
      expect(wrong).toEqual([]);
      await attempts.getByRole('link', { name: 'Fix the failing login' }).click();
      await page
        .getByRole('complementary', { name: 'Task' })
        .getByRole('heading', { name: 'Fix the failing login' })
        .waitFor();
      expect(page.url()).toContain('#/team/members/Trinity?task=login');
      expect(complaints.filter((line) => !/409|422/.test(line))).toEqual([]); // its folder is no repository
    },
  );

  verifies('web.team', 'the roster is a chart: the leader of each team, and whom it leads', async () => {
    const { page } = await openMembers();
    await goTo(page, '#/team/roster');
    const chart = page.getByRole('region', { name: 'Who leads whom in crew' });
    const lead = chart.locator('li', { hasText: 'Ripley' });
    for (const name of ['Hicks', 'Bishop', 'Newt']) await lead.getByRole('link', { name }).waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    const wrong: string[] = [];
    for (const size of SIZES) wrong.push(...(await framed(page, size, 'roster')));
    expect(wrong).toEqual([]);
    await picture(page, 'roster');
    await chart.getByRole('link', { name: 'Hicks' }).click();
    await page.getByRole('heading', { name: 'Hicks', level: 1 }).waitFor();
    await page.getByText('Seal the airlock').waitFor();
  });

  verifies('ui.web.empty', 'without members the pages say what will be here', async () => {
    const { page, complaints } = await openMembers(async () => undefined);
    await page.getByText('No members yet.').waitFor();
    await page.getByRole('heading', { name: 'Propose a team' }).waitFor();
    await goTo(page, '#/team/roster');
    await page.getByText('Who leads whom will appear here').waitFor();
    expect(complaints).toEqual([]);
  });

  const openTask = async (id: string, fill: NonNullable<VisitOptions['fill']>, options: VisitOptions = {}) => {
    const opened = await visit(stage, { browser: { colorScheme: 'light', bypassCSP: true }, ...options, fill });
    await goTo(opened.page, `#/now?task=${id}`);
    const drawer = opened.page.getByRole('complementary', { name: 'Task' });
    return { ...opened, drawer, talk: drawer.getByRole('region', { name: 'Messages' }) };
  };
  const running = async (own: World) => {
    own.atWork.add('agent-7');
    await own.add('parse', {
      ...{ title: 'Write the parser', status: 'in-progress', assigned: 'agent-7', fence: 1 },
      started_at: new Date(own.clock.now() - 60_000).toISOString(),
    });
  };

  verifies(
    ['web.talk', 'web.copy', 'web.pages'],
    'one writes to a run from its task, sees whether it was read, and what came back',
    async () => {
      const { page, own, talk, complaints } = await openTask('parse', running);
      await talk.getByText('Its run reads this with its next report.').waitFor();
      await talk.getByRole('textbox', { name: 'Message' }).fill('Mind <b>empty</b> input.');
      await copied(talk, "troupe msg send parse 'Mind <b>empty</b> input.'").waitFor();
      await talk.getByRole('button', { name: 'Send', exact: true }).click();
      await talk.getByText('Mind <b>empty</b> input.').waitFor();
      await talk.getByText('not read yet').waitFor();
      const caller = { kind: 'run', name: 'agent-7', taskId: 'parse', fence: 1 } as const;
      const asRun = { ...own.context, caller };
      const heard = await callOperation(specOf('task.log'), asRun, { id: 'parse', message: 'half of it' });
      expect(heard).toMatchObject({ messages: [{ from: 'you', text: 'Mind <b>empty</b> input.' }] });
      await talk.getByText('read', { exact: true }).waitFor();
      await callOperation(
        specOf('msg.send'),
        { ...asRun, request: { requestId: 'answered' } },
        { id: 'parse', text: 'Empty input is an error now.' },
      );
      await talk.getByText('Empty input is an error now.').waitFor();
      await expect
        .poll(async () => ((await own.call('msg.list', { id: 'parse' })) as { unread: number }).unread, PATIENCE)
        .toBe(0);
      expect(await violationsInBothThemes(page)).toEqual([]);
      await picture(page, 'talk');
      await goTo(page, '#/now');
      await talk.waitFor({ state: 'detached' });
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill('empty input');
      await page.getByRole('option', { name: /^agent-7: Empty input is an error now\./ }).waitFor();
      expect(await violationsInBothThemes(page)).toEqual([]);
      await picture(page, 'palette-messages');
      await page.getByRole('option', { name: /^you: Mind/ }).click();
      await talk.getByText('Empty input is an error now.').waitFor();
      expect(complaints.filter((line) => !line.includes('422'))).toEqual([]); // its folder is no repository
    },
  );

  verifies('web.talk', 'the older messages of a task are one click away, and stay when a new one comes', async () => {
    const note = ({ context }: World, number: number) => {
      const request = { requestId: `note-${number}` };
      return callOperation(specOf('msg.send'), { ...context, request }, { id: 'parse', text: `note ${number}` });
    };
    const { page, own, talk } = await openTask('parse', async (world) => {
      await running(world);
      for (let number = 1; number <= 60; number += 1) await note(world, number);
    });
    await talk.getByText('note 60', { exact: true }).waitFor();
    expect(await talk.getByRole('listitem').count()).toBe(50);
    await talk.scrollIntoViewIfNeeded();
    await picture(page, 'talk-long');
    await talk.getByRole('button', { name: 'Show 10 older of 10' }).click();
    await talk.getByText('note 1', { exact: true }).waitFor();
    await note(own, 61);
    await talk.getByText('note 61', { exact: true }).waitFor();
    expect(await talk.getByRole('listitem').count()).toBe(61);
    expect(await talk.getByRole('button', { name: /older/ }).count()).toBe(0);
  });

  verifies('web.talk', 'a question of a run is answered from its task, and the task goes on', async () => {
    const { page, own, talk } = await openTask('grammar', async (world) => {
      await world.add('grammar', {
        ...{
          title: 'Importer design',
          status: 'waiting',
          fence: 1,
          checkpoint: 'Which grammar: RFC 4180, or another?',
        },
        wait_condition: {
          ...{ mode: 'all', since: new Date(world.clock.now()).toISOString() },
          conditions: [{ type: 'human-input' }],
        },
      });
    });
    await talk.getByRole('heading', { name: 'It asks you' }).waitFor();
    await talk.getByText('Which grammar: RFC 4180, or another?').waitFor();
    await picture(page, 'asked');
    await page.setViewportSize({ width: 390, height: 844 });
    await talk.getByRole('textbox', { name: 'Your answer' }).fill('RFC 4180.');
    await copied(talk, "troupe answer grammar 'RFC 4180.'").waitFor();
    await talk.getByRole('button', { name: 'Answer', exact: true }).click();
    await talk.getByRole('heading', { name: 'It asks you' }).waitFor({ state: 'detached' });
    await talk.getByText('RFC 4180.').waitFor();
    expect((await own.store.view()).task('grammar')?.status).toBe('open');
  });

  verifies('web.talk', 'who may only look reads, and has no box', async () => {
    const { talk, own } = await openTask(
      'parse',
      async (world) => {
        await running(world);
        await world.call('msg.send', { id: 'parse', text: 'Mind empty input.' });
      },
      { holder: { ...OWNER, scope: 'observer' } },
    );
    await talk.getByText('Mind empty input.').waitFor();
    expect(await talk.getByRole('textbox').count()).toBe(0);
    expect((await own.store.view()).task('parse')?.status).toBe('in-progress');
  });
});

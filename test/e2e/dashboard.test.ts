import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mass } from '../mass.js';
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
import { sampleReview } from './sample.js';
import type { World } from './world.js';

const toGraph = async (page: Page) => {
  await goTo(page, '#/tasks/graph');
  await page.locator('.react-flow__node').first().waitFor();
};
/** The page itself, below the name of its place. */
const shown = (page: Page, place: string) =>
  page.locator(`.page-${/^\w+/.exec(place)?.[0]} :is(.place-panel > :not(.skeleton), h1:not(.place-name))`).first();
const taskNode = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
const drawer = (page: Page) => page.getByRole('complementary', { name: 'Task' });

/** The narrowest window of each layout: one pixel less, and another rule of the style sheets holds. */
const TIGHTEST = [320, 360, 421, 721, 901, 961, 1081];
const WIDTHS = [...TIGHTEST, ...Array.from({ length: mass(0, 71) }, (_, step) => 320 + 16 * step)];
const PAGES = [
  'now',
  'tasks/board',
  'tasks/table',
  'tasks/graph',
  'runs',
  'team',
  'team/chat',
  'team/roles',
  'team/scores',
  'machines',
] as const;
/** A desk, a telephone, and what lies between. */
const WINDOWS = [
  [1440, 900],
  [390, 844],
  [1024, 768],
] as const;

describe.skipIf(!hasChromium)('dashboard (needs Chromium: apt-get install chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  verifies(
    'ui.web.cli',
    'what waits for a person: a verdict with its reason and its command, problems, what was used',
    async () => {
      const { page, own } = await visit(stage, {
        browser: { bypassCSP: true },
        fill: async (world) => {
          await world.add('parse', {
            title: 'Write the parser',
            status: 'pending-validation',
            verify: 'read it',
            fence: 2,
            token_usage: { input_tokens: 12_000, output_tokens: 400, cost_usd: 0.42 },
            cycle_config: { max_iterations: 3 },
            loop_iteration: 1,
          });
          await world.add('asks', {
            title: 'Which licence?',
            status: 'waiting',
            wait_condition: { mode: 'all', since: '2026-03-01T09:00:00Z', conditions: [{ type: 'human-input' }] },
          });
          await world.add('build', { title: 'Build', exec: 'make' });
          const usage = { input_tokens: 12_000, output_tokens: 400, cost_usd: 0.42 };
          const end = {
            op: 'agent_complete',
            task_id: 'parse',
            actor: 'coordinator',
            detail: { run: 'agent-1', usage },
            patch: [],
          };
          await world.store.commit(() => ({ events: [end], result: undefined }));
        },
      });
      const needsYou = page.getByRole('region', { name: 'Needs you' });
      await needsYou.getByText('Which licence?').waitFor();
      await copied(needsYou, "troupe answer asks '…'").waitFor();
      await copied(needsYou, 'troupe service start').waitFor();
      expect(await needsYou.textContent()).toContain('No service is running, and 1 ready task could run');
      expect(await page.getByRole('region', { name: 'Spend' }).textContent()).toContain('$0.42');
      await page.getByRole('link', { name: /^Write the parser/ }).click();
      const facts = drawer(page);
      await facts.getByText('iteration 1 of 3').waitFor();
      expect(await facts.textContent()).toContain('12.4k tokens, $0.42');
      expect(await violations(page)).toEqual([]);
      expect(await facts.getByRole('button', { name: 'Reject', exact: true }).isDisabled()).toBe(true);
      await copied(facts, 'troupe approve parse').waitFor();
      await facts.getByRole('textbox', { name: 'Reason' }).fill("The errors' lines are missing");
      for (const verb of ['approve', 'reject'])
        await copied(facts, `troupe ${verb} parse --reason 'The errors'\\'' lines are missing'`).waitFor();
      await facts.getByRole('textbox', { name: 'Reason' }).fill('The errors have no lines');
      await facts.getByRole('button', { name: 'Reject', exact: true }).click();
      await facts.getByRole('region', { name: 'Verdict' }).waitFor({ state: 'detached' });
      expect((await own.store.view()).task('parse')).toMatchObject({
        status: 'open',
        failure_reason: 'The errors have no lines',
      });
    },
  );

  verifies(
    ['hold.provider', 'hold.missing'],
    'a client that cannot be started, and one whose key is refused, are one line each with the command that helps',
    async () => {
      const fill = async (own: World, standing: Parameters<World['coordinate']>[0]) => {
        for (const id of ['parse', 'print']) await own.add(id, { title: `Write ${id}` });
        own.coordinate(standing);
      };
      const missing = 'The program of claude is not on the PATH. Install it with `npm i -g claude`.';
      const { page } = await visit(stage, {
        browser: { bypassCSP: true },
        fill: (own) => fill(own, { missing: { text: missing, command: 'troupe executor list' }, holds: [] }),
      });
      const clients = page.getByRole('region', { name: 'Clients', exact: true });
      await clients.getByText('2 tasks cannot start without a client: The program of claude').waitFor();
      await copied(clients, 'troupe executor list').waitFor();
      expect(await page.getByRole('button', { name: 'Copy troupe executor list' }).count()).toBe(1);
      expect(await violations(page)).toEqual([]);

      const { page: other, own } = await visit(stage, {
        fill: (world) => {
          const [since, until] = [world.clock.now() - 60_000, world.clock.now() + 60_000];
          const hold = {
            client: 'claude',
            trouble: 'key-refused',
            since,
            until,
            pauseMs: 120_000,
            run: 'agent-1',
          } as const;
          return fill(world, { executor: 'claude', holds: [hold] });
        },
      });
      const since = new Date(own.clock.now() - 60_000).toISOString().slice(11, 16);
      const line = other.getByRole('region', { name: 'Clients', exact: true });
      await line.getByText(`claude: the key is refused since ${since} UTC; 2 tasks wait`).waitFor();
      await copied(line, 'troupe service reload').waitFor();
      const next = other.getByRole('region', { name: 'Next', exact: true });
      expect(await next.getByText(`waits for claude: the key is refused since ${since} UTC`).count()).toBe(2);
      for (const one of [page, other]) {
        await one.setViewportSize({ width: 360, height: 740 });
        expect(await one.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      }
    },
  );

  verifies(
    'ui.web.room',
    'no width between those of a telephone and a desk cuts anything off at the side',
    async () => {
      const { page } = await visit(stage, { fill: sampleReview });
      await page.getByText('Run the unit tests').waitFor();
      const wide: string[] = [];
      for (const place of [...PAGES, 'now?task=tests']) {
        await goTo(page, `#/${place}`);
        await shown(page, place).waitFor();
        for (const width of WIDTHS) {
          await page.setViewportSize({ width, height: 800 });
          const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          if (beyond !== 0) wide.push(`${place} at ${width}: ${beyond}`);
        }
      }
      expect(wide).toEqual([]);
    },
  );

  verifies('ui.web.room', 'no page is larger than its frame, whatever it shows and in whichever window', async () => {
    const { page } = await visit(stage, {
      fill: async (world) => {
        for (let number = 0; number < 120; number++) {
          const status = (['failed', 'waiting', 'open', 'done'] as const)[number % 4] ?? 'open';
          await world.add(`task-${number}`, { title: `Number ${number} `.repeat(6), status, exec: 'make' });
        }
      },
    });
    const seen: string[] = [];
    for (const [width, height] of WINDOWS.slice(0, mass(2, 3))) {
      await page.setViewportSize({ width, height });
      for (const place of [
        'now',
        'tasks/graph',
        'tasks/board',
        'tasks/table',
        'team',
        'now?task=task-1',
        'tasks?task=task-0',
      ]) {
        await goTo(page, `#/${place}`);
        await shown(page, place).waitFor();
        const part = { 'tasks/graph': '.react-flow__node', 'tasks/table': '.task-body tr', 'tasks/board': '.card' }[
          place
        ];
        if (part !== undefined) await page.locator(part).first().waitFor();
        if (place.includes('task=')) await drawer(page).getByRole('heading').first().waitFor();
        const frame = await page.evaluate(
          '[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]',
        );
        seen.push(`${place} ${width}x${height}: ${frame}`);
      }
    }
    expect(seen.filter((row) => !row.endsWith(': 0,0'))).toEqual([]);
  });

  verifies('ui.web.room', 'a page that is open goes on by itself when the service is started again', async () => {
    const { page, own, restart, requests } = await visit(stage, { fill: sampleReview });
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    const logins = () => requests.filter((url) => url.endsWith('/api/session')).length;
    await restart(async () => {
      await page.getByText('Not live.').waitFor();
      await own.add('meanwhile', { title: 'Came while it was down', status: 'failed', failure_reason: 'no luck' });
    });
    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.getByRole('link', { name: /Came while it was down/ }).waitFor();
    await page.getByText('Not live.').waitFor({ state: 'detached' });
    expect(logins()).toBe(1);
  });

  verifies(
    'ui.web.room',
    'search and states are asked of the server; what is not held by the page is found',
    async () => {
      const { page, own, requests } = await visit(stage, { fill: sampleReview });
      await toGraph(page);
      // The page holds a picture that is older than this.
      await page.route('**/api/graph/boxes', (route) => route.abort());
      await own.add('hidden', { title: 'Hidden from the page', status: 'failed', failure_reason: 'no luck' });
      await page.keyboard.press('/');
      await page.getByRole('combobox', { name: 'Search' }).fill('hidden from');
      await page.getByRole('option', { name: /Hidden from the page/ }).click();
      await drawer(page).getByRole('heading', { name: 'Hidden from the page' }).waitFor();
      await page.getByRole('button', { name: /^State/ }).click();
      await page.getByRole('menuitemcheckbox', { name: 'failed' }).click();
      await taskNode(page, 'hidden').waitFor();
      await taskNode(page, 'report').waitFor({ state: 'detached' });
      expect(page.url()).toContain('#/tasks/graph?state=failed&task=hidden');
      expect(requests.some((url) => url.includes('/api/graph/picture?search=hidden'))).toBe(true);
    },
  );

  verifies('sec.token', 'the printed address logs in once and leaves no secret behind', async () => {
    const { page, complaints, requests, server } = await visit(stage, { fill: sampleReview });
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    expect(page.url()).toBe(`${server.address}/#/now`);
    expect(await page.evaluate('document.cookie')).toBe('');
    const [cookie] = await page.context().cookies(`${server.address}/api`);
    expect(cookie).toMatchObject({ name: `troupe_session_${server.port}`, httpOnly: true, sameSite: 'Strict' });
    expect(requests.every((url) => url.startsWith(`${server.address}/`) && !url.includes('code='))).toBe(true);
    await page.reload();
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    expect(complaints).toEqual([]);
    // Without a session one is told how to get in.
    await page.context().clearCookies();
    await page.goto(`${server.address}/#code=used`); // a page that is open already loads itself again
    await page.getByRole('heading', { name: 'This page needs a new link' }).waitFor();
    await page.getByRole('button', { name: 'Copy troupe dashboard' }).waitFor();
  });

  verifies('ui.status.why', 'Now answers what needs you, what runs and what comes next, with the reasons', async () => {
    const { page } = await visit(stage, { fill: sampleReview });
    const section = (name: string) => page.getByRole('region', { name, exact: true });
    await section('Needs you').waitFor();
    expect(await section('Needs you').getByRole('link').allInnerTexts()).toEqual([
      expect.stringContaining('needs review'),
      'Review',
      expect.stringContaining('exit code 1: 3 links lead nowhere'),
    ]);
    const running = await section('Running').getByRole('link').allInnerTexts();
    expect(running).toHaveLength(3);
    expect(running[0]).toMatch(/Run the unit tests\s+Trinity\s+running 2m 1\ds/);
    const later = (await section('Not ready yet').getByRole('link').allInnerTexts()).join('\n');
    expect(later).toContain('waits for digest-checks');
    const titles = ['Sum up the checks', 'Write the report', 'Accept the report'];
    expect([...titles].sort((left, right) => later.indexOf(left) - later.indexOf(right))).toEqual(titles);
    await page.getByText('3/4 agents').waitFor();
  });

  test('Graph draws layers left to right, and a click opens the task with its output and its command', async () => {
    const { page } = await visit(stage, { fill: sampleReview });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await toGraph(page);
    await expect.poll(() => page.locator('.react-flow__node').count(), PATIENCE).toBe(20);
    const left = async (id: string) => (await taskNode(page, id).boundingBox())?.x ?? 0;
    const places = await Promise.all(['scan', 'plan', 'lint', 'digest-checks', 'report', 'gate'].map(left));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(await left('lint')).toBe(await left('secrets'));
    await taskNode(page, 'unit-tests').click();
    await drawer(page).getByText('test/adapters/store/files.test.ts 8/24').waitFor();
    expect(await drawer(page).getByText('\\u{1b}').count()).toBe(0);
    await drawer(page).getByRole('button', { name: 'Copy troupe show unit-tests' }).click();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('troupe show unit-tests');
    await drawer(page).getByRole('link', { name: 'Sum up the checks' }).click();
    await drawer(page).getByRole('heading', { name: 'Sum up the checks' }).waitFor();
    await drawer(page).getByText('waits for licences, unit-tests').waitFor();
    expect(page.url()).toContain('#/tasks/graph?task=digest-checks');
  });

  verifies('fleet.see', 'what runs at a worker says at which', async () => {
    const { page } = await visit(stage, {
      fill: async (own) => {
        await own.add('far', { title: 'Train the model', status: 'in-progress', assigned: 'agent-1', fence: 1 });
        const row = { id: 'agent-1', task_id: 'far', executor: 'shell', started_at: '2026-03-01T09:00:00Z' };
        own.coordinate({
          ...{ executor: 'claude', holds: [] },
          agents: async () => [{ ...row, status: 'working', worker: 'box-2' }],
        });
      },
    });
    await page
      .getByRole('link', { name: /Train the model/ })
      .getByText('at box-2')
      .waitFor();
  });

  test('a task without attempts left offers what helps, and one that is parked says for what', async () => {
    const { page } = await visit(stage, {
      fill: async (own) => {
        await own.add('spent', { status: 'failed', retry_count: 2, max_retries: 1 });
        const conditions = [{ type: 'human-input' }];
        await own.add('parked', { status: 'waiting', wait_condition: { mode: 'all', since: '', conditions } });
      },
    });
    await goTo(page, '#/now?task=spent');
    await copied(drawer(page), 'troupe reopen spent').waitFor();
    expect(await drawer(page).getByRole('button', { name: 'Retry' }).count()).toBe(0);
    await goTo(page, '#/now?task=parked');
    await drawer(page).getByText('Waits for', { exact: true }).waitFor();
  });

  test('a graph too large to be read at once opens where the work is, and shows nothing of what is not there', async () => {
    const { page } = await visit(stage, {
      fill: async (own) => {
        await own.addAll(Array.from({ length: 40 }, (_, row) => ({ id: `t${row + 10}` })));
      },
    });
    await toGraph(page);
    const canvas = await page.locator('.canvas').boundingBox();
    const first = await taskNode(page, 't10').boundingBox();
    const margins = [(first?.x ?? 0) - (canvas?.x ?? 0), (first?.y ?? 0) - (canvas?.y ?? 0)];
    expect(Math.min(...margins)).toBeGreaterThan(0);
    expect(Math.max(...margins)).toBeLessThan(40);
  });

  test('an empty graph keeps off the sides, and no choice or key is squeezed on a telephone', async () => {
    const { page } = await visit(stage, { browser: { viewport: { width: 390, height: 844 } } });
    await goTo(page, '#/tasks/graph');
    const box = await page.getByText('The graph of tasks and dependencies').boundingBox();
    expect([box?.x, (box?.x ?? 0) + (box?.width ?? 0)]).toEqual([16, 374]);
    const grouping = await page.getByRole('combobox', { name: 'Grouping' }).boundingBox();
    expect(grouping?.width).toBeGreaterThan(150);
    await page.keyboard.press('?');
    await page.locator('.keys-dialog dd').first().waitFor();
    const columns: number[] = await page.evaluate(
      "[...document.querySelectorAll('.keys-dialog dd')].map((one) => one.getBoundingClientRect().x)",
    );
    expect(new Set(columns).size).toBe(1);
  });

  verifies('ui.web.live', 'a change arrives by itself on both pages and in the drawer', async () => {
    const { page, own } = await visit(stage, { fill: sampleReview });
    const running = page.getByRole('region', { name: 'Running' });
    await running.getByText('Count the TODOs').waitFor();
    await own.set('todo-census', { status: 'done', completed_at: new Date().toISOString() });
    await running.getByText('Count the TODOs').waitFor({ state: 'detached' });
    await toGraph(page);
    await taskNode(page, 'ci-presence').click();
    await drawer(page).getByText('It has not run yet').waitFor();
    own.atWork.add('run-9');
    own.outputs.set('run-9', 'Looking for a workflow\n');
    await own.set('ci-presence', { status: 'in-progress', assigned: 'run-9', started_at: new Date().toISOString() });
    await taskNode(page, 'ci-presence').getByText('running').waitFor();
    await drawer(page).getByText('Looking for a workflow').waitFor();
    own.outputs.set('run-9', 'Looking for a workflow\nFound one\n');
    await drawer(page).getByText('Found one').waitFor();
    await own.add('late', { title: 'Came late', after: ['gate'] });
    await page.getByRole('button', { name: 'Came late open' }).waitFor();
  });

  verifies(
    'ui.web.live',
    'a dropped stream is said, freezes the clocks, and resumes after the last event',
    async () => {
      const { page, own, requests, cutStreams } = await visit(stage, { fill: sampleReview });
      await page.getByText('Run the unit tests').waitFor();
      await page.getByText('running', { exact: true }).first().waitFor();
      const { seq } = await own.store.view();
      await page.route('**/api/**', (route) => route.abort());
      cutStreams();
      await page.getByText('Not live.').waitFor();
      await page.getByText('not live', { exact: true }).waitFor();
      const clock = page.getByRole('region', { name: 'Running' }).locator('time').first();
      const frozen = await clock.textContent();
      await own.set('unit-tests', { title: 'Tests, renamed while nobody watched' });
      await page.getByText('Next try in 4s.').waitFor(); // two tries and three seconds later
      expect(await clock.textContent()).toBe(frozen);
      expect(await page.getByText('Run the unit tests').count()).toBe(1);
      await page.unroute('**/api/**');
      await page.getByRole('button', { name: 'Retry now' }).click();
      await page.getByText('Tests, renamed while nobody watched').waitFor();
      await page.getByText('Not live.').waitFor({ state: 'detached' });
      const streams = requests.filter((url) => url.includes('/api/events'));
      expect(streams.length).toBeGreaterThan(1);
      expect(streams.every((url) => url.endsWith(`from=${seq + 1}`))).toBe(true);
    },
  );

  verifies('ui.web.a11y', 'axe-core finds nothing on any page, drawer, table or dialog, light or dark', async () => {
    const { page } = await visit(stage, {
      fill: sampleReview,
      browser: { colorScheme: 'light', bypassCSP: true },
    });
    await page.getByText('Run the unit tests').waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    await toGraph(page);
    expect(await violationsInBothThemes(page)).toEqual([]);
    await taskNode(page, 'unit-tests').click();
    await drawer(page).getByText('files.test.ts 8/24').waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Table' }).click();
    await page.getByRole('table').waitFor();
    expect(await violationsInBothThemes(page)).toEqual([]);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search' }).fill('report');
    expect(await violationsInBothThemes(page)).toEqual([]);
  });

  verifies(
    'ui.web.responsive',
    'at 360 pixels nothing is cut off, and a task opens over the whole screen',
    async () => {
      const { page } = await visit(stage, {
        fill: sampleReview,
        browser: { viewport: { width: 360, height: 740 }, hasTouch: true },
      });
      await page.getByText('Run the unit tests').tap();
      const box = await drawer(page).boundingBox();
      expect(box).toMatchObject({ x: 0, y: 0, width: 360, height: 740 });
      await drawer(page).getByRole('button', { name: 'Close' }).tap();
      await drawer(page).waitFor({ state: 'detached' });
      const cutOff = () => page.evaluate('document.documentElement.scrollWidth - window.innerWidth');
      expect(await cutOff()).toBeLessThanOrEqual(0);
      await toGraph(page);
      expect(await cutOff()).toBeLessThanOrEqual(0);
      await page.getByRole('tab', { name: 'Table' }).tap();
      await page.getByRole('table').waitFor();
      expect(await cutOff()).toBeLessThanOrEqual(0);
      const rail = await page.getByRole('navigation', { name: 'Places' }).boundingBox();
      expect((rail?.y ?? 0) + (rail?.height ?? 0)).toBe(740);
    },
  );

  verifies('ui.web.responsive', 'no row of the page Now moves because problems come later', async () => {
    const { page } = await visit(stage, { fill: sampleReview });
    const row = page.getByText('Run the unit tests');
    await row.waitFor();
    const held: Route[] = [];
    await page.route('**/api/analysis/problems', (route) => void held.push(route));
    const shown = page.waitForResponse('**/api/status/now');
    await page.reload();
    await shown;
    await page.locator('.now .skeleton').waitFor();
    expect(await row.count()).toBe(0);
    for (const route of held) await route.continue();
    await row.waitFor();
    await page.getByRole('region', { name: 'Needs you' }).getByText('No service is running').waitFor();
  });

  verifies('ui.web.keys', 'pages, tasks, search and the list of keys by keyboard alone', async () => {
    const { page } = await visit(stage, { fill: sampleReview });
    await page.getByText('Run the unit tests').waitFor();
    const heading = (name: string) => page.getByRole('heading', { name, level: 1 }).waitFor();
    const focused = () => page.evaluate('document.activeElement.textContent');
    await page.keyboard.press('j');
    expect(await focused()).toContain('No service is running');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    expect(await focused()).toContain('Follow the links');
    await page.keyboard.press('k');
    expect(await focused()).toContain('Review the wording');
    await page.keyboard.press('Enter');
    await drawer(page).getByRole('heading', { name: 'Review the wording of the charters' }).waitFor();
    await page.keyboard.press('Escape');
    await drawer(page).waitFor({ state: 'detached' });
    expect(await focused()).toContain('Review the wording');
    await page.keyboard.press('g');
    await page.keyboard.press('g');
    await heading('Tasks');
    await page.locator('.react-flow__node').first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await drawer(page).getByRole('heading', { name: 'Scan the repository' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await heading('Now');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('Search, also Ctrl+K').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search' }).waitFor();
    await page.keyboard.type('report accept');
    await page.getByRole('option', { name: 'Accept the report' }).waitFor();
    await page.keyboard.press('Enter');
    await drawer(page).getByRole('heading', { name: 'Accept the report' }).waitFor();
  });

  verifies(
    'ui.web.empty',
    'an empty project says what will be here; slow answers show skeletons, not nothing',
    async () => {
      const { page } = await visit(stage);
      await page.getByText('No tasks yet.').waitFor();
      await page.getByRole('button', { name: /^Copy troupe run/ }).waitFor();
      const { promise, release } = gate();
      await page.route('**/api/graph/boxes', async (route) => {
        await promise;
        await route.continue();
      });
      await goTo(page, '#/tasks/graph');
      await page.getByRole('status', { name: 'Loading' }).waitFor();
      release();
      await page.getByText('The graph of tasks').waitFor();
    },
  );

  verifies('sec.csp', 'markup, links and escapes in foreign text are shown and do nothing', async () => {
    const hostile = '<img src=x onerror="document.title=\'owned\'">\u001b]0;x\u0007\u202e';
    const { page, complaints } = await visit(stage, {
      fill: async (own) => {
        await own.add('a', {
          title: hostile,
          member: '<b>x</b>',
          status: 'failed',
          failure_reason: 'javascript:alert(1)',
          exec: '<script>1</script>',
        });
        await own.add('b', { title: 'b', after: ['a'], after_success: ['a'] });
      },
    });
    await page.getByText('<img src=x').waitFor();
    expect(await page.getByText('\\u{1b}]0;x\\u{7}\\u{202e}').count()).toBe(1);
    await page.getByText('<img src=x').click();
    await drawer(page).getByText('<script>1</script>').waitFor();
    expect(await page.locator('main img, main b, aside img, [href^="javascript"]').count()).toBe(0);
    expect(await page.title()).toBe('Now · Troupe');
    expect(complaints).toEqual([]);
    const [title] = (await page.evaluate(`(() => {
      const script = document.createElement('script');
      try {
        script.textContent = 'document.title = "owned"';
        document.head.append(script);
      } catch (refusal) {
        return [document.title, String(refusal)];
      }
      return [document.title];
    })()`)) as string[];
    expect(title).toBe('Now · Troupe');
  });

  verifies('ui.web.look', 'the theme is chosen, kept over a reload, and otherwise that of the system', async () => {
    const { page } = await visit(stage, { fill: sampleReview, browser: { colorScheme: 'light' } });
    const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    await page.getByRole('button', { name: 'dark theme' }).click();
    expect(await ground()).toBe('rgb(15, 18, 23)');
    await page.reload();
    await page.getByText('Run the unit tests').waitFor();
    expect(await ground()).toBe('rgb(15, 18, 23)');
    await page.getByRole('button', { name: 'system theme' }).click();
    expect(await ground()).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(ground, PATIENCE).toBe('rgb(15, 18, 23)');
  });

  verifies(
    'ui.web.perf',
    'the first page does not load the drawing of the graph, and a large graph draws what is seen',
    async () => {
      const { page, requests } = await visit(stage, {
        fill: async (own) => {
          const tasks = Array.from({ length: 1_500 }, (_, index) => {
            const after = index === 0 ? {} : { after: [`t${Math.floor((index - 1) / 40)}`] };
            return { id: `t${index}`, ...after, ...(index < 100 ? {} : { tags: ['wf:batch'] }) };
          });
          await own.addAll(tasks);
        },
      });
      await page.getByRole('link', { name: 't0 ready' }).waitFor();
      expect(requests.some((url) => url.includes('GraphPage'))).toBe(false);
      await toGraph(page);
      expect(await page.locator('.react-flow__node').count()).toBeLessThan(200);
      await page.getByRole('button', { name: 'batch: 1400 tasks, 1400 open' }).press('Enter');
      await page.getByRole('button', { name: 'Close batch' }).click();
      await page.getByRole('button', { name: /^batch: / }).waitFor();
      await page.getByRole('tab', { name: 'Table' }).click();
      await page.getByRole('table').waitFor();
      await page.locator('tbody tr').first().waitFor();
      expect(await page.locator('tbody tr').count()).toBeLessThan(60);
    },
  );
});

function gate(): { promise: Promise<void>; release: () => void } {
  let release: () => void = () => undefined;
  const promise = new Promise<void>((resolve) => {
    release = resolve;
  });
  return { promise, release };
}

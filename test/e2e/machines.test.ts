import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { NO_WORKER_FACTS } from '#core/coordinator/worker-facts.js';
import type { ListedRun } from '#ports/run-host.js';
import type { ProjectMachines } from '#ports/storage.js';
import { BUDGET } from '../operations/insight/busy-project.js';
import { repository } from '../repository.js';
import { listedWorker, machinesWith } from '../storages-in-memory.js';
import { verifies } from '../verifies.js';
import { copied, hasChromium, openStage, type Stage, violationsInBothThemes, visit } from './browser.js';
import type { World } from './world.js';

/** Where pictures of the page go, when somebody wants to look at them. */
const PICTURES = process.env['TROUPE_PICTURES'];
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Attempts at the leader and at workers of every state, one of which came too late, and tasks that nobody can take. */
async function fillFleet(own: World): Promise<{ now: ProjectMachines }> {
  const folder = repository({ 'train.py': 'pass\n' });
  mkdirSync(path.join(folder, '.workgraph'));
  await own.workIn(folder).create({ task: 'box-1-job-2', attempt: 1 });
  const now = own.clock.now();
  const ago = (seconds: number) => now - seconds * 1_000;
  const agents: ListedRun[] = [];
  const attempts = { 'box-1': 3, 'box-3': 1, '': 2 };
  for (const [worker, count] of Object.entries(attempts))
    for (let number = 1; number <= count; number++) {
      const [task, id] = [`${worker || 'desk'}-job-${number}`, `agent-${agents.length + 1}`];
      const title = `Measure the ${number}. part of the model that ${worker || 'desk'} trains`;
      await own.add(task, { title, exec: 'make', status: 'in-progress', assigned: id, fence: 1 });
      const since = new Date(ago(60 * number)).toISOString();
      const row = { id, task_id: task, executor: 'claude', status: 'working', started_at: since } as const;
      agents.push(worker === '' ? row : { ...row, worker });
    }
  const taken = (worker: string) =>
    agents.flatMap((row) => (row.worker === worker ? [{ run: row.id, taskId: row.task_id }] : []));
  await own.add('train', { title: 'Train the model on a card', exec: 'make', needs: ['gpu', 'region:eu'] });
  await own.add('wide', { title: 'Simulate the whole day', exec: 'make', needs: ['big'] });
  const rooms = [{ name: 'box-1', executors: ['claude'], labels: ['big'], free: 0 }];
  own.coordinate({
    ...{ executor: 'claude', holds: [], agents: async () => agents, spending: async () => BUDGET },
    elsewhere: {
      ...{ ...NO_WORKER_FACTS, rooms, trees: { isolation: 'auto', repository: 'work-tree' }, follow: 'integration' },
      silent: [{ name: 'box-2', since: ago(125) }],
    },
  });
  const state = {
    now: machinesWith(now, {
      standbys: ['process 99 on laptop'],
      workers: [
        listedWorker('box-1', { slots: 3, labels: ['big'], attempts: taken('box-1'), seenAt: ago(4) }),
        listedWorker('box-2', { seenAt: ago(125), silent: true, labels: ['linux'] }),
        listedWorker('box-3', { asked: 'drain', slots: 1, attempts: taken('box-3'), seenAt: ago(2) }),
        listedWorker('box-4', { slots: 32, seenAt: ago(9), executors: ['claude', 'codex'] }),
      ],
      refused: { total: 1, latest: [{ run: 'agent-0', taskId: 'box-1-job-1', worker: 'box-2', at: ago(70) }] },
    }),
  };
  own.keepInDatabase(() => state.now);
  return state;
}

describe.skipIf(!hasChromium)('the page Machines (needs Chromium: apt-get install chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  async function openFleet(fill: (own: World) => Promise<unknown>) {
    const opened = await visit(stage, {
      fill: async (own) => {
        await fill(own);
      },
      browser: { colorScheme: 'light', bypassCSP: true },
    });
    const { page } = opened;
    await page.keyboard.press('g');
    await page.keyboard.press('m');
    await page.getByRole('heading', { name: 'Machines', level: 1 }).waitFor();
    await page.getByRole('region').first().waitFor();
    return opened;
  }

  verifies(
    ['fleet.see', 'fleet.leader'],
    'leader, standbys, workers with what they do, and what waits with its remedy; a run opens its task',
    async () => {
      const { page, complaints } = await openFleet(fillFleet);
      await page.getByText('shop in db.example.org:5432/troupe, PostgreSQL 15.8').waitFor();
      const leader = await part(page, 'Leader').textContent();
      expect(leader).toContain('deskprocess 4312 on desk, epoch 3');
      expect(leader).toContain('2/4');
      expect(await part(page, 'Standing by').textContent()).toContain('laptop');
      const rows = part(page, 'Workers').locator('li.worker');
      const [silent = '', draining = '', first = '', wide = ''] = await rows.allTextContents();
      expect(silent).toMatch(/box-2.*silent.*0\/4.*linux.*What it had is given to others.*heard 2m \d+s ago/);
      expect(draining).toMatch(/box-3.*draining.*1\/1/);
      expect(first).toMatch(/box-1.*working.*3\/3.*big.*claude.*heard \d+s ago/);
      expect(wide).toMatch(/box-4.*idle.*0\/32/);
      const waiting = part(page, 'Waiting for a worker');
      await waiting.getByText('it needs labels gpu, region:eu; no worker has them').waitFor();
      await copied(waiting, 'troupe worker start --label gpu --label region:eu').waitFor();
      await waiting.getByText('all slots of box-1, the only worker that can take it, are taken').waitFor();
      expect(await part(page, 'Came too late').textContent()).toMatch(/box-1-job-1, agent-0 at box-21m \d+s ago/);
      await rows.first().getByText('Take off the list').waitFor();
      await copied(rows.first(), 'troupe worker stop box-2').waitFor();
      await rows
        .nth(2)
        .getByRole('link', { name: /Measure the 2/ })
        .click();
      const drawer = page.getByRole('complementary', { name: 'Task' });
      await drawer.getByRole('heading', { name: /Measure the 2\. part of the model that box-1/ }).waitFor();
      await drawer.getByText('box-1', { exact: true }).waitFor();
      expect(page.url()).toContain('#/machines?task=box-1-job-2');
      expect(complaints).toEqual([]);
    },
  );

  verifies('fleet.see', 'a worker that falls silent is seen without any event in the log', async () => {
    let state: { now: ProjectMachines } | undefined;
    const { page } = await openFleet(async (own) => {
      state = await fillFleet(own);
    });
    const fourth = part(page, 'Workers').locator('li.worker', { hasText: 'box-4' });
    await fourth.getByText('idle').waitFor();
    const { now } = state ?? expect.unreachable();
    const silent = now.workers.map((row) => (row.name === 'box-4' ? { ...row, silent: true } : row));
    state = Object.assign(state ?? expect.unreachable(), { now: { ...now, workers: silent } });
    await fourth.locator('.worker-state.is-silent').waitFor();
    await page.getByText('2 silent').waitFor();
  });

  verifies('fleet.see', 'where there is one machine, the page says how others join', async () => {
    const { page } = await openFleet(async (own) => own.coordinate({ executor: 'claude', holds: [] }));
    expect(await part(page, 'Service').textContent()).toContain('deskpid 12 on desk');
    await copied(part(page, 'More machines'), 'troupe database move --to ADDRESS').waitFor();
    const { page: alone } = await openFleet(async (own) => {
      own.coordinate({ executor: 'claude', holds: [], elsewhere: { ...NO_WORKER_FACTS, unused: [] } });
      own.keepInDatabase(() => machinesWith(own.clock.now()));
    });
    await copied(part(alone, 'Workers'), 'troupe worker start').waitFor();
    await copied(part(alone, 'Standing by'), 'troupe service start').waitFor();
    const { page: unused } = await openFleet(async (own) => {
      own.coordinate({ executor: 'claude', holds: [], elsewhere: { ...NO_WORKER_FACTS, unused: ['box-1'] } });
      own.keepInDatabase(() => machinesWith(own.clock.now(), { workers: [listedWorker('box-1')] }));
    });
    await copied(unused, 'troupe config set database.remote origin').waitFor();
    for (const one of [page, alone, unused]) expect(await violationsInBothThemes(one)).toEqual([]);
  });

  verifies(
    ['fleet.see', 'ui.web.a11y', 'ui.web.responsive'],
    'nothing is cut off at a desk, a tablet or a telephone, and axe-core finds nothing, light or dark',
    async () => {
      const { page } = await openFleet(fillFleet);
      for (const [name, width, height] of [
        ['desk', 1440, 900],
        ['tablet', 820, 1180],
        ['telephone', 390, 844],
      ] as const) {
        await page.setViewportSize({ width, height });
        expect(await violationsInBothThemes(page), name).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), name).toBe(0);
        const cut: string[] = await page.evaluate(
          `[...document.querySelectorAll('.machines *')].filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
            .map((one) => one.className)`,
        );
        expect(cut, name).toEqual([]);
        if (PICTURES === undefined) continue;
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          await page.screenshot({ path: path.join(PICTURES, `machines-${name}-${colorScheme}.png`) });
          await page.evaluate('document.getElementById("main").scrollTo(0, 1e6)');
          await page.screenshot({ path: path.join(PICTURES, `machines-${name}-${colorScheme}-end.png`) });
          await page.evaluate('document.getElementById("main").scrollTo(0, 0)');
        }
        await page.emulateMedia({ colorScheme: 'light' });
      }
    },
  );
});

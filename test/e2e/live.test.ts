import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '../verifies.js';
import { hasChromium, openStage, type Stage, visit } from './browser.js';
import { largeProject, livelyProject } from './lively.js';
import type { World } from './world.js';

/** Other tests share the processors. A built-in pause would delay each of so many. */
const MAX_TIMES = 40;
/** The page rests between two requests; a later event is a new one. */
const APART_MS = 700;
const BAR_MS = 200;

describe.skipIf(!hasChromium)('an event on the screen (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  for (const [name, fill] of [
    ['a lively project', livelyProject],
    ['4,000 tasks', largeProject],
  ] as const) {
    verifies('web.proof.event', `${name}: what was committed is on Now within ${BAR_MS} ms`, async () => {
      const addTask = async (own: World) => {
        await fill(own);
        await own.call('task.add', { title: 'Beat 0', id: 'beat' });
      };
      const { page, own } = await visit(stage, { fill: addTask });
      await page.getByText('Beat 0').first().waitFor();
      const took: number[] = [];
      for (let time = 1; time <= MAX_TIMES && !took.some((ms) => ms <= BAR_MS); time++) {
        await page.waitForTimeout(APART_MS);
        const seen = page.evaluate<number>(`new Promise((resolve) => {
          const isSeen = () => document.body.textContent.includes('Beat ${time}') && resolve(Date.now());
          new MutationObserver(isSeen).observe(document.body, { subtree: true, childList: true, characterData: true });
        })`);
        await own.call('task.edit', { id: 'beat', title: `Beat ${time}` });
        const committed = Date.now();
        took.push((await seen) - committed);
      }
      expect(Math.min(...took), `after ${took.join(', ')} ms`).toBeLessThanOrEqual(BAR_MS);
    });
  }
});

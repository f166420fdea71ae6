import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifies } from '../verifies.js';
import { copied, goTo, hasChromium, openStage, type Stage, violations, visit } from './browser.js';
import { picture } from './looks.js';

describe.skipIf(!hasChromium)('scores in the browser (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  verifies(
    ['stats.boards', 'stats.synergy', 'web.team'],
    'who does well with whom: a heat map, boards, what nobody tried, and the tasks that made a score',
    async () => {
      const { page } = await visit(stage, {
        browser: { bypassCSP: true },
        fill: async (own) => {
          for (const name of ['Programmer', 'Reviewer'])
            await own.call('role.add', {
              name,
              description: 'One of a team',
              outcome: `A ${name} was at work`,
              skills: ['rust'],
            });
          await own.call('tradeoff.add', {
            name: 'Careful',
            description: 'Slow',
            accept: ['slow'],
            reject: ['careless'],
          });
          await own.call('identity.create', { name: 'Rusty Programmer <b>', role: 'Programmer', tradeoff: 'Careful' });
          const { agents } = (await own.call('agency.stats', {})) as { agents: { id: string }[] };
          await own.add('parse', { title: 'Write the parser', status: 'done', agent: agents[0]?.id ?? '' });
          for (const [index, score] of [0.5, 0.7, 0.9].entries())
            await own.call('evaluation.record', { id: 'parse', score, source: 'ci:unit', evaluation_id: `e${index}` });
        },
      });
      await goTo(page, '#/team/scores');
      const heat = page.getByRole('region', { name: 'Table of roles by trade-off' });
      await heat.getByText('0.70').waitFor();
      const agents = page.getByRole('region', { name: 'Variants of roles' });
      await agents.getByText('improving').waitFor();
      await page.getByRole('region', { name: 'Few scores' }).getByText('Reviewer × Careful').waitFor();
      await copied(page, 'troupe agency stats').waitFor();
      await picture(page, 'scores');
      expect(await violations(page)).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
      const head = await agents.getByRole('columnheader', { name: 'Scores' }).boundingBox();
      expect(head?.height, 'one line: no word is broken').toBeLessThan(40);
      await agents.getByRole('button', { name: 'Rusty Programmer <b>' }).click();
      const dialog = page.getByRole('dialog', { name: 'Variant of a role' });
      await dialog.getByText('Mean 0.70 over 3 scores').waitFor();
      await dialog.getByRole('button', { name: 'parse' }).first().click();
      await page
        .getByRole('complementary', { name: 'Task' })
        .getByRole('heading', { name: 'Write the parser' })
        .waitFor();
    },
  );

  verifies('ui.web.empty', 'a project without scores says what will be here and what begins it', async () => {
    const { page } = await visit(stage);
    await goTo(page, '#/team/scores');
    await page.getByText('No scores yet.').waitFor();
    await copied(page, 'troupe agency init').waitFor();
  });
});

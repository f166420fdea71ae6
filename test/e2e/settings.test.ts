import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { PATIENCE } from '../patience.js';
import { verifies } from '../verifies.js';
import { hasChromium, openStage, type Stage, violationsInBothThemes, visit } from './browser.js';
import { framed, nameless, picture, SIZES } from './looks.js';
import { settledIn } from './settled.js';
import { OWNER } from './world.js';

describe.skipIf(!hasChromium)('Settings (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  const open = async (holder = OWNER) => {
    let folder = '';
    const visited = await visit(stage, {
      holder,
      browser: { bypassCSP: true },
      fill: async (world) => {
        folder = await settledIn(world);
      },
    });
    const { page } = visited;
    await page.goto(`${new URL(page.url()).origin}/#/settings`);
    await page.getByRole('heading', { name: 'Settings', exact: true }).waitFor();
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    const file = () => readFileSync(path.join(folder, '.workgraph/config.toml'), 'utf8');
    return { ...visited, part, file };
  };

  verifies(
    ['web.settings', 'web.settings.form'],
    'a client is made the default, a value is set and taken back, a wrong one is explained at its field',
    async () => {
      const { page, part, file, complaints } = await open();
      const clients = part('Clients');
      await clients.getByText('no login seen', { exact: false }).first().waitFor();
      await clients.getByText('not installed.', { exact: false }).first().waitFor();
      await clients.getByRole('button', { name: 'Make default: codex' }).click();
      await clients.getByRole('button', { name: 'Make default: claude' }).waitFor();
      expect(file()).toBe('# ours\n[coordinator]\nexecutor = "codex"\n');
      await page.locator('.notice').getByRole('button', { name: 'Undo' }).click();
      await clients.getByRole('button', { name: 'Make default: codex' }).waitFor();
      expect(file()).toContain('executor = "claude"');

      const slots = part('Slots').getByRole('textbox', { name: 'Agents at the same time on this machine' });
      await slots.fill('1000');
      await slots.press('Enter');
      await part('Slots').getByRole('alert').getByText('coordinator.max_agents', { exact: false }).first().waitFor();
      await slots.fill('2');
      await slots.blur();
      await expect.poll(file, PATIENCE).toContain('max_agents = 2');
      await part('Slots').getByRole('button', { name: 'Reset Agents at the same time on this machine' }).click();
      await expect.poll(file, PATIENCE).not.toContain('max_agents');

      await part('Notices').getByRole('checkbox', { name: 'plan' }).uncheck();
      await expect.poll(file, PATIENCE).toContain('about = [ "review", "question", "failed", "budget" ]');
      await part('Notices').getByRole('button', { name: 'Send a test' }).click();
      await part('Notices').getByRole('alert').getByText('No channel for notices is configured.').waitFor();
      await part('All settings').getByRole('textbox', { name: 'Find a setting' }).fill('novelty');
      await part('All settings').getByRole('textbox', { name: 'Bonus of an agent without a score' }).waitFor();
      expect(complaints.filter((text) => !text.includes('status of 4'))).toEqual([]);
    },
  );

  verifies(
    'web.settings',
    'the service is paused, its log is read; nothing is cut off and axe finds nothing',
    async () => {
      const { page, part, own } = await open();
      await part('Service').getByText('tick: nothing to do', { exact: false }).waitFor();
      await part('Service').getByRole('button', { name: 'Pause', exact: true }).click();
      await expect.poll(() => own.steered, PATIENCE).toEqual(['pause']);
      expect(await violationsInBothThemes(page)).toEqual([]);
      expect(await nameless(page)).toEqual([]);
      for (const size of SIZES) expect(await framed(page, size, 'settings')).toEqual([]);
      await picture(page, 'settings');
    },
  );

  verifies('web.settings', 'an observer reads them and changes nothing', async () => {
    const { page, part } = await open({ ...OWNER, scope: 'observer' });
    await page.getByText('This browser is read-only', { exact: false }).waitFor();
    expect(await part('Slots').getByRole('textbox').first().isDisabled()).toBe(true);
    expect(await part('Service').getByRole('button', { name: 'Stop' }).isDisabled()).toBe(true);
  });
});

import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { git, repository, write } from '../repository.js';
import { verifies } from '../verifies.js';
import { copied, hasChromium, openStage, type Stage, violations, visit, writtenCommands } from './browser.js';
import { picture } from './looks.js';

/** A repository in which one attempt committed something, changed more, and left a new file. */
function attemptIn(): string {
  const folder = repository({ 'parser.ts': 'export const parse = 1;\n', 'README.md': 'A parser.\n' });
  mkdirSync(path.join(folder, '.workgraph'));
  return folder;
}

describe.skipIf(!hasChromium)('reviewing in the browser (needs Chromium)', () => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage();
  });
  afterAll(() => stage.close());

  verifies(
    ['ui.web.review', 'say.keys'],
    'before a verdict: what was asked, what holds it to that, the log, the files, the diff and the last words',
    async () => {
      const folder = attemptIn();
      const { page, own } = await visit(stage, {
        browser: { bypassCSP: true },
        fill: async (world) => {
          const tree = await world.workIn(folder).create({ task: 'parse', attempt: 1 });
          write(tree.folder, { 'parser.ts': 'export const parse = 2;\n' });
          git(tree.path, 'commit', '--quiet', '--all', '--no-verify', '-m', 'The parser reads two');
          write(tree.folder, { 'README.md': 'A parser <b>of two</b>.\n', 'notes.txt': 'new\n' });
          await world.add('parse', {
            title: 'Write the parser',
            description: 'It reads numbers.\nAll of them.',
            status: 'pending-validation',
            verify: 'Empty input is an error with its line',
            verify_cmd: 'npm test',
            fence: 1,
            log: [
              { timestamp: '2026-03-01T09:00:00Z', actor: 'agent-1', message: 'Began with the numbers' },
              {
                timestamp: '2026-03-01T09:05:00Z',
                actor: 'agent-1',
                message: 'Last words: negative numbers are left out',
              },
            ],
          });
        },
      });
      await page.getByRole('link', { name: 'Write the parser needs review' }).click();
      const drawer = page.getByRole('complementary', { name: 'Task' });
      for (const text of ['It reads numbers.', 'Empty input is an error with its line', 'npm test'])
        await drawer.getByText(text).waitFor();
      await drawer.getByRole('region', { name: 'Log' }).getByText('Began with the numbers').waitFor();
      const changes = drawer.getByRole('region', { name: 'Changes' });
      await changes.getByText('3 files, +2 −2').waitFor();
      await changes.getByText('notes.txt').waitFor();
      // A patch that cannot be had leaves the files where they are, and comes by itself when the service answers again.
      await page.route(/worktree\/show\?.*patch=true/, (route) => route.abort(), { times: 1 });
      await changes.getByText('Line by line').click();
      await changes.getByText('Troupe does not answer.', { exact: true }).waitFor();
      await changes.getByText('notes.txt').waitFor();
      const patch = changes.getByRole('region', { name: 'Line by line' });
      await patch.getByText('+export const parse = 2;').waitFor();
      expect(await patch.textContent()).toContain('+A parser <b>of two</b>.');
      await copied(changes, 'troupe worktree show parse --patch').waitFor();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('link', { name: 'Write the parser needs review' }).click();
      await drawer.getByRole('region', { name: 'Verdict' }).waitFor();
      await page.keyboard.press('r');
      await page.keyboard.type('Say which line');
      expect(await drawer.getByRole('textbox', { name: 'Reason' }).inputValue()).toBe('Say which line');
      await page.keyboard.press('Tab');
      await page.keyboard.press('a');
      expect((await own.store.view()).task('parse')?.status).toBe('pending-validation'); // one key never decides
      await page.keyboard.press('Enter');
      await drawer.getByRole('region', { name: 'Verdict' }).waitFor({ state: 'detached' });
      expect((await own.store.view()).task('parse')?.status).toBe('done');
    },
  );

  verifies(['ui.web.review', 'web.copy'], 'buttons that do what a state allows, each with its command', async () => {
    const { page, own } = await visit(stage, {
      browser: { bypassCSP: true },
      fill: async (world) => {
        await world.add('broken', { title: 'Broken', status: 'failed', failure_reason: 'no', exec: 'make' });
        await world.add('asks', {
          title: 'Asks',
          status: 'waiting',
          wait_condition: { mode: 'all', since: '2026-03-01T09:00:00Z', conditions: [{ type: 'human-input' }] },
        });
        await world.add('build', { title: 'Build', exec: 'make' });
      },
    });
    const drawer = page.getByRole('complementary', { name: 'Task' });
    const status = async (id: string) => (await own.store.view()).task(id);
    for (const [id, title, label, expected] of [
      ['broken', 'Broken', 'Retry', { status: 'open' }],
      ['asks', 'Asks', 'Resume', { status: 'open' }],
      ['build', 'Build', 'Pause', { paused: true }],
    ] as const) {
      await page.evaluate(`location.hash = '#/now?task=${id}'`);
      await drawer.getByRole('heading', { name: title, exact: true }).waitFor();
      await copied(drawer, `troupe ${label.toLowerCase()} ${id}`).waitFor();
      await drawer.getByRole('button', { name: label, exact: true }).click();
      await drawer.getByRole('button', { name: label, exact: true }).waitFor({ state: 'detached' });
      expect(await status(id)).toMatchObject(expected);
    }
    await copied(drawer, 'troupe output build').waitFor();
    expect(await writtenCommands(drawer)).toEqual([]);
    await picture(page, 'drawer');
    await drawer.getByRole('button', { name: 'Resume', exact: true }).waitFor();
    await drawer.getByRole('button', { name: 'Edit', exact: true }).click();
    const form = page.getByRole('dialog', { name: 'Edit the task' });
    await form.getByRole('textbox', { name: 'Title' }).fill("Build Ann's way");
    await copied(form, "troupe edit build --title 'Build Ann'\\''s way'").waitFor();
    expect(await violations(page)).toEqual([]);
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await drawer.getByRole('heading', { name: "Build Ann's way" }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'New task' }).click();
    const fresh = page.getByRole('dialog', { name: 'New task' });
    expect(await fresh.getByRole('button', { name: 'Add', exact: true }).isDisabled()).toBe(true);
    await fresh.getByRole('textbox', { name: 'Title' }).fill('Measure it');
    await fresh.getByRole('textbox', { name: /^Acceptance criterion/ }).fill('There are figures');
    await copied(fresh, "troupe add 'Measure it' --verify 'There are figures'").waitFor();
    await fresh.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('link', { name: /Measure it/ }).waitFor();
    expect(await status('measure-it')).toMatchObject({ verify: 'There are figures' });
  });

  verifies(
    'ui.web.review',
    'merged work is shown before it is landed, and the service is paused and ended',
    async () => {
      const folder = attemptIn();
      let steered: readonly string[] = [];
      const { page } = await visit(stage, {
        browser: { bypassCSP: true },
        server: {
          engine: async () => {
            const state = steered.at(-1) === 'pause' ? 'paused' : 'running';
            return { state, running: 0, cap: 4, away: 0 };
          },
        },
        fill: async (world) => {
          steered = world.steered;
          const worktrees = world.workIn(folder);
          const tree = await worktrees.create({ task: 'parse', attempt: 1 });
          write(tree.folder, { 'parser.ts': 'export const parse = 2;\n' });
          await worktrees.mergeBack({ task: 'parse', attempt: 1, how: 'merge', title: 'Write the parser' } as never);
          await world.add('parse', { title: 'Write the parser', status: 'done' });
        },
      });
      const before = git(folder, 'rev-parse', 'main');
      const toLand = page.locator('[data-entry]').filter({ hasText: /commits? to land/ });
      await copied(toLand, 'troupe worktree land').waitFor();
      await toLand.getByRole('button', { name: /^Land…/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Land the merged work' });
      await dialog.getByText('parser.ts').waitFor();
      expect(git(folder, 'rev-parse', 'main')).toBe(before);
      expect(await violations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Land on main' }).click();
      await toLand.getByText('Landed', { exact: true }).waitFor();
      await page.mouse.move(5, 5);
      await toLand.waitFor({ state: 'detached' });
      expect(git(folder, 'show', 'main:parser.ts')).toBe('export const parse = 2;\n');

      await page.getByRole('button', { name: /agents/ }).click();
      const service = page.getByRole('dialog', { name: 'Service' });
      await copied(service, 'troupe service pause').waitFor();
      expect(await writtenCommands(service)).toEqual([]);
      expect(await violations(page)).toEqual([]);
      await service.getByRole('button', { name: 'Pause', exact: true }).click();
      await page.getByRole('button', { name: /paused/ }).click();
      await service.getByRole('button', { name: 'Resume', exact: true }).click();
      await page.getByRole('button', { name: /running/ }).click();
      await service.getByRole('button', { name: 'Stop', exact: true }).click();
      await service.waitFor({ state: 'detached' });
      expect(steered).toEqual(['pause', 'resume', 'stop']);
    },
  );
});

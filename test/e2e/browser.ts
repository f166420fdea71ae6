import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import type { Caller } from '#ports/callers.js';
import { type HttpOptions, type HttpServer, startHttp } from '#surfaces/http/server.js';
import { NO_TOKENS } from '../no-tokens.js';
import { PATIENCE } from '../patience.js';
import { dashboardMemory } from '../surfaces/http-client.js';
import { OWNER, type World, world } from './world.js';

/** The headless shell needs half the processor time of the full browser in headless mode. */
const CHROMIUM =
  process.env['TROUPE_CHROMIUM'] ??
  ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((program) => existsSync(program)) ??
  '';
/** The shipped dashboard, as built. */
const DASHBOARD = path.resolve(import.meta.dirname, '../../dist/web');
/** Of the text of a page whose test failed. */
const SHOWN_CHARACTERS = 1_500;
export const hasChromium = existsSync(CHROMIUM);

export interface Stage {
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Starts one browser for a whole suite. */
export async function openStage(): Promise<Stage> {
  const home = mkdtempSync(path.join(process.env['TROUPE_TEST_ROOM'] ?? tmpdir(), 'home-'));
  const browser = await chromium.launch({
    executablePath: CHROMIUM,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: home,
      XDG_CONFIG_HOME: home,
      XDG_CACHE_HOME: home,
      XDG_RUNTIME_DIR: home,
    },
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
  return {
    browser,
    close: async () => {
      await browser.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

export interface Visit {
  readonly own: World;
  readonly server: HttpServer;
  readonly page: Page;
  /** Errors and refused content that the browser reported. */
  readonly complaints: string[];
  /** All requests of the page. */
  readonly requests: string[];
  /** Ends all open event streams, as a dropped connection does. */
  cutStreams(): void;
  /** Restarts the server with its stored state. */
  restart(whileDown?: () => Promise<void>): Promise<void>;
}

export interface VisitOptions {
  /** Holder of the link used to log in; by default the owner. */
  readonly holder?: Caller;
  readonly fill?: (own: World) => Promise<void>;
  readonly browser?: BrowserContextOptions;
  readonly server?: Partial<HttpOptions>;
}

/** A server over a world of its own, and a page that has logged in through the printed address. */
export async function visit(
  stage: Stage,
  { fill, holder = OWNER, browser = {}, server: options = {} }: VisitOptions = {},
): Promise<Visit> {
  const own = world(Date.now());
  await fill?.(own);
  let cut = new AbortController();
  const memory = dashboardMemory();
  const start = () =>
    startHttp({
      call: own.call,
      follow: (from, signal) => own.store.follow(from, AbortSignal.any([signal, cut.signal])),
      project: { name: 'demo', folder: '/home/you/demo' },
      person: OWNER,
      callerAt: async (_, holder) => holder,
      engine: async () => ({ state: 'running', running: 3, cap: 4, away: 12 }),
      webFolder: DASHBOARD,
      token: 'token-of-this-test-0123456789',
      tokens: NO_TOKENS,
      clock: own.clock,
      operations: own.specs,
      memory,
      ...options,
    });
  let server = await start();
  const context = await stage.browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce',
    ...browser,
  });
  const page = await context.newPage();
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.error(await seenOn(page));
    await context.close();
    await server.close();
  });
  const complaints: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('response', async (answer) => {
    if (answer.status() < 500) return;
    const said = await answer.text().catch(String); // the page may be left by then
    complaints.push(`${answer.status()} ${answer.url()}: ${said}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(server.loginAddress(holder));
  await page.locator('#app > *').first().waitFor(); // by then the code is used up and the cookie is set
  return {
    own,
    server,
    page,
    complaints,
    requests,
    cutStreams: () => {
      cut.abort();
      cut = new AbortController();
    },
    restart: async (whileDown) => {
      await server.close();
      await whileDown?.();
      server = await start();
    },
  };
}

async function seenOn(page: Page): Promise<string> {
  const text = await page.locator('body').innerText({ timeout: 1_000 }).catch(String);
  return `The page was ${page.url()} and said: ${text.replaceAll(/\s+/g, ' ').slice(0, SHOWN_CHARACTERS)}`;
}

/** Goes to an address of the dashboard, such as `#/team/roles`. */
export function goTo(page: Page, address: string): Promise<unknown> {
  return page.evaluate(`location.hash = '${address}'`);
}

/** The button that copies a command. */
export function copied(part: Page | Locator, command: string | RegExp): Locator {
  const name = typeof command === 'string' ? `Copy ${command}` : command;
  return part.getByRole('button', { name, exact: true });
}

/** Commands that stand on the page as text, instead of behind an icon. */
export function writtenCommands(part: Page | Locator): Promise<string[]> {
  return part
    .locator('code')
    .filter({ hasText: /^troupe / })
    .allTextContents();
}

/** Violations that axe-core finds on the current page. The page must have been opened with `bypassCSP`. */
async function foundByAxe(page: Page, rules: 'all' | 'contrast'): Promise<string[]> {
  // Injecting axe costs as much as running it.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.addScriptTag({ content: axe.source });
  const only = rules === 'all' ? {} : { runOnly: ['color-contrast'] };
  const options = JSON.stringify({ resultTypes: ['violations'], preload: false, ...only });
  const rows: { id: string; nodes: { html: string }[] }[] = await page.evaluate(
    `axe.run(${options}).then((result) => result.violations)`,
  );
  return rows.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
}

/** Violations of any rule on the page. */
export function violations(page: Page): Promise<string[]> {
  return foundByAxe(page, 'all');
}

/**
 * Violations in both themes, on a page that is light by the system's setting. The dark theme has the same elements, so
 * only its colours are checked.
 */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  const theme = () => page.evaluate('document.documentElement.dataset.theme');
  const found = await violations(page);
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    await expect.poll(theme, PATIENCE).toBe(colorScheme);
    if (colorScheme === 'dark') found.push(...(await foundByAxe(page, 'contrast')));
  }
  return found;
}

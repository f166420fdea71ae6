// node tooling/pictures.mjs: takes the screenshots in docs/pictures/ from a real review of this repository, in
// Chromium.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { HOME, prepare } from './prepare.mjs';

const CHROMIUM = process.env.TROUPE_CHROMIUM ?? '/usr/bin/chromium';
const PICTURES = path.join(HOME, 'docs', 'pictures');
const SIZE = { width: 1280, height: 800 };
const TALL = { width: 1280, height: 1180 };
/** Steps of a review take seconds, its commands at most a minute each. */
const PATIENCE_MS = 4 * 60_000;
const LOOK_MS = 250;

/** Runs Troupe's own command in the project and returns its output. */
function troupe(project, ...words) {
  return execFileSync(process.execPath, [path.join(HOME, 'dist', 'cli.cjs'), '--dir', project, ...words], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function until(what, holds) {
  const end = Date.now() + PATIENCE_MS;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`It did not come about in time: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

const tasksOf = (project) => JSON.parse(troupe(project, 'list', '--json')).tasks;

/** Opens a page of the dashboard in one theme, logged in by its one-time link. */
async function dashboardPage(browser, project, colorScheme) {
  const context = await browser.newContext({ viewport: SIZE, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(troupe(project, 'dashboard').trim());
  await page.getByRole('heading', { name: 'Running' }).waitFor();
  await page.locator('.engine-dot.is-on').waitFor(); // connected to the event stream, not only loaded
  return page;
}

async function take(page, name) {
  await page.screenshot({ path: path.join(PICTURES, `${name}.png`), animations: 'disabled' });
  process.stdout.write(`docs/pictures/${name}.png\n`);
}

async function takeDashboard(browser, project) {
  const light = await dashboardPage(browser, project, 'light');
  await take(light, 'dashboard-now');
  for (const [page, name] of [
    [light, 'dashboard-graph'],
    [await dashboardPage(browser, project, 'dark'), 'dashboard-graph-dark'],
  ]) {
    await page.getByRole('link', { name: 'Graph' }).click();
    await page.locator('.react-flow__node').first().waitFor();
    await page.locator('.react-flow__edge').first().waitFor({ state: 'attached' });
    await take(page, name);
  }
}

async function takeReport(browser, project) {
  const report = path.join(project, '.workgraph', 'reports', 'review', 'report.html');
  const page = await browser.newPage({ viewport: TALL, colorScheme: 'light' });
  await page.goto(`file://${report}`);
  await take(page, 'report');
}

await prepare();
if (!existsSync(CHROMIUM))
  throw new Error(`There is no Chromium at ${CHROMIUM}. Install it, or name it in TROUPE_CHROMIUM.`);
mkdirSync(PICTURES, { recursive: true });
const { name } = JSON.parse(readFileSync(path.join(HOME, 'package.json'), 'utf8'));
const room = mkdtempSync(path.join(tmpdir(), 'troupe-pictures-'));
const project = path.join(room, 'work', name);
// The report is named after the folder of the dependencies, and this clone may have any name.
const dependencies = path.join(room, name);
symlinkSync(HOME, dependencies);
let browser;
try {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', HOME, project]);
  troupe(project, 'init');
  troupe(project, 'cast', 'for', 'repository-review');
  troupe(project, 'workflow', 'run', 'repository-review', '--dependencies-from', dependencies);
  troupe(project, 'service', 'start');
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  // The repository's commands take longest: while they run, all other steps are finished and the report waits.
  await until(
    'only commands are left',
    () =>
      tasksOf(project).every((task) => task.status !== 'in-progress' || task.id.startsWith('review-command-')) &&
      tasksOf(project).some((task) => task.status === 'in-progress'),
  );
  await takeDashboard(browser, project);
  await until('the review has ended', () => tasksOf(project).every((task) => ['done', 'failed'].includes(task.status)));
  await takeReport(browser, project);
} finally {
  await browser?.close();
  try {
    troupe(project, 'service', 'stop', '--kill-agents');
  } catch {
    // it never started; the earlier error matters
  }
  rmSync(room, { recursive: true, force: true, maxRetries: 5 });
}

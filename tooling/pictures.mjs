// node tooling/pictures.mjs [FOLDER]: takes the pictures in docs/pictures/, each page of the dashboard in both themes, from one
// project in Chromium. Its client is a stand-in, so that it costs nothing.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { fill, newProject } from './pictures/project.mjs';
import { HOME, prepare } from './prepare.mjs';

const FOLDER = path.resolve(process.argv[2] ?? path.join(HOME, 'docs', 'pictures'));
const CHROMIUM = [process.env.TROUPE_CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(
  (program) => program !== undefined && existsSync(program),
);
const SIZE = { width: 1280, height: 800 };
const TALL = { width: 1280, height: 1100 };
const QUALITY = 75;
/** Time after which a page that has what it shows is still: charts and graphs are laid out. */
const SETTLED_MS = 700;

const plan = async (page) => {
  await page.getByRole('textbox', { name: 'What should be done?' }).fill('Export the bookings as CSV');
  await page.getByRole('button', { name: 'Plan it' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).waitFor();
};
const whole = (page) => page.locator('.react-flow__controls-fitview').click();

/** Names of pictures, addresses, what has to be in sight, and what is done there. */
const PAGES = [
  ['now', '#/now', 'main [data-row]'],
  ['do', '#/now', 'main [data-row]', plan],
  ['board', '#/tasks/board', 'main'],
  ['table', '#/tasks/table', 'main table'],
  ['graph', '#/tasks/graph', '.react-flow__edge', whole],
  ['task', '#/tasks/table?task=fix-the-failing', 'main table'],
  ['review', '#/tasks/task/handle-empty-input', '.token'],
  ['attempt', '#/runs/attempt/agent-3', 'main h1'],
  ['runs', '#/runs/list', 'main'],
  ['run', '#/runs/list', 'main .record-link', (page) => page.locator('main .record-link').first().click()],
  ['playbooks', '#/runs/playbooks', 'main'],
  ['members', '#/team/members', 'main'],
  ['chat', '#/team/chat', 'main'],
  ['roles', '#/team/roles', 'main'],
  ['scores', '#/team/scores', 'main'],
  ['roster', '#/team/roster', 'main'],
  ['decisions', '#/team/decisions', 'main'],
  ['memory', '#/team/memory', 'main .reading-row'],
  ['artifacts', '#/team/artifacts', 'main .reading-row', (page) => page.locator('main summary').first().click()],
  ['spend', '#/spend', 'main'],
  ['settings', '#/settings', 'main'],
  ['machines', '#/machines', 'main'],
];

/** A page of the dashboard in one theme, logged in by its one-time link. */
async function opened(browser, { troupe }, colorScheme) {
  const context = await browser.newContext({ viewport: SIZE, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(troupe('dashboard').trim());
  await page.locator('.engine-dot.is-on').waitFor(); // connected to the event stream, not only loaded
  return page;
}

/** A picture of what is in sight. Playwright itself has no WebP. */
async function take(page, name) {
  await page.waitForTimeout(SETTLED_MS);
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await session.detach();
  const file = path.join(FOLDER, `${name}.webp`);
  writeFileSync(file, Buffer.from(data, 'base64'));
  process.stdout.write(`${file}\n`);
}

async function takeAll(page, report, ending) {
  for (const [name, address, inSight, act] of PAGES) {
    await page.evaluate(`location.hash = '${address}'`);
    await page.reload(); // what an earlier picture opened is closed
    await page.locator(inSight).first().waitFor({ state: 'attached' });
    await act?.(page);
    await take(page, `${name}${ending}`);
  }
  await page.setViewportSize(TALL);
  await page.goto(`file://${report}`);
  await take(page, `report${ending}`);
}

await prepare();
if (CHROMIUM === undefined) throw new Error('There is no Chromium. Install it, or name it in TROUPE_CHROMIUM.');
mkdirSync(FOLDER, { recursive: true });
mkdirSync(path.join(HOME, '.cache'), { recursive: true });
const room = mkdtempSync(path.join(HOME, '.cache', 'pictures-'));
const project = newProject(room);
let browser;
try {
  await fill(project);
  // A review of this repository: that of a small project has little to say.
  const said = project.troupe('trial', HOME, '--yes', '--exit', '--run', 'none');
  const [report] = /\/\S+\/report\.html/.exec(said);
  browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  await takeAll(await opened(browser, project, 'light'), report, '');
  await takeAll(await opened(browser, project, 'dark'), report, '-dark');
} finally {
  await browser?.close();
  try {
    project.troupe('service', 'stop', '--kill-agents');
  } catch {
    // it never started; the earlier error matters
  }
  rmSync(room, { recursive: true, force: true, maxRetries: 5 });
}

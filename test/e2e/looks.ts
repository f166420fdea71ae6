import path from 'node:path';
import type { Page } from 'playwright-core';

/** Folder for screenshots, if they are wanted. */
const PICTURES = process.env['TROUPE_PICTURES'];

/** Viewports: desktop, small desktop, phone. */
export const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;

/** Takes screenshots of the page at every size in both themes. */
export async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await page.screenshot({ path: path.join(PICTURES, `${name}-${width}-${theme}.png`) });
    }
  }
}

/** Elements larger than the window at this size, or cut off; empty if all is well. */
export async function framed(page: Page, [width, height]: readonly [number, number], place: string): Promise<string[]> {
  await page.setViewportSize({ width, height });
  const rows: string[] = await page.evaluate(`(() => {
    const wrong = [];
    const root = document.documentElement;
    if (root.scrollHeight !== innerHeight) wrong.push('the document is ' + root.scrollHeight + ' high');
    if (root.scrollWidth !== innerWidth) wrong.push('the document is ' + root.scrollWidth + ' wide');
    const main = document.querySelector('main');
    if (main.scrollWidth > main.clientWidth) wrong.push('the page is ' + main.scrollWidth + ' wide');
    for (const part of main.querySelectorAll('*')) {
      if (part.closest('.unseen, .difference, .reading, .react-flow, [data-scrolls], svg') || getComputedStyle(part).display === 'inline') continue;
      if (part.scrollWidth > part.clientWidth + 1) wrong.push('cut off: ' + part.outerHTML.slice(0, 120));
    }
    return wrong.slice(0, 5);
  })()`);
  return rows.map((row) => `${place} at ${width}x${height}: ${row}`);
}

/** Deviations of the Tab order from the reading order; empty if all is well. */
export async function strayTabs(page: Page): Promise<string[]> {
  const stops: string[] = await page.evaluate(`(() => {
    const all = [...document.querySelectorAll('main a[href], main button, main input, main select, main textarea, main summary, main [tabindex="0"]')];
    const stops = all.filter((one) => !one.disabled && one.tabIndex >= 0 && one.checkVisibility({ visibilityProperty: true }));
    document.getElementById('main').focus();
    return stops.map((one, index) => { one.dataset.stop = String(index); return one.outerHTML.slice(0, 100); });
  })()`);
  const stray: string[] = [];
  for (const [index, stop] of stops.entries()) {
    await page.keyboard.press('Tab');
    const reached = await page.evaluate('document.activeElement.dataset.stop');
    if (reached !== String(index)) stray.push(`${index} is ${reached ?? 'nowhere'}: ${stop}`);
  }
  return stray;
}

/** Controls without an accessible name. */
export async function nameless(page: Page): Promise<string[]> {
  return await page.evaluate(`[...document.querySelectorAll('main button, main a, main input, main select, main textarea')]
    .filter((one) => !(one.textContent.trim() || one.getAttribute('aria-label') || one.labels?.length))
    .map((one) => one.outerHTML.slice(0, 120))`);
}

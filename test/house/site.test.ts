import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { errorCodes } from '#kernel/errors.js';
// @ts-expect-error: plain JavaScript of the tooling
import { makeSite } from '../../tooling/site.mjs';
import { verifies } from '../verifies.js';
import { filesBelow } from './files.js';

const MOST_SECONDS = 15;
const MOST_BYTES = 1_500_000;
const MOST_BYTES_OF_PICTURES = 2_500_000;

describe('the site of the documents', () => {
  const site = mkdtempSync(path.join(process.env['TROUPE_TEST_ROOM'] ?? tmpdir(), 'site-'));
  const pages = new Map<string, string>();
  let seconds = 0;
  beforeAll(async () => {
    const started = performance.now();
    await makeSite(site);
    seconds = (performance.now() - started) / 1_000;
    for (const file of filesBelow(site, /\.html$/)) pages.set(path.relative(site, file), readFileSync(file, 'utf8'));
  });
  afterAll(() => rmSync(site, { recursive: true }));

  verifies('docs.site', 'has a page for each document, with links that all lead to a page and a place in it', () => {
    expect(pages.size).toBeGreaterThan(90);
    expect(seconds).toBeLessThan(MOST_SECONDS);
    const idsOf = (text: string) => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const ids = new Map([...pages].map(([name, text]) => [name, idsOf(text)]));
    const broken = [...pages].flatMap(([name, text]) =>
      [...text.matchAll(/ (?:href|src)="([^"]+)"/g)]
        .map(([, target = '']) => target)
        .filter((target) => !/^https?:/.test(target))
        .filter((target) => {
          const [before = '', anchor] = target.split('#');
          const to = before === '' ? name : path.join(path.dirname(name), before);
          return !existsSync(path.join(site, to)) || (anchor !== undefined && !ids.get(to)?.has(anchor));
        })
        .map((target) => `${name}: ${target}`),
    );
    expect(broken).toEqual([]);
    const titles = [...pages.values()].map((text) => /<title>([^<]*)</.exec(text)?.[1]);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  verifies('docs.site', 'is whole in itself: it loads nothing from elsewhere and runs no script of a page', () => {
    for (const [name, text] of pages) {
      expect(text, name).not.toMatch(/<(?:script|link|img)[^>]*(?:src|href)="https?:/);
      expect(text, name).not.toMatch(/<script>|<style|\son\w+=/);
    }
    const bytes = ['site.css', 'site.js', 'theme.js', 'minisearch.js', 'search.js'].map(
      (name) => readFileSync(path.join(site, name)).length,
    );
    expect(bytes.reduce((sum, one) => sum + one, 0)).toBeLessThan(MOST_BYTES);
  });

  verifies('docs.site', 'shows each page of the dashboard in both themes, in few bytes', () => {
    const pictures = filesBelow(path.join(site, 'pictures'), /./);
    const names = pictures.map((file) => path.basename(file, '.webp'));
    const light = names.filter((name) => !name.endsWith('-dark'));
    expect(light.length).toBeGreaterThan(18);
    expect(names.sort()).toEqual(light.flatMap((name) => [name, `${name}-dark`]).sort());
    expect(pictures.reduce((sum, file) => sum + readFileSync(file).length, 0)).toBeLessThan(MOST_BYTES_OF_PICTURES);
    const shown = pages.get('reference/pages.html') ?? '';
    for (const name of light)
      expect(shown).toMatch(
        new RegExp(`/${name}.webp" [^>]*class="in-light".*/${name}-dark.webp" [^>]*class="in-dark"`),
      );
  });

  verifies('docs.site', 'leads to what a newcomer asks for, and finds every error code', () => {
    const nav = /<nav id="nav"[\s\S]*?<\/nav>/.exec(pages.get('index.html') ?? '')?.[0] ?? '';
    const wanted = [
      ...['ten-minutes', 'concepts', 'which-one', 'costs', 'comparison', 'when-not'].map((name) => `start/${name}`),
      ...['fix-a-bug', 'review-in-ci', 'two-clients', 'crew-on-an-issue', 'panel-on-a-design', 'four-machines'].map(
        (name) => `recipes/${name}`,
      ),
      ...['guide/security', 'guide/tasks', 'reference/cli', 'reference/errors', 'reference/questions'],
    ];
    expect(wanted.filter((name) => !nav.includes(`href="${name}.html"`))).toEqual([]);
    const sections: readonly { title: string; url: string }[] = JSON.parse(
      readFileSync(path.join(site, 'search.js'), 'utf8')
        .replace(/^self\.SECTIONS = /, '')
        .replace(/;\n$/, ''),
    );
    const found = new Set(sections.map(({ url }) => url));
    expect(Object.keys(errorCodes()).filter((code) => !found.has(`reference/errors.html#${code}`))).toEqual([]);
    const rows = pages.get('reference/errors.html') ?? '';
    expect(Object.keys(errorCodes()).filter((code) => !rows.includes(`<tr id="${code}">`))).toEqual([]);
  });
});

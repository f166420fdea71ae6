// npm run docs [-- --output FOLDER]: makes a static site of the documents, by default below .cache/docs. It needs no server:
// links are relative, and search runs in the page.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import GithubSlugger from 'github-slugger';
import { Marked } from 'marked';
import { fromSource } from './from-source.mjs';
import { HOME } from './prepare.mjs';

const OUTPUT = path.join(HOME, '.cache/docs');
const PARTS = path.join(import.meta.dirname, 'site');
/** Documents beside the folder `docs`; they are pages below `about/`. */
const IN_ROOT = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'AGENTS.md'];
/** Files that are not pages, but may be linked. */
const COPIED = /^docs\/(?:pictures|deploy|formats)\/|^docs\/reference\/[\w.]+\.json$/;
/** The most text of a section that search looks at. */
const SECTION_CHARACTERS = 1_500;

const escapeHtml = (text) =>
  text.replace(/[&<>"]/g, (found) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[found]);

/** `docs/guide/tasks.md` → `guide/tasks.html`; undefined for what is not a page. */
export function addressOf(file) {
  if (IN_ROOT.includes(file)) return `about/${file.replace('.md', '.html').toLowerCase()}`;
  if (file === 'README.md') return 'index.html';
  if (!/^docs\/.*\.md$/.test(file)) return undefined;
  return file
    .slice('docs/'.length)
    .replace(/(^|\/)README\.md$/, '$1index.md')
    .replace(/\.md$/, '.html');
}

/** Pages of the site: file, address and Markdown. */
function documents() {
  const names = readdirSync(path.join(HOME, 'docs'), { recursive: true }).map((name) => `docs/${name}`);
  const files = [...IN_ROOT, ...names.filter((name) => name.endsWith('.md')).sort()];
  return files.map((file) => ({ file, address: addressOf(file), text: readFileSync(path.join(HOME, file), 'utf8') }));
}

/** A link of a document as a link of its page; undefined if it leads out of the site. */
function linkFrom(file, target) {
  if (/^[a-z]+:/.test(target) || target.startsWith('#')) return target;
  const [before, anchor] = target.split('#');
  const named = path.normalize(path.join(path.dirname(file), before));
  const page = addressOf(named);
  const to = page ?? (COPIED.test(named) ? named.slice('docs/'.length) : undefined);
  if (to === undefined || !existsSync(path.join(HOME, named))) return undefined;
  const relative = path.relative(path.dirname(addressOf(file)), to);
  return anchor === undefined ? relative : `${relative}#${anchor}`;
}

/** Renders a document. Raw HTML is not taken over; headings and rows that begin with an error code get anchors. */
function render({ file, text }) {
  const slugger = new GithubSlugger();
  const headings = [];
  const isErrorTable = file === 'docs/reference/errors.md';
  const marked = new Marked({
    renderer: {
      html: ({ text: html }) => (html.trim().startsWith('<!--') ? '' : escapeHtml(html)),
      heading({ tokens, depth, text: raw }) {
        const id = slugger.slug(plainText(raw));
        headings.push({ id, depth, title: plainText(raw) });
        const anchor = depth === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`;
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}${anchor}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens);
        const to = linkFrom(file, href);
        return to === undefined ? words : `<a href="${escapeHtml(to)}">${words}</a>`;
      },
      image({ href, text: alt }) {
        const dark = href.replace(/\.webp$/, '-dark.webp');
        const hasBoth = dark !== href && existsSync(path.join(HOME, path.dirname(file), dark));
        const tag = (to, theme) =>
          `<img src="${escapeHtml(linkFrom(file, to) ?? to)}" alt="${escapeHtml(alt)}"${theme} loading="lazy">`;
        return hasBoth ? tag(href, ' class="in-light"') + tag(dark, ' class="in-dark"') : tag(href, '');
      },
      code({ text: code, lang = '' }) {
        const label = { sh: 'Commands', toml: 'File', text: 'Text' }[lang] ?? 'Example';
        return `<pre tabindex="0" aria-label="${label}"${lang === 'sh' ? ' data-copy' : ''}><code>${escapeHtml(code)}</code></pre>\n`;
      },
      table({ header, rows }) {
        const cell = (tag) => (one) => `<${tag}>${this.parser.parseInline(one.tokens)}</${tag}>`;
        const lines = rows.map((row) => {
          const [, code] = (isErrorTable && /^`(\w+)`$/.exec(row[0].text)) || [];
          return `<tr${code === undefined ? '' : ` id="${code}"`}>${row.map(cell('td')).join('')}</tr>`;
        });
        const head = `<thead><tr>${header.map(cell('th')).join('')}</tr></thead>`;
        return `<div class="table" tabindex="0" role="group" aria-label="Table"><table>${head}<tbody>${lines.join('')}</tbody></table></div>\n`;
      },
    },
  });
  return { html: marked.parse(text), headings };
}

const plainText = (markdown) => markdown.replace(/[`*]/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');

/** Links of a document below each of its headings: the navigation has no list of its own. */
function sectionsOf({ file, text }) {
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const links = [...section.matchAll(/\[([^\]]+)\]\(([^)#]+\.md)\)/g)].map(([, title, target]) => ({
        title: plainText(title),
        address: addressOf(path.normalize(path.join(path.dirname(file), target))),
      }));
      return { title: section.split('\n', 1)[0], links: links.filter(({ address }) => address !== undefined) };
    })
    .filter(({ links }) => links.length > 0);
}

/** The groups of the start page, in place of the link to the guides those of their index. */
function navigation(pages) {
  const named = (file) => pages.find((page) => page.file === file);
  const guides = sectionsOf(named('docs/guide/README.md'));
  const groups = sectionsOf(named('docs/README.md')).flatMap((group) =>
    group.links.some(({ address }) => address === 'guide/index.html') ? guides : [group],
  );
  const seen = new Set();
  return groups.map(({ title, links }) => ({
    title,
    links: links.filter(({ address }) => !seen.has(address) && seen.add(address)),
  }));
}

/** Sections of a page for search: those of the long reference by their headings alone, rows of errors one by one. */
function searched({ file, address, text }, { headings }) {
  const title = headings[0]?.title ?? address;
  if (file === 'docs/reference/errors.md') {
    const rows = [...text.matchAll(/^\| `(\w+)` \| (.*?) \| (.*?) \| \d+ \|/gm)];
    return rows.map(([, code, sentence, hint]) => ({
      page: title,
      title: code,
      url: `${address}#${code}`,
      text: `${sentence} ${hint}`,
    }));
  }
  const isLong = file === 'docs/reference/http.md';
  const parts = text.replace(/^```[\s\S]*?^```$/gm, (code) => code.replace(/^#/gm, ' #')).split(/^(?=#{1,4} )/m);
  return parts
    .filter((part) => part.startsWith('#'))
    .map((part, index) => {
      const { id, title: heading, depth } = headings[index];
      const body = isLong ? '' : plainText(part.slice(part.indexOf('\n'))).replaceAll(/[\s|#-]+/g, ' ');
      const url = depth === 1 ? address : `${address}#${id}`;
      return { page: title, title: heading, url, text: body.slice(0, SECTION_CHARACTERS) };
    });
}

function pageHtml({ address, headings, html, groups, order }) {
  const up = path.relative(path.dirname(address), '.') || '.';
  const href = (to) => path.relative(path.dirname(address), to);
  const title = headings[0]?.title ?? 'Troupe';
  const isIn = (group) => group.links.some((link) => link.address === address);
  const nav = groups.map((group) => {
    const items = group.links.map((link) => {
      const here = link.address === address ? ' aria-current="page"' : '';
      return `<li><a href="${href(link.address)}"${here}>${escapeHtml(link.title)}</a></li>`;
    });
    const open = isIn(group) || address === 'index.html' ? ' open' : '';
    return `<details${open}><summary>${escapeHtml(group.title)}</summary><ul>${items.join('')}</ul></details>`;
  });
  const sections = headings.filter(({ depth }) => depth === 2);
  const toc = sections.map(({ id, title: name }) => `<li><a href="#${id}">${escapeHtml(name)}</a></li>`).join('');
  const at = order.findIndex((one) => one.address === address);
  const beside = (offset, words, rel) => {
    const other = at === -1 ? undefined : order[at + offset];
    return other === undefined
      ? '<span></span>'
      : `<a rel="${rel}" href="${href(other.address)}"><small>${words}</small>${escapeHtml(other.title)}</a>`;
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title === 'Troupe' ? title : `${title} · Troupe`)}</title>
<link rel="stylesheet" href="${href('site.css')}">
<script src="${href('theme.js')}"></script>
<script src="${href('minisearch.js')}" defer></script>
<script src="${href('search.js')}" defer></script>
<script src="${href('site.js')}" defer></script>
</head>
<body data-up="${up}">
<a class="skip" href="#content">Skip to the text</a>
<header>
<a class="name" href="${href('index.html')}">Troupe</a>
<div class="search" role="search"><input type="search" placeholder="Search" aria-label="Search the documents" aria-controls="results" autocomplete="off" spellcheck="false"><kbd>/</kbd><ul id="results" hidden></ul></div>
<button type="button" class="theme" aria-label="Theme">◐</button>
<button type="button" class="menu" aria-expanded="false" aria-controls="nav">Menu</button>
</header>
<div class="columns">
<nav id="nav" aria-label="Documents">${nav.join('')}</nav>
<main id="content" tabindex="-1">
<article>
${html}</article>
<div class="beside">${beside(-1, 'Before', 'prev')}${beside(1, 'Next', 'next')}</div>
</main>
<aside>${sections.length > 1 ? `<nav aria-label="On this page"><h2>On this page</h2><ul>${toc}</ul></nav>` : ''}</aside>
</div>
</body>
</html>
`;
}

/** Makes the site in a folder, which is emptied first. Returns the number of pages. */
export async function makeSite(output) {
  const { style } = await fromSource({ style: 'src/core/review/html/style.ts' });
  rmSync(output, { recursive: true, force: true });
  mkdirSync(output, { recursive: true });
  const pages = documents();
  const groups = navigation(pages);
  const order = groups.flatMap(({ links }) => links);
  const sections = [];
  for (const page of pages) {
    const rendered = render(page);
    sections.push(...searched(page, rendered));
    const file = path.join(output, page.address);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, pageHtml({ ...page, ...rendered, groups, order }));
  }
  for (const folder of ['pictures', 'deploy', 'formats'])
    cpSync(path.join(HOME, 'docs', folder), path.join(output, folder), { recursive: true });
  for (const name of ['components.cdx.json', 'openapi.json'])
    cpSync(path.join(HOME, 'docs/reference', name), path.join(output, 'reference', name));
  // The colours of the report of a review, for the system's theme and for a chosen one.
  const [light, dark] = ['light', 'dark'].map(style.colours);
  const system = '@media (prefers-color-scheme:dark)';
  const colours = `:root{${light}}\n${system}{:root:not([data-theme=light]){${dark}}}\n:root[data-theme=dark]{${dark}}\n`;
  writeFileSync(path.join(output, 'site.css'), colours + readFileSync(path.join(PARTS, 'site.css'), 'utf8'));
  for (const name of ['site.js', 'theme.js']) cpSync(path.join(PARTS, name), path.join(output, name));
  cpSync(path.join(HOME, 'node_modules/minisearch/dist/umd/index.js'), path.join(output, 'minisearch.js'));
  writeFileSync(path.join(output, 'search.js'), `self.SECTIONS = ${JSON.stringify(sections)};\n`);
  return pages.length;
}

async function main() {
  const at = process.argv.indexOf('--output');
  const output = at === -1 ? OUTPUT : path.resolve(process.argv[at + 1]);
  const started = Date.now();
  const count = await makeSite(output);
  process.stdout.write(
    `${count} pages in ${((Date.now() - started) / 1000).toFixed(1)} s: ${path.join(output, 'index.html')}\n`,
  );
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();

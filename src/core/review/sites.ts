import { posix } from 'node:path';

/** A folder of documents that a generator makes pages of: its routes, roots and aliases are no files of the repository. */
export interface Site {
  /** Below the top of the repository; empty for the top itself. */
  readonly folder: string;
}

const MKDOCS = /(^|\/)(mkdocs|properdocs|zensical)\.(ya?ml|toml)$/;

/** The files by which a generator is known, and how many folders above them its documents begin. */
const GENERATORS: readonly (readonly [file: RegExp, up: number])[] = [
  [/(^|\/)(docusaurus|astro|gatsby|nuxt|next|rspress|eleventy)[.-]config\.[cm]?[jt]sx?$/, 0],
  [/(^|\/)\.eleventy\.[cm]?js$/, 0],
  [/(^|\/)\.(vitepress|vuepress)\/config\.[cm]?[jt]s$/, 1],
  [/(^|\/)\.(vitepress|vuepress)\/config\/[^/]+$/, 2],
  [MKDOCS, 0],
  [/(^|\/)_config\.(ya?ml|toml)$/, 0],
  [/(^|\/)hugo\.(toml|ya?ml|json)$/, 0],
  [/(^|\/)(antora|antora-playbook)\.ya?ml$/, 0],
  [/(^|\/)(book\.toml|docfx\.json|mint\.json|_sidebar\.md|SUMMARY\.md)$/, 0],
  [/(^|\/)docs?\/(source\/)?conf\.py$/, 0],
];

/** Where files lie that a generator serves from its root, or from beside its documents. */
const ROOTS = ['', 'docs', 'content', 'src', 'src/content', 'pages', 'static', 'public', 'assets', '.vitepress/public'];
const ENDINGS = [
  '',
  '.md',
  '.mdx',
  '.markdown',
  '.rst',
  '/index.md',
  '/index.mdx',
  '/_index.md',
  '/README.md',
  '/readme.md',
];
/** Parts of a site that take what they lack from another part: translations, and the documents of earlier versions. */
const BORROWS = /(^|\/)(i18n|translations?|locales?|versioned_docs|version-[^/]+|[a-z]{2}(-[A-Za-z]{2,4})?)\//;

/** Every site of a repository, the innermost first. */
export function sitesOf(files: readonly string[]): Site[] {
  const folders = new Set<string>();
  // Beside it, a config.toml is one of Hugo or Zola.
  const contents = new Set(files.flatMap((file) => contentParents(file)));
  for (const file of files) {
    for (const [pattern, up] of GENERATORS) {
      if (!pattern.test(file)) continue;
      let folder = posix.dirname(file);
      for (let step = 0; step < up; step++) folder = posix.dirname(folder);
      folders.add(folder === '.' ? '' : folder);
    }
    if (MKDOCS.test(file)) for (const folder of documentsBeside(file, files)) folders.add(folder);
    if (/(^|\/)config\.toml$/.test(file) && contents.has(posix.dirname(file)))
      folders.add(posix.dirname(file) === '.' ? '' : posix.dirname(file));
  }
  return [...folders].sort((left, right) => right.length - left.length).map((folder) => ({ folder }));
}

/** Where the documents of a configuration lie that has none below it: in the folder beside its own. */
function documentsBeside(file: string, files: readonly string[]): string[] {
  const folder = posix.dirname(file);
  if (folder === '.' || files.some((other) => other.startsWith(`${folder}/docs/`))) return [];
  return ['doc', 'docs'].map((name) => posix.join(folder, '..', name));
}

/** The folders above a file that have it in their `content`. */
function contentParents(file: string): string[] {
  const parts = file.split('/');
  return parts
    .slice(0, -1)
    .flatMap((part, index) => (part === 'content' ? [parts.slice(0, index).join('/') || '.'] : []));
}

/** The site a document belongs to. What lies at the very top (a README, a CHANGELOG) is read on the code host. */
export function siteOf(sites: readonly Site[], file: string): Site | undefined {
  if (!file.includes('/')) return undefined;
  return sites.find(({ folder }) => folder === '' || file.startsWith(`${folder}/`));
}

/** Whether a target of a document in a site is a file after all, by any of the ways in which generators look for one. */
export function isServed(site: Site, from: string, target: string, exists: (file: string) => boolean): boolean {
  const bare = target
    .replace(/^@site\//, '/')
    .replace(/\.html?$/, '')
    .replace(/\/$/, '');
  const folders = bare.startsWith('/')
    ? ROOTS.map((root) => posix.join(site.folder, root))
    : [
        posix.dirname(from),
        from.replace(/\.\w+$/, ''), // a page may be a folder of its own
        posix.join(posix.dirname(from), '..'),
        ...ROOTS.map((root) => posix.join(site.folder, root)),
      ];
  const relative = bare.replace(/^\/+/, '');
  return folders.some((folder) =>
    ENDINGS.some((ending) => exists(posix.normalize(posix.join(folder, `${relative}${ending}`)))),
  );
}

/** Whether only the generator knows where a target leads: a route, an alias, a page it makes itself. */
export function isRoute(from: string, target: string): boolean {
  const last = target.slice(target.lastIndexOf('/') + 1);
  const hasEnding = /\.[A-Za-z]\w{0,5}$/.test(last);
  return target.startsWith('/') || /^[@~]/.test(target) || !hasEnding || /\.html?$/.test(last) || BORROWS.test(from);
}

import GithubSlugger from 'github-slugger';
import type { Nodes } from 'mdast';
import { fromMarkdown } from 'mdast-util-from-markdown';
import type { TrackedFileReader } from '#adapters/inspectors/tracked-files.js';
import { isMarkdown } from '#core/review/facts.js';
import { type Document, judgeLinks, type Link } from '#core/review/links.js';
import type { ReviewPlan } from '#core/review/plan.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { plural } from '#kernel/text.js';
import type { Git } from '#ports/git.js';
import type { InspectionResult } from '#ports/inspector.js';

/** Maximum bytes of a document. Larger ones are usually generated, and parse time grows faster than size. */
const DOCUMENT_BYTES = 512 * 1024;

/**
 * Checks each relative link, image and anchor of the tracked Markdown files. Nothing is fetched. A target that git
 * ignores is not broken, because a build creates it.
 */
export async function links(
  git: Git,
  reader: TrackedFileReader,
  plan: ReviewPlan,
  files: readonly string[],
): Promise<InspectionResult> {
  const documents = new Map<string, Document>();
  for await (const { file, text } of reader.texts(files.filter(isMarkdown), DOCUMENT_BYTES)) {
    documents.set(file, readDocument(text));
  }
  const { checked, broken } = judgeLinks(documents, files);
  const ignored = await ignoredPaths(git, plan.repository, [
    ...new Set(broken.flatMap(({ missing }) => missing ?? [])),
  ]);
  const findings = broken
    .filter(({ missing }) => missing === undefined || !ignored.has(missing))
    .map(({ finding }) => finding);
  return {
    command: 'links, images and anchors of every Markdown file of git ls-files',
    exit_code: 0,
    output: `${plural(documents.size, 'document')}, ${plural(checked, 'link')} inside the repository followed, ${findings.length} broken.`,
    findings: [...findings.slice(0, SURFACE_LIMITS.inspectFindings), ...reader.findings('links')],
    facts: { documents: documents.size, followed: checked, broken: findings.length },
  };
}

/** Paths per call of git: few enough to fit on a command line at any length. */
const PATHS_ASKED = 100;

/** Paths that git ignores. */
async function ignoredPaths(git: Git, repository: string, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const ignored = new Set<string>();
  for (let from = 0; from < paths.length; from += PATHS_ASKED) {
    // The prefix `./` prevents git from interpreting a path as a pathspec pattern.
    const asked = paths.slice(from, from + PATHS_ASKED).map((file) => `./${file}`);
    const text =
      (await git.tryOutput(repository, ['-c', 'core.quotePath=false', 'check-ignore', '--', ...asked])) ?? '';
    for (const file of text.split('\n')) ignored.add(file.slice('./'.length));
  }
  return ignored;
}

/** Directives of generators that include parts of other sources in a page. */
const OPEN = /^(:::\s+[\w.-]+\s*$|```\{(eval-rst|automodule|include)|<!--\s*@include|--8<--|\{%|<[A-Z]\w+[\s/>])/m;

/** Links and anchors of a Markdown text. Links in code are ignored. */
function readDocument(text: string): Document {
  const links: Link[] = [];
  const anchors: string[] = [];
  const slugger = new GithubSlugger();
  const pending: Nodes[] = [fromMarkdown(text)];
  for (let node = pending.pop(); node; node = pending.pop()) {
    const line = node.position?.start.line ?? 1;
    if (node.type === 'link' || node.type === 'definition') links.push({ target: node.url, line, image: false });
    else if (node.type === 'image') links.push({ target: node.url, line, image: true });
    else if (node.type === 'heading') anchors.push(slugger.slug(plainText(node).trim()));
    else if (node.type === 'html') readHtml(node.value, line, links, anchors);
    // Reversed, because `pop` takes the last: headings must be visited in document order to be numbered correctly.
    if ('children' in node) pending.push(...[...node.children].reverse());
  }
  // Explicit ids: `## Title {#id}` and attribute lists of other generators.
  for (const match of text.matchAll(/\{:?[^{}\n]{0,80}?#([\w.:-]{1,200})[^{}\n]{0,80}\}/g))
    anchors.push((match[1] ?? '').toLowerCase());
  return { links, anchors: new Set(anchors), isOpen: OPEN.test(text) };
}

function readHtml(html: string, line: number, links: Link[], anchors: string[]): void {
  for (const match of html.matchAll(/<(a|img)\b[^>]{0,1000}?(?<=\s)(href|src)\s*=\s*["']([^"']{1,1000})["']/gi)) {
    links.push({ target: match[3] ?? '', line, image: match[1]?.toLowerCase() === 'img' });
  }
  for (const match of html.matchAll(/(?<=\s)(?:id|name)\s*=\s*["']([^"']{1,1000})["']/gi))
    anchors.push((match[1] ?? '').toLowerCase());
}

function plainText(node: Nodes): string {
  if ('value' in node && node.type !== 'html') return node.value;
  if (node.type === 'image') return node.alt ?? '';
  return 'children' in node ? node.children.map(plainText).join('') : '';
}

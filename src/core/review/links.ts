import { posix } from 'node:path';
import { isMarkdown } from '#core/review/facts.js';
import { type Confidence, compareText, type Finding, finding } from '#core/review/finding.js';
import { isTest } from '#core/review/samples.js';
import { isRoute, isServed, type Site, siteOf, sitesOf } from '#core/review/sites.js';
import { cut, inert } from '#kernel/text.js';

export interface Link {
  readonly target: string;
  readonly line: number;
  readonly image: boolean;
}

export interface Document {
  readonly links: readonly Link[];
  /** What a `#fragment` may name, in lower case. */
  readonly anchors: ReadonlySet<string>;
  /** A program writes parts of it when it is built: it may have anchors that nobody sees here. */
  readonly isOpen: boolean;
}

export interface BrokenLink {
  readonly finding: Finding;
  /** The path that is not in the repository; absent where only a heading is missing. */
  readonly missing?: string;
}

/** What one document may link to, and how sure it is that a target which is not there is broken. */
class Ground {
  private readonly paths: Set<string>;
  private readonly sites: readonly Site[];
  private readonly hasRust: boolean;

  constructor(files: readonly string[]) {
    this.paths = new Set(files);
    for (const file of files) {
      for (let folder = posix.dirname(file); folder !== '.' && !this.paths.has(folder); folder = posix.dirname(folder))
        this.paths.add(folder);
    }
    this.paths.add('.');
    this.sites = sitesOf(files);
    this.hasRust = files.some((file) => posix.basename(file) === 'Cargo.toml');
  }

  has(file: string): boolean {
    return this.paths.has(file);
  }

  inSite(file: string): boolean {
    return siteOf(this.sites, file) !== undefined;
  }

  /** Whether nobody but a generator, a code host or a compiler can say where this leads. */
  isOpaque(from: string, target: string): boolean {
    if (PLACEHOLDER.test(target) || TEMPLATE.test(from)) return true;
    if (
      this.hasRust &&
      (RUST_ITEM.test(target) || (/(^|\/)src\//.test(from) && !/\.(md|png|svg|jpe?g|gif)\b/.test(target)))
    )
      return true;
    const site = siteOf(this.sites, from);
    if (site) return isServed(site, from, target, (file) => this.has(file)) || isRoute(from, target);
    return target.startsWith('/') && !/\.\w{1,6}$/.test(target);
  }
}

/** Words that stand for a target where a document shows how one is written. */
const PLACEHOLDER = /^(url|link|path|href|src|\.{3}|…|image|file)$|(^|\/)path\/to\/|[<>*]|\{[^}]*\}|%7B|\$\w/i;
/** Forms that people fill in, elsewhere. */
const TEMPLATE = /(^|\/)(issue_template|pull_request_template)[./]/i;
/** How documents of Rust name items of the program. */
const RUST_ITEM =
  /::|^(crate|self|super|Self)\b|^`.*`$|^(fn|struct|enum|trait|type|mod|module|macro|method|const|constant|derive|prim|primitive|value|field|variant|attr|union|static|tymethod)@|^[\w.]+(!|\(\))$|^[A-Z][a-z]\w*$/;

/**
 * Which links inside the repository lead nowhere. Not judged are links to other places, placeholders, links above the top
 * (code hosts give those a meaning of their own), items of a program, and what only a site generator knows.
 */
export function judgeLinks(
  documents: ReadonlyMap<string, Document>,
  files: readonly string[],
): { checked: number; broken: BrokenLink[] } {
  const ground = new Ground(files);
  const anchors = new Anchors();
  let checked = 0;
  const links: BrokenLink[] = [];
  for (const [file, document] of [...documents].sort(([left], [right]) => compareText(left, right))) {
    if (isTest(file) || (ground.inSite(file) && /(^|\/)_[^/]+$/.test(file))) continue; // broken on purpose, or a part of many pages
    for (const link of document.links) {
      const place = placeOf(file, link.target);
      if (!place) continue;
      checked++;
      const confidence = ground.inSite(file) ? 'likely' : 'certain';
      if (!ground.has(place.file)) {
        if (place.target === '' || ground.isOpaque(file, place.target)) continue;
        const absent = broken(file, link, `${inert(place.file)} is not in the repository.`, confidence);
        links.push({ finding: absent, missing: place.file });
      } else if (place.anchor !== '' && isMarkdown(place.file)) {
        const target = documents.get(place.file);
        if (target && !target.isOpen && !anchors.has(target, place.anchor))
          links.push({
            finding: broken(file, link, `${inert(place.file)} has no heading “${inert(place.anchor)}”.`, confidence),
          });
      }
    }
  }
  return { checked, broken: links };
}

/** What documents may be linked to inside, by letters and digits alone: generators make anchors by rules of their own. */
class Anchors {
  private readonly bare = new Map<Document, ReadonlySet<string>>();

  has(document: Document, anchor: string): boolean {
    if (document.anchors.has(anchor)) return true;
    let names = this.bare.get(document);
    if (names === undefined) {
      names = new Set([...document.anchors].map(bareName));
      this.bare.set(document, names);
    }
    return names.has(bareName(anchor));
  }
}

function bareName(anchor: string): string {
  return anchor.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, '');
}

/** Where a link leads, below the top; undefined for what is not ours to judge. */
function placeOf(from: string, target: string): { file: string; anchor: string; target: string } | undefined {
  if (target === '' || /^([a-z][a-z0-9+.-]*:(?!:)|\/\/)/i.test(target) || /\{\{|\$\{|<%|%7B%7B/i.test(target))
    return undefined;
  const hash = target.indexOf('#');
  const before = (hash === -1 ? target : target.slice(0, hash)).replace(/\?.*$/s, '');
  const anchor = decode(hash === -1 ? '' : target.slice(hash + 1)).toLowerCase();
  if (before === '') return hash === -1 || anchor === '' ? undefined : { file: from, anchor, target: '' };
  const decoded = decode(before);
  const joined = decoded.startsWith('/') ? decoded.replace(/^\/+/, '') : posix.join(posix.dirname(from), decoded);
  const file = posix.normalize(joined).replace(/\/$/, '');
  if (file === '..' || file.startsWith('../')) return undefined;
  return { file: file === '' ? '.' : file, anchor, target: decoded };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone percent sign: taken as it stands
  }
}

function broken(file: string, link: Link, why: string, confidence: Confidence): Finding {
  return finding(
    {
      severity: link.image ? 'medium' : 'low',
      confidence,
      title: link.image ? 'An image is missing' : 'A link is broken',
      detail: `${cut(inert(link.target), 200)}: ${why}`,
      file,
      line: link.line,
      rule: link.image ? 'missing-image' : 'broken-link',
      remedy: 'Fix the target, or remove it.',
    },
    link.target,
  );
}

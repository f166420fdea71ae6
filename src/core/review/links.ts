import { posix } from 'node:path';
import { isMarkdown } from '#core/review/facts.js';
import { type Confidence, type Finding, finding } from '#core/review/finding.js';
import { isGeneratedPath, isTest } from '#core/review/samples.js';
import { compareText } from '#kernel/order.js';
import { inert, inSentence } from '#kernel/text.js';

export interface Link {
  readonly target: string;
  readonly line: number;
  readonly image: boolean;
}

export interface Document {
  readonly links: readonly Link[];
  /** Fragments that exist in the document, in lower case. */
  readonly anchors: ReadonlySet<string>;
  /** Whether parts of the document are generated at build time, so that it may have more anchors. */
  readonly isOpen: boolean;
}

export interface BrokenLink {
  readonly finding: Finding;
  /** Path that is missing in the repository; absent if only a heading is missing. */
  readonly missing?: string;
}

/** Possible targets of links. */
class LinkTargets {
  private readonly paths: Set<string>;
  /** Full paths by base name. */
  private readonly byName = new Map<string, string[]>();
  private readonly hasRust: boolean;

  constructor(files: readonly string[]) {
    this.paths = new Set(files);
    for (const file of files) {
      for (let folder = posix.dirname(file); folder !== '.' && !this.paths.has(folder); folder = posix.dirname(folder))
        this.paths.add(folder);
    }
    this.paths.add('.');
    for (const file of this.paths) {
      const name = posix.basename(file).replace(/\.\w+$/, '');
      this.byName.set(name, [...(this.byName.get(name) ?? []), file]);
    }
    this.hasRust = files.some((file) => posix.basename(file) === 'Cargo.toml');
  }

  has(file: string): boolean {
    return this.paths.has(file);
  }

  /** Whether the target can be resolved only by a generator, a server, a code host or a compiler. */
  isOpaque(from: string, target: string): boolean {
    if (PLACEHOLDER.test(target) || CONSTANT.test(target) || TEMPLATE.test(from)) return true;
    if (
      this.hasRust &&
      (RUST_ITEM.test(target) || (/(^|\/)src\//.test(from) && !/\.(md|png|svg|jpe?g|gif)\b/.test(target)))
    )
      return true;
    const isRoute = !/\.\w{1,6}$/.test(target);
    if (isReadme(from)) return target.startsWith('/') && isRoute;
    return isRoute || /^[/@~]|\.html?$/.test(target) || this.liesElsewhere(from, target);
  }

  /**
   * Whether a file ends in this path, such as a neighbour in a folder above: documents may be served from another root.
   */
  private liesElsewhere(from: string, target: string): boolean {
    const end = `/${target.replace(/^(\.{0,2}\/)+/, '').replace(/\.\w+$/, '')}`;
    const isNeighbour = isMarkdown(target) && !end.slice(1).includes('/');
    return (this.byName.get(posix.basename(end)) ?? []).some(
      (file) =>
        `/${file}`.replace(/\.\w+$/, '').endsWith(end) && (!isNeighbour || from.startsWith(`${posix.dirname(file)}/`)),
    );
  }
}

/** Whether a document is usually read on the code host, where a link leads to a file or nowhere. */
const isReadme = (file: string): boolean => !file.includes('/') || /(^|\/)readme\.\w+$/i.test(file);

/** Placeholders for a target in documents that show link syntax. */
const PLACEHOLDER = /^(url|link|path|href|src|\.{3}|…|image|file)$|(^|\/)path\/to\/|[<>*]|\{[^}]*\}|\$\w/i;
/** A folder name that a program replaces. */
const CONSTANT = /^[A-Z][A-Z_]+\//;
/** Issue and pull request templates, whose links are resolved elsewhere. */
const TEMPLATE = /(^|\/)(issue_template|pull_request_template)[./]/i;
/** Rust documentation syntax for items of the program. */
const RUST_ITEM =
  /::|^(crate|self|super|Self)\b|^`.*`$|^(fn|struct|enum|trait|type|mod|module|macro|method|const|constant|derive|prim|primitive|value|field|variant|attr|union|static|tymethod)@|^[\w.]+(!|\(\))$|^[A-Z][a-z]\w*$/;

/**
 * Finds broken links within the repository. Not checked are external links, placeholders, links above the top (code
 * hosts interpret them), items of a program, and targets that only a site generator resolves.
 */
export function judgeLinks(
  documents: ReadonlyMap<string, Document>,
  files: readonly string[],
): { checked: number; broken: BrokenLink[] } {
  const ground = new LinkTargets(files);
  const anchors = new Anchors();
  let checked = 0;
  const links: BrokenLink[] = [];
  const folders = new Map<string, { followed: number; broken: BrokenLink[] }>();
  for (const [file, document] of [...documents].sort(([left], [right]) => compareText(left, right))) {
    if (isTest(file) || isGeneratedPath(file) || /(^|\/)_[^/]+$/.test(file)) continue; // broken on purpose, or a part of many pages
    const confidence = isReadme(file) ? 'certain' : 'likely';
    let followed = 0;
    const found: BrokenLink[] = [];
    for (const link of document.links) {
      const place = placeOf(file, link.target);
      if (!place) continue;
      followed++;
      if (!ground.has(place.file)) {
        if (place.target === '' || ground.isOpaque(file, place.target)) continue;
        const absent = broken(file, link, `${inert(place.file)} is not in the repository.`, confidence);
        found.push({ finding: absent, missing: place.file });
      } else if (place.anchor !== '' && isMarkdown(place.file)) {
        const target = documents.get(place.file);
        if (target && !target.isOpen && !anchors.has(target, place.anchor))
          found.push({
            finding: broken(file, link, `${inert(place.file)} has no heading “${inert(place.anchor)}”.`, confidence),
          });
      }
    }
    checked += followed;
    if (isReadme(file)) {
      links.push(...found);
      continue;
    }
    const folder = posix.dirname(file);
    const known = folders.get(folder) ?? { followed: 0, broken: [] };
    folders.set(folder, { followed: known.followed + followed, broken: [...known.broken, ...found] });
  }
  for (const [folder, { followed, broken: found }] of folders)
    links.push(
      ...(isSystematicFailure(found.length, followed)
        ? [{ finding: servedElsewhere(folder, found.length, followed) }]
        : found),
    );
  return { checked, broken: links };
}

/** Whether so many failures indicate a systematic cause unknown here instead of mistakes. */
const isSystematicFailure = (broken: number, all: number): boolean => broken >= 3 && broken * 2 >= all;

function servedElsewhere(folder: string, missing: number, followed: number): Finding {
  return finding({
    severity: 'info',
    confidence: 'possible',
    title: 'Most links of a folder lead nowhere in the repository',
    detail: `${missing} of ${followed} links. A program may serve these documents from another place.`,
    file: folder,
    rule: 'broken-links-alike',
    remedy: 'Follow one of them where the documents are read.',
  });
}

/** Anchors of documents, compared by letters and digits only, because generators derive anchors by different rules. */
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

/** Target of a link, relative to the top; undefined for targets that are not checked. */
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
    return text; // a lone percent sign, kept verbatim
  }
}

function broken(file: string, link: Link, why: string, confidence: Confidence): Finding {
  return finding(
    {
      severity: 'low',
      confidence,
      title: link.image ? 'An image is missing' : 'A link is broken',
      detail: `${inSentence(link.target)}: ${why}`,
      file,
      line: link.line,
      rule: link.image ? 'missing-image' : 'broken-link',
      remedy: 'Fix the target, or remove it.',
    },
    link.target,
  );
}

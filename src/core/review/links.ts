import { posix } from 'node:path';
import { isMarkdown } from '#core/review/facts.js';
import { compareText, type Finding, finding } from '#core/review/finding.js';
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
}

/**
 * Which links inside the repository lead nowhere. Links to other places, placeholders of templates and links above the
 * top (code hosts give those a meaning of their own) are not judged.
 */
export function judgeLinks(
  documents: ReadonlyMap<string, Document>,
  files: readonly string[],
): { checked: number; findings: Finding[] } {
  const paths = new Set(files);
  for (const file of files) {
    for (let folder = posix.dirname(file); folder !== '.' && !paths.has(folder); folder = posix.dirname(folder))
      paths.add(folder);
  }
  paths.add('.');
  let checked = 0;
  const findings: Finding[] = [];
  for (const [file, document] of [...documents].sort(([left], [right]) => compareText(left, right))) {
    for (const link of document.links) {
      const place = placeOf(file, link.target);
      if (!place) continue;
      checked++;
      if (!paths.has(place.file)) findings.push(broken(file, link, `${inert(place.file)} is not in the repository.`));
      else if (place.anchor !== '' && isMarkdown(place.file)) {
        const anchors = documents.get(place.file)?.anchors;
        if (anchors && !anchors.has(place.anchor))
          findings.push(broken(file, link, `${inert(place.file)} has no heading “${inert(place.anchor)}”.`));
      }
    }
  }
  return { checked, findings };
}

/** Where a link leads, below the top; undefined for what is not ours to judge. */
function placeOf(from: string, target: string): { file: string; anchor: string } | undefined {
  if (target === '' || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target) || /\{\{|\$\{|<%|%7B%7B/i.test(target))
    return undefined;
  const hash = target.indexOf('#');
  const before = (hash === -1 ? target : target.slice(0, hash)).replace(/\?.*$/s, '');
  const anchor = decode(hash === -1 ? '' : target.slice(hash + 1)).toLowerCase();
  if (before === '') return hash === -1 || anchor === '' ? undefined : { file: from, anchor };
  const decoded = decode(before);
  const joined = decoded.startsWith('/') ? decoded.replace(/^\/+/, '') : posix.join(posix.dirname(from), decoded);
  const file = posix.normalize(joined).replace(/\/$/, '');
  return file === '..' || file.startsWith('../') ? undefined : { file: file === '' ? '.' : file, anchor };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone percent sign: taken as it stands
  }
}

function broken(file: string, link: Link, why: string): Finding {
  return finding(
    {
      severity: link.image ? 'medium' : 'low',
      title: link.image ? 'An image is missing' : 'A link leads nowhere',
      detail: `${cut(inert(link.target), 200)}: ${why}`,
      file,
      line: link.line,
      rule: link.image ? 'missing-image' : 'broken-link',
      remedy: 'Point it to what is there, or remove it.',
    },
    link.target,
  );
}

import { inert } from '#kernel/text.js';

/** One file of a patch, unparsed: most files of a large change are never looked at. */
export interface PatchPart {
  readonly path: string;
  readonly text: string;
  readonly isBinary: boolean;
  /** Whether it says what happened to the file apart from its lines: added, removed, renamed, its mode changed. */
  readonly note?: string;
  /** Number of its lines in the unified view. */
  readonly lines: number;
}

/**
 * Splits a patch into its files. Characters that would change how it reads, such as those for writing from right to
 * left, are made visible. `isCut`: the last file is incomplete and is left out.
 */
export function patchParts(patch: string, isCut: boolean): ReadonlyMap<string, PatchPart> {
  const [, ...texts] = `\n${readable(patch)}`.split(/\n(?=diff --git )/);
  if (isCut) texts.pop();
  return new Map(texts.map((text) => partOf(text)).map((part) => [part.path, part]));
}

/** The only file of a patch, even if it is incomplete. */
export function onlyPart(patch: string): PatchPart | undefined {
  const [first] = patchParts(patch, false).values();
  return first;
}

function partOf(text: string): PatchPart {
  const start = text.search(/^@@ /m);
  const head = start === -1 ? text : text.slice(0, start);
  const note = noteOf(head);
  return {
    path: pathOf(head),
    text,
    isBinary: /^(?:Binary files |GIT binary patch)/m.test(head),
    ...(note === undefined ? {} : { note }),
    lines: start === -1 ? 0 : text.slice(start).split('\n').length,
  };
}

/** Path after the change, or before it if the file was removed. */
function pathOf(head: string): string {
  const named = lineAfter(head, '+++ ');
  if (named !== undefined && named !== '/dev/null') return unquoted(named).slice(2);
  const before = lineAfter(head, '--- ');
  if (before !== undefined) return unquoted(before).slice(2);
  const renamed = lineAfter(head, 'rename to ');
  if (renamed !== undefined) return unquoted(renamed);
  // Without lines, both names are the same: `a/NAME b/NAME`.
  const both = lineAfter(head, 'diff --git ') ?? '';
  return unquoted(both.slice(0, Math.floor(both.length / 2))).slice(2);
}

function lineAfter(head: string, start: string): string | undefined {
  const line = head.split('\n').find((candidate) => candidate.startsWith(start));
  return line?.slice(start.length).replace(/\t$/, '');
}

const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' };

/** A name as git quotes it if it has quotes or control characters. */
function unquoted(name: string): string {
  if (!name.startsWith('"')) return name;
  return name.replace(/^"|"$/g, '').replace(/\\([ntr"\\])/g, (_, letter: string) => ESCAPED[letter] ?? letter);
}

function noteOf(head: string): string | undefined {
  const from = lineAfter(head, 'rename from ');
  if (from !== undefined) return `renamed from ${unquoted(from)}`;
  if (head.includes('\nnew file mode ')) return 'new';
  if (head.includes('\ndeleted file mode ')) return 'removed';
  const mode = lineAfter(head, 'new mode ');
  return mode === undefined ? undefined : mode.endsWith('755') ? 'executable now' : 'mode changed';
}

function readable(patch: string): string {
  return inert(patch.replace(/\r$/gm, '␍'), true);
}

/** Files that programs write and people do not read. */
const GENERATED =
  /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|Gemfile\.lock|poetry\.lock|uv\.lock|composer\.lock|go\.sum|flake\.lock)$|\.(?:min\.(?:js|css)|map|snap|pb\.go)$|(?:^|\/)(?:dist|vendor|node_modules|__snapshots__)\//;

export function isGenerated(path: string): boolean {
  return GENERATED.test(path);
}

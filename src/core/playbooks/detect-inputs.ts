/** A part of a text that would differ in another application. */
export interface Variation {
  readonly kind: 'url' | 'command' | 'path' | 'threshold';
  readonly value: string;
}

const URL_TEXT = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`<>()[\]{}|\\^]{1,2000}/gi;
const QUOTED = /`([^`\n]{2,300})`/g;
const PROMPTED = /^[ \t]*\$ ([^\n]{1,300})$/gm;
const PATH = /(?<![\p{L}\p{N}_/.:@-])(?:(?:~|\.{1,2})?\/)?(?:[\p{L}\p{N}_.@-]{1,100}\/){1,30}[\p{L}\p{N}_.@-]{0,100}/gu;
const FILE_NAME =
  /(?<![\p{L}\p{N}_/.:@-])[\p{L}\p{N}_-][\p{L}\p{N}_.-]{0,100}\.(?:[cm]?[jt]sx?|json|ya?ml|toml|md|txt|py|rs|go|rb|java|kt|c|h|cc|cpp|hpp|cs|php|swift|sh|sql|html|css|csv|xml|lock|ini|cfg|conf|pdf)(?![\p{L}\p{N}_/-])/gu;
const NUMBER = String.raw`(?<![\p{L}\p{N}_.,])\d{1,12}(?:\.\d{1,9})?(?![\d.,]\d|\d)`;
const BEFORE_NUMBER = [
  ...['at least', 'at most', 'no more than', 'no less than', 'no fewer than', 'fewer than', 'less than', 'more than'],
  ...['greater than', 'under', 'over', 'above', 'below', 'within', 'up to', 'minimum of', 'maximum of', 'limit of'],
  ...[
    'threshold of',
    'threshold:',
    'threshold',
    'limit:',
    'minimum',
    'maximum',
    'min',
    'max',
    '<',
    '>',
    '<=',
    '>=',
    '≤',
    '≥',
  ],
];
const THRESHOLD = new RegExp(
  `(?<=(?:^|[^\\p{L}])(?:${BEFORE_NUMBER.join('|')})[ ]?)${NUMBER}|${NUMBER}(?=[ ]?%)`,
  'giu',
);

const PROGRAMS = new Set([
  ...['npm', 'npx', 'pnpm', 'yarn', 'node', 'deno', 'bun', 'tsc', 'vitest', 'jest', 'eslint', 'biome', 'prettier'],
  ...[
    'cargo',
    'rustc',
    'go',
    'make',
    'cmake',
    'ninja',
    'python',
    'python3',
    'pytest',
    'pip',
    'uv',
    'ruff',
    'mypy',
    'tox',
  ],
  ...['mvn', 'gradle', './gradlew', 'dotnet', 'bundle', 'rake', 'rspec', 'composer', 'php', 'git', 'docker', 'kubectl'],
  ...['terraform', 'bash', 'sh', 'curl', 'wg', 'troupe', 'just', 'bazel', 'swift', 'mix', 'ansible'],
]);

/** Detects addresses, commands, paths and thresholds in a text, unordered and with duplicates. */
export function detect(text: string): Variation[] {
  const variations: Variation[] = [];
  for (const [match] of text.matchAll(URL_TEXT)) {
    const value = match.replace(/[.,:;!?]+$/, '');
    if (URL.canParse(value)) variations.push({ kind: 'url', value });
  }
  for (const [, quoted = ''] of text.matchAll(QUOTED))
    if (isCommand(quoted)) variations.push({ kind: 'command', value: quoted });
  for (const [, typed = ''] of text.matchAll(PROMPTED)) variations.push({ kind: 'command', value: typed.trim() });
  for (const [match] of text.matchAll(PATH)) variations.push(...pathOf(match));
  for (const [match] of text.matchAll(FILE_NAME)) variations.push({ kind: 'path', value: match });
  for (const { value } of thresholdsIn(text)) variations.push({ kind: 'threshold', value });
  return variations;
}

/** Thresholds in a text with their positions. Only numbers that survive parsing and formatting unchanged. */
export function thresholdsIn(text: string): { at: number; value: string }[] {
  return [...text.matchAll(THRESHOLD)]
    .filter(([value]) => String(Number(value)) === value)
    .map((match) => ({ at: match.index, value: match[0] }));
}

function isCommand(text: string): boolean {
  const [program = '', ...rest] = text.trim().split(' ');
  return text === text.trim() && PROGRAMS.has(program) && rest.length > 0;
}

/** A path has an extension, a leading or trailing slash, or three parts; `and/or` is none. */
function pathOf(match: string): Variation[] {
  const value = match.replace(/\.+$/, '');
  const parts = value.split('/');
  const sure =
    /^[~.]{0,2}\//.test(value) || value.endsWith('/') || parts.length > 2 || /\.\p{L}[\p{L}\p{N}]{0,9}$/u.test(value);
  return sure && /[\p{L}\p{N}]/u.test(value) ? [{ kind: 'path', value }] : [];
}

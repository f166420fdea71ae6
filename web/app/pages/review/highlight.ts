import { type HunkData, type HunkTokens, markEdits, tokenize } from 'react-diff-view';
import { refractor, type Syntax } from 'refractor/core';

type Load = () => Promise<{ readonly default: Syntax }>;

/** Languages by the ends of file names. Each is loaded when the first file of it is shown. */
const LANGUAGES: readonly (readonly [ends: RegExp, name: string, load: Load])[] = [
  [/\.[cm]?ts$/, 'typescript', () => import('refractor/typescript')],
  [/\.tsx$/, 'tsx', () => import('refractor/tsx')],
  [/\.([cm]?js|jsx)$/, 'jsx', () => import('refractor/jsx')],
  [/\.(json|jsonc|json5|webmanifest)$/, 'json', () => import('refractor/json')],
  [/\.(css|scss|less)$/, 'css', () => import('refractor/css')],
  [/\.(html?|xml|svg|vue|svelte)$/, 'markup', () => import('refractor/markup')],
  [/\.(md|mdx|markdown)$/, 'markdown', () => import('refractor/markdown')],
  [/\.pyi?$/, 'python', () => import('refractor/python')],
  [/\.rs$/, 'rust', () => import('refractor/rust')],
  [/\.go$/, 'go', () => import('refractor/go')],
  [/\.java$/, 'java', () => import('refractor/java')],
  [/\.kts?$/, 'kotlin', () => import('refractor/kotlin')],
  [/\.swift$/, 'swift', () => import('refractor/swift')],
  [/\.cs$/, 'csharp', () => import('refractor/csharp')],
  [/\.(c|h)$/, 'c', () => import('refractor/c')],
  [/\.(cc|cpp|cxx|hh|hpp)$/, 'cpp', () => import('refractor/cpp')],
  [/\.rb$/, 'ruby', () => import('refractor/ruby')],
  [/\.php$/, 'php', () => import('refractor/php')],
  [/\.sql$/, 'sql', () => import('refractor/sql')],
  [/\.ya?ml$/, 'yaml', () => import('refractor/yaml')],
  [/\.(toml|lock)$/, 'toml', () => import('refractor/toml')],
  [/\.(sh|bash|zsh)$|(^|\/)\.?(bashrc|zshrc|profile)$/, 'bash', () => import('refractor/bash')],
  [/(^|\/)Dockerfile(\.|$)/, 'docker', () => import('refractor/docker')],
];

/** Lines beyond which a file is shown without colours, and beyond which changed words are not looked for. */
const MOST_LINES = 4_000;
const MOST_MARKED = 1_200;

/** Coloured tokens of a file; undefined if its language is unknown or it is too long. */
export async function tokensOf(path: string, hunks: HunkData[]): Promise<HunkTokens | undefined> {
  const lines = hunks.reduce((sum, { changes }) => sum + changes.length, 0);
  if (lines > MOST_LINES) return undefined;
  const enhancers = lines > MOST_MARKED ? [] : [markEdits(hunks, { type: 'block' })];
  const language = LANGUAGES.find(([ends]) => ends.test(path));
  if (language === undefined) return tokenize(hunks, { enhancers });
  const [, name, load] = language;
  refractor.register((await load()).default);
  const highlighter = { highlight: (text: string) => refractor.highlight(text, name).children };
  return tokenize(hunks, { highlight: true, refractor: highlighter, language: name, enhancers });
}

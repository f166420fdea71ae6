/** Files that name what a repository depends on, by base name. */
export const DEPENDENCY_FILES = [
  'package.json',
  'package-lock.json',
  'npm-shrinkwrap.json',
  'pnpm-lock.yaml',
  'yarn.lock',
  'pyproject.toml',
  'requirements.txt',
  'poetry.lock',
  'uv.lock',
  'Pipfile.lock',
  'Cargo.toml',
  'Cargo.lock',
  'go.mod',
  'go.sum',
  'pom.xml',
];

/** Folders in which Troupe keeps its own state: they are no part of what is reviewed. */
const OWN_FOLDERS = /^(\.workgraph|\.squad)\//;

export function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

export function isMarkdown(file: string): boolean {
  return /\.(md|markdown|mdx?)$/i.test(file);
}

/** The tracked files a review looks at, from what `git ls-files -z` printed: each once, in a stable order. */
export function reviewedFiles(listing: string): string[] {
  const names = listing.split('\0').filter((name) => name !== '' && !OWN_FOLDERS.test(name));
  return [...new Set(names)].sort((left, right) => (left < right ? -1 : left > right ? 1 : 0));
}

export interface RepositoryQuestions {
  readonly files: readonly string[];
  readonly commits: number;
  readonly commands: number;
}

/** Which of the closed list of workflow facts hold, in a fixed order. They decide which steps a review has. */
export function factsOf(questions: RepositoryQuestions): ('commands' | 'documents' | 'manifests' | 'history')[] {
  const names = new Set(questions.files.map(baseName));
  const facts: ('commands' | 'documents' | 'manifests' | 'history')[] = [];
  if (questions.commands > 0) facts.push('commands');
  if (questions.files.some(isMarkdown)) facts.push('documents');
  if (
    DEPENDENCY_FILES.some((name) => names.has(name)) ||
    [...names].some((name) => /^requirements[\w.-]*\.txt$/.test(name))
  ) {
    facts.push('manifests');
  }
  if (questions.commits > 1) facts.push('history');
  return facts;
}

export const TODO_WORDS = ['FIXME', 'XXX', 'HACK', 'TODO'] as const;
export type TodoWord = (typeof TODO_WORDS)[number];

export interface TodoMark {
  readonly word: TodoWord;
  readonly line: number;
  readonly text: string;
}

/**
 * The marks of one file. Only upper-case words that begin a comment or are followed by a colon or a bracket count, so
 * that prose about to-do lists and names such as `XXX` in test data do not.
 */
export function todoMarks(text: string): TodoMark[] {
  const marks: TodoMark[] = [];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.length > 2_000) continue; // generated or minified: nobody left a note there
    const match =
      /(?:\/\/|\/\*+|#+|<!--|--|;|%|^\s*\*)\s*(?:@)?(TODO|FIXME|XXX|HACK)\b|\b(TODO|FIXME|XXX|HACK)(?=\([^)\s]{1,40}\):?|:\s)/.exec(
        line,
      );
    const word = (match?.[1] ?? match?.[2]) as TodoWord | undefined;
    if (match && word) marks.push({ word, line: index + 1, text: line.slice(match.index).trim().slice(0, 160) });
  }
  return marks;
}

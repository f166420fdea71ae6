import { compareText } from '#kernel/order.js';
/** Manifests and lockfiles, by base name. */
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

/** Folders with Troupe's own state, which are excluded from reviews. */
const OWN_FOLDERS = /^(\.workgraph|\.squad)\//;

export function baseNameOf(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

export function isMarkdown(file: string): boolean {
  return /\.(md|markdown|mdx?)$/i.test(file);
}

/** Tracked files to review, from the output of `git ls-files -z`: unique and sorted. */
export function reviewedFiles(listing: string): string[] {
  const names = listing.split('\0').filter((name) => name !== '' && !OWN_FOLDERS.test(name));
  return [...new Set(names)].sort(compareText);
}

export interface RepositoryQuestions {
  readonly files: readonly string[];
  readonly commits: number;
  readonly commands: number;
}

/** Workflow facts that are true, in a fixed order. They decide which steps a review has. */
export function factsOf(questions: RepositoryQuestions): ('commands' | 'documents' | 'manifests' | 'history')[] {
  const names = new Set(questions.files.map(baseNameOf));
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

/** Closed tables of scan results: text from a repository never appears in a signal. */
export const LANGUAGES = {
  csharp: 'C#',
  typescript: 'TypeScript',
  javascript: 'JavaScript',
  python: 'Python',
  go: 'Go',
  rust: 'Rust',
  java: 'Java',
  ruby: 'Ruby',
  php: 'PHP',
  swift: 'Swift',
  kotlin: 'Kotlin',
  c: 'C',
  cpp: 'C++',
  shell: 'Shell',
} as const;
export type Language = keyof typeof LANGUAGES;

export const FRAMEWORKS = {
  react: 'React',
  vue: 'Vue',
  angular: 'Angular',
  nextjs: 'Next.js',
  svelte: 'Svelte',
  aspnet: 'ASP.NET Core',
  blazor: 'Blazor',
  django: 'Django',
  flask: 'Flask',
  fastapi: 'FastAPI',
} as const;
export type Framework = keyof typeof FRAMEWORKS;

/** Contents of a repository other than code. */
export const CONTENTS = {
  text: 'text for readers',
  notebooks: 'notebooks',
  pipelines: 'data pipelines',
  prompts: 'prompts and evaluations',
  infrastructure: 'infrastructure as code',
} as const;
export type Content = keyof typeof CONTENTS | 'code';

const SIZES = ['small', 'medium', 'large'] as const;
export type RepositorySize = (typeof SIZES)[number];

/**
 * Every signal a rule may refer to: `content.text`, `language.go`, `framework.react`, `tests.absent`, `size.small`, …
 * All of them are about code, except those of other contents. `site` means that a site generator accompanies the text.
 */
export const SIGNAL_IDS: ReadonlySet<string> = new Set([
  'content.code',
  ...Object.keys(CONTENTS).map((id) => `content.${id}`),
  'site',
  ...Object.keys(LANGUAGES).map((id) => `language.${id}`),
  ...Object.keys(FRAMEWORKS).map((id) => `framework.${id}`),
  ...['tests', 'docs', 'ci'].flatMap((topic) => [`${topic}.present`, `${topic}.absent`]),
  ...SIZES.map((size) => `size.${size}`),
]);

/** What a scan may say about a repository: closed tables, so that nothing a repository contains travels further as text. */
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

/** Contents of a repository beside code. */
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
 * Every signal a rule may ask for: `content.text`, `language.go`, `framework.react`, `tests.absent`, `size.small`, … All but
 * those of other contents are about code. `site` is a generator of web pages beside the text.
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

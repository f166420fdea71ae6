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

const SIZES = ['small', 'medium', 'large'] as const;
export type RepositorySize = (typeof SIZES)[number];

/** Every signal a rule may ask for: `any`, `language.go`, `framework.react`, `tests.absent`, `size.small`, … */
export const SIGNAL_IDS: ReadonlySet<string> = new Set([
  'any',
  ...Object.keys(LANGUAGES).map((id) => `language.${id}`),
  ...Object.keys(FRAMEWORKS).map((id) => `framework.${id}`),
  ...['tests', 'docs', 'ci'].flatMap((topic) => [`${topic}.present`, `${topic}.absent`]),
  ...SIZES.map((size) => `size.${size}`),
]);

import {
  FRAMEWORKS,
  type Framework,
  LANGUAGES,
  type Language,
  type RepositorySize,
} from '#core/catalog/signal-vocabulary.js';

/** What a scan found out about a repository, in closed words only. */
export interface RepositorySignals {
  /** Most files first. */
  readonly languages: readonly Language[];
  readonly frameworks: readonly Framework[];
  readonly tests: boolean;
  readonly docs: boolean;
  readonly ci: boolean;
  readonly size: RepositorySize;
}

/** Whether the scan found anything to go by; the absence of tests in an empty folder says nothing. */
export function hasSignals(signals: RepositorySignals): boolean {
  return signals.languages.length > 0 || signals.frameworks.length > 0 || signals.tests || signals.docs || signals.ci;
}

/** The signals as rules name them: `any`, `language.go`, `tests.absent`, `size.small`, … */
export function signalIds(signals: RepositorySignals): ReadonlySet<string> {
  if (!hasSignals(signals)) return new Set();
  const presence = (topic: 'tests' | 'docs' | 'ci') => `${topic}.${signals[topic] ? 'present' : 'absent'}`;
  return new Set([
    'any',
    ...signals.languages.map((language) => `language.${language}`),
    ...signals.frameworks.map((framework) => `framework.${framework}`),
    presence('tests'),
    presence('docs'),
    presence('ci'),
    `size.${signals.size}`,
  ]);
}

/** One sentence for people and prompts, made only from the closed tables: no path, no text of a file. */
export function describeSignals(signals: RepositorySignals): string {
  if (!hasSignals(signals)) return 'The scan found nothing to go by.';
  const parts = [`A ${signals.size} repository`];
  if (signals.languages.length > 0) parts.push(`in ${signals.languages.map((id) => LANGUAGES[id]).join(', ')}`);
  if (signals.frameworks.length > 0) parts.push(`with ${signals.frameworks.map((id) => FRAMEWORKS[id]).join(', ')}`);
  const topics = [
    ['tests', signals.tests],
    ['docs', signals.docs],
    ['CI', signals.ci],
  ] as const;
  const named = (wanted: boolean) => topics.filter(([, present]) => present === wanted).map(([topic]) => topic);
  const has = named(true);
  const lacks = named(false);
  const tail = [has.length > 0 ? `has ${has.join(', ')}` : '', lacks.length > 0 ? `lacks ${lacks.join(', ')}` : ''];
  return `${parts.join(' ')}; it ${tail.filter((part) => part !== '').join(' and ')}.`;
}

import { baseNameOf } from '#core/review/facts.js';
import { type Finding, finding } from '#core/review/finding.js';

interface Expectation {
  readonly id: string;
  readonly noun: string;
  readonly severity: Finding['severity'];
  readonly matches: (file: string) => boolean;
  /** A heading in one of `SECTION_FILES`, or a link to another location, that counts like a separate file. */
  readonly heading?: RegExp;
  readonly link?: RegExp;
  /** Whether the owner may keep it in one place for all repositories. */
  readonly elsewhere?: true;
  readonly detail: string;
  readonly remedy: string;
}

const atTop = (pattern: RegExp) => (file: string) => !file.includes('/') && pattern.test(file);
const anywhereNear = (pattern: RegExp) => (file: string) =>
  /^(\.github\/|docs\/|\.gitlab\/)?[^/]+$/.test(file) && pattern.test(baseNameOf(file));

/** Expected parts of a project, most important first. */
const EXPECTED: readonly Expectation[] = [
  {
    id: 'readme',
    noun: 'a README',
    severity: 'medium',
    matches: anywhereNear(/^readme(\.|$)/i),
    detail: 'Nothing at the top says what this is and how to start.',
    remedy: 'Write README.md: what it is in three sentences, how to install it, one example.',
  },
  {
    id: 'license',
    noun: 'a licence',
    severity: 'medium',
    matches: atTop(/^([\w.]+-)?(licen[cs]es?|copying|copyright|unlicense)([.-]|$)/i),
    detail: 'Without a licence no one else may use, change or distribute the work.',
    remedy: 'Add a LICENSE file, or say in the README that all rights are reserved.',
  },
  {
    id: 'tests',
    noun: 'tests',
    severity: 'medium',
    matches: (file) =>
      /(^|\/)(\w+_)?(tests?|__tests__|specs?|molecule)\//i.test(file) ||
      /(^|\/)[\w.-]+\.Tests?\//.test(file) ||
      /([._](test|spec|test-d|cy|e2e)\.[a-z]+|-test\.[a-z]+|(^|\/)tests?\.[a-z]{1,4}|(^|\/)test_[^/]+\.py|Tests?\.(java|kt|cs|swift|php|scala)|_(test|spec)\.(go|rb|exs|dart|cc|cpp|py)|\.bats|(^|\/)t\/[^/]+\.t)$/.test(
        file,
      ),
    detail: 'No file looks like a test, so no change can be checked automatically.',
    remedy: 'Write one test for the most important path and run it from a script.',
  },
  {
    id: 'ci',
    noun: 'continuous integration',
    severity: 'medium',
    matches: (file) =>
      /^(\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.yml|azure-pipelines\.yml|\.circleci\/config\.yml|\.travis\.yml|Jenkinsfile|bitbucket-pipelines\.yml|\.drone\.yml|\.woodpecker(\.yml|\/.+)|\.ci\/.+|\.forgejo\/workflows\/.+|\.buildkite\/.+|\.teamcity\/.+|\.?appveyor\.ya?ml|\.cirrus\.yml|\.semaphore\/.+|cloudbuild\.ya?ml)$/.test(
        file,
      ),
    elsewhere: true,
    detail: 'No CI configuration was found: nothing checks changes automatically.',
    remedy: 'Have your CI run the tests on every push.',
  },
  {
    id: 'gitignore',
    noun: 'a .gitignore',
    severity: 'low',
    matches: atTop(/^\.gitignore$/),
    detail: 'Build output and local settings are committed sooner or later.',
    remedy: 'Add a .gitignore for the languages in use.',
  },
  {
    id: 'contributing',
    noun: 'a guide for contributors',
    severity: 'low',
    matches: anywhereNear(/^(contributing|hacking|development)(\.|$)/i),
    heading: /\b(contribut\w*|develop(ment|ing)|hacking)\b/i,
    link: /contribut(ing|e)\b/i,
    elsewhere: true,
    detail: 'Nothing explains how to set up, test and submit a change.',
    remedy: 'Write CONTRIBUTING.md: set-up, how to run the tests, what a good change looks like.',
  },
  {
    id: 'security',
    noun: 'a way to report a vulnerability',
    severity: 'low',
    matches: anywhereNear(/^security(\.|$)/i),
    heading: /\b(report\w*|disclos\w*)\b.*\bvulnerabilit|\bsecurity\b.*\b(policy|report\w*|issues?)\b/i,
    link: /security([-./]|$)|\/advisories|[?&]tab=security/i,
    elsewhere: true,
    detail: 'People who find a vulnerability do not know where to report it privately.',
    remedy: 'Write SECURITY.md, or a section in CONTRIBUTING.md, with an address and what to expect.',
  },
  {
    id: 'docs',
    noun: 'documentation beyond the README',
    severity: 'info',
    matches: (file) =>
      /^((packages|apps|sites)\/)?(docs?|documentation|guides?|website|manual|wiki|man|book)\//i.test(file) ||
      atTop(/^(architecture|changelog|changes|history|news|releases?)(\.|$)/i)(file),
    detail: 'There is no docs folder and no ARCHITECTURE or CHANGELOG.',
    remedy: 'Write down how the parts fit together, in a docs folder or ARCHITECTURE.md.',
  },
];

export interface PresenceRow {
  readonly id: string;
  readonly said: string;
  /** The first matching file, or null. */
  readonly file: string | null;
}

/** Documents near the top whose headings count. */
export const SECTION_FILES = [
  ...['README.md', 'readme.md', 'Readme.md', 'README.rst', 'README', 'README.markdown', 'README.adoc'],
  ...['CONTRIBUTING.md', 'contributing.md', 'CONTRIBUTING.rst', 'Contributing.md'],
];

/**
 * Checks which expected parts exist, and returns a finding for each missing one. `texts` holds readable files of
 * `SECTION_FILES`.
 */
export function presenceOf(
  files: readonly string[],
  texts: ReadonlyMap<string, string> = new Map(),
): { rows: PresenceRow[]; findings: Finding[] } {
  const rows: PresenceRow[] = [];
  const findings: Finding[] = [];
  for (const { id, noun, severity, matches, heading, link, elsewhere, detail, remedy } of EXPECTED) {
    const file = files.find(matches) ?? sectionIn(texts, heading, link) ?? null;
    rows.push({ id, said: noun, file });
    if (file === null)
      findings.push(
        finding({
          severity,
          detail,
          remedy,
          title: `There ${/^an? /.test(noun) || !noun.endsWith('s') ? 'is' : 'are'} no ${withoutArticle(noun)} here`,
          rule: `missing-${id}`,
          confidence: elsewhere ? 'likely' : 'certain',
        }),
      );
  }
  return { rows, findings };
}

function withoutArticle(noun: string): string {
  return noun.replace(/^an? /, '');
}

/** The document near the top with a matching heading or link. */
function sectionIn(
  texts: ReadonlyMap<string, string>,
  heading: RegExp | undefined,
  link: RegExp | undefined,
): string | undefined {
  for (const [file, text] of texts) {
    if (!anywhereNear(/./)(file)) continue;
    const lines = text.split('\n');
    const isHeading = (line: string, next = '') => /^(#{1,6}|=+) /.test(line) || /^([=~^-])\1{3,}\s*$/.test(next);
    if (heading && lines.some((line, index) => isHeading(line, lines[index + 1]) && heading.test(line.slice(0, 200))))
      return file;
    const targets = [
      ...text.matchAll(/\]\(\s*<?([^)\s>]{1,300})|^\s*\[[^\]]{1,200}\]:\s*(\S{1,300})|href=["']([^"']{1,300})/gm),
    ];
    if (link && targets.some((match) => link.test(match[1] ?? match[2] ?? match[3] ?? ''))) return file;
  }
  return undefined;
}

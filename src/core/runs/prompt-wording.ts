import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

/** Placeholders of each text. The files are `data/prompts/NAME.md`. */
const PLACEHOLDERS = {
  skills: ['nonce'],
  header: ['id', 'attempt', 'nonce'],
  'mode-full': [],
  'mode-light': ['own'],
  'mode-bare': ['own'],
  identity: [],
  'identity-room': [],
  'identity-limits': ['fail'],
  'identity-charter': [],
  'identity-agent': [],
  role: [],
  'role-row': [],
  'role-lessons': [],
  'role-alone': [],
  task: [],
  'team-task': ['submit', 'artifact-get', 'done', 'fail'],
  'team-review': ['review', 'artifact-get', 'show'],
  'team-feedback': [],
  judged: [],
  'hand-in': ['hand-in', 'hand-in-read', 'done'],
  verification: [],
  'verification-own': [],
  predecessors: [],
  previous: [],
  conflict: ['branch'],
  cycle: ['iteration', 'iterations', 'converged', 'done'],
  'cycle-fixed': ['iteration', 'iterations'],
  labels: [],
  messages: ['send'],
  team: ['team'],
  'team-lead': ['give'],
  strategy: [],
  'team-mail': ['say', 'team'],
  guardrails: [],
  conversation: ['reply', 'done', 'escalate'],
  'conversation-context': [],
  roster: ['ask'],
  memory: [],
  decisions: [],
  consumers: [],
  commands: ['own', 'log', 'checkpoint', 'send', 'wait', 'done', 'fail'],
  'commands-files': ['artifact'],
  git: [],
  'git-tool': ['commit'],
  'git-shared': [],
  patterns: ['add'],
  functions: ['func-show', 'func-apply'],
  grow: ['add'],
  rules: [],
  project: [],
  neighbours: [],
  context: [],
  preamble: ['list', 'show', 'ready'],
  graph: ['show'],
  unreported: ['done', 'fail', 'wait'],
  generalize: ['nonce'],
  triage: ['nonce'],
  place: ['nonce'],
  cast: ['nonce', 'count'],
  blueprint: ['nonce', 'count'],
  'workflow-draft': ['nonce'],
  evaluate: ['nonce'],
  'flip-infer': ['nonce'],
  'flip-compare': ['nonce'],
  'flip-verify': ['nonce'],
  assign: ['nonce'],
  evolve: ['nonce', 'strategy', 'operations', 'budget'],
  replay: ['nonce'],
  summary: ['nonce'],
  'team-plan': ['nonce'],
  'team-name': ['nonce'],
} as const satisfies Record<string, readonly string[]>;

export type WordingName = keyof typeof PLACEHOLDERS;
export const WORDING_NAMES = Object.keys(PLACEHOLDERS) as readonly WordingName[];
/** Troupe's own texts in a prompt, by name. */
export type Wording = Readonly<Record<WordingName, string>>;

type Values = Readonly<Record<string, string | number>>;
const PLACEHOLDER = /\{\{([^{}]*)\}\}/g;

/**
 * Checks the texts of the files: all must exist, none may be too long or contain an unknown placeholder. Errors:
 * `catalog_invalid`.
 */
export function parseWording(texts: ReadonlyMap<string, string>): Wording {
  const wording = {} as Record<WordingName, string>;
  for (const name of WORDING_NAMES) {
    const text = texts.get(name)?.trim() ?? '';
    if (text === '') throw bad(name, 'the file is missing or empty');
    if (text.length > TEAM_LIMITS.wordingFileBytes)
      throw bad(name, `longer than ${TEAM_LIMITS.wordingFileBytes} characters`);
    const placeholders: readonly string[] = PLACEHOLDERS[name];
    for (const [placeholder, inner = ''] of text.matchAll(PLACEHOLDER)) {
      if (!placeholders.includes(inner)) throw bad(name, `unknown placeholder ${placeholder}`);
    }
    wording[name] = text;
  }
  return wording;
}

/** Fills placeholders in one pass; inserted values are not expanded again. */
export function fillPlaceholders(text: string, values: Values): string {
  return text.replace(PLACEHOLDER, (placeholder, name: string) => String(values[name] ?? placeholder));
}

function bad(name: string, why: string): TroupeError {
  return new TroupeError('catalog_invalid', { what: `data/prompts/${name}.md: ${why}.` });
}

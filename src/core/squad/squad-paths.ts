/** Paths of the casting state, relative to the project, with `/`. */
export const REGISTRY_EVENTS = '.squad/casting/registry.events.jsonl';
export const HISTORY_EVENTS = '.squad/casting/history.events.jsonl';
export const REGISTRY_JSON = '.squad/casting/registry.json';
export const HISTORY_JSON = '.squad/casting/history.json';
export const POLICY_JSON = '.squad/casting/policy.json';
export const TEAM_MD = '.squad/team.md';
export const ROUTING_MD = '.squad/routing.md';
export const ROUTING_PREVIOUS_MD = '.squad/routing.prev.md';
export const TEAM_PREVIOUS_MD = '.squad/team.prev.md';
export const CONFIG_JSON = '.squad/config.json';
export const NOW_MD = '.squad/identity/now.md';
export const WISDOM_MD = '.squad/identity/wisdom.md';
export const SAFETY_POLICY_MD = '.squad/rai/policy.md';
export const AUDIT_TRAIL_MD = '.squad/rai/audit-trail.md';
export const DECISIONS_MD = '.squad/decisions.md';
export const AGENTS_FOLDER = '.squad/agents';
export const ALUMNI_FOLDER = '.squad/agents/_alumni';
export const COORDINATOR_AGENT = '.github/agents/squad-agentweaver.agent.md';
export const AGENTS_MD = 'AGENTS.md';
export const CLAUDE_AGENTS = '.claude/agents';
export const GITHUB_AGENTS = '.github/agents';
export const GIT_ATTRIBUTES = '.gitattributes';
export const GIT_IGNORE = '.gitignore';
export const FLAT_REGISTRY = '.squad/casting-registry.json';
export const FLAT_HISTORY = '.squad/casting-history.json';
export const FLAT_POLICY = '.squad/casting-policy.json';
/** Folder for the source files of a migration. */
export const MIGRATED_FOLDER = '.squad/casting/.migrated';

/** Files at fixed paths that a reader of the casting state needs. Charters are found by listing their folder. */
export const FIXED_FILES: readonly string[] = [
  REGISTRY_EVENTS,
  HISTORY_EVENTS,
  REGISTRY_JSON,
  HISTORY_JSON,
  POLICY_JSON,
  TEAM_MD,
  ROUTING_MD,
  ROUTING_PREVIOUS_MD,
  TEAM_PREVIOUS_MD,
  CONFIG_JSON,
  NOW_MD,
  WISDOM_MD,
  SAFETY_POLICY_MD,
  AUDIT_TRAIL_MD,
  DECISIONS_MD,
  COORDINATOR_AGENT,
  AGENTS_MD,
  GIT_ATTRIBUTES,
  GIT_IGNORE,
  FLAT_REGISTRY,
  FLAT_HISTORY,
  FLAT_POLICY,
];

/** Returns the folder of a member as spelled on disk: other tools capitalise its name. */
export function agentFolder(texts: ReadonlyMap<string, string>, slug: string): string {
  const own = `${AGENTS_FOLDER}/${slug}`;
  for (const file of [`${own}/charter.md`, `${own}/history.md`]) {
    if (texts.has(file)) return own;
    const match = [...texts.keys()].find((path) => path.toLowerCase() === file);
    if (match !== undefined) return match.slice(0, own.length);
  }
  return own;
}
/** Returns the path of a member's charter, whether it exists or not. */
export const charterFile = (texts: ReadonlyMap<string, string>, slug: string) =>
  `${agentFolder(texts, slug)}/charter.md`;
export const historyFile = (texts: ReadonlyMap<string, string>, slug: string) =>
  `${agentFolder(texts, slug)}/history.md`;

export const charterPath = (slug: string) => `${AGENTS_FOLDER}/${slug}/charter.md`;
export const agentHistoryPath = (slug: string) => `${AGENTS_FOLDER}/${slug}/history.md`;
export const alumniCharterPath = (slug: string) => `${ALUMNI_FOLDER}/${slug}/charter.md`;
/** Path of an earlier charter of a name that retires again. */
export const olderAlumniCharterPath = (slug: string, number: number) => `${ALUMNI_FOLDER}/${slug}/charter.${number}.md`;

/** Path of a workflow of the project. */
export const workflowPath = (id: string) => `.squad/workflows/${id}.yaml`;

export const claudeAgentPath = (slug: string) => `${CLAUDE_AGENTS}/${slug}.md`;
export const githubAgentPath = (slug: string) => `${GITHUB_AGENTS}/${slug}.agent.md`;

/** Memory files that other tools read at a different path. */
const CONTEXT = ['boundaries', 'patterns'].map((name) => `.agentweaver/context/${name}.md`);

const OTHER_SQUAD_FILES: readonly string[] = [COORDINATOR_AGENT, AGENTS_MD, GIT_ATTRIBUTES, GIT_IGNORE, ...CONTEXT];
const AGENT_FILE =
  /^(?:\.claude\/agents\/[a-z0-9][a-z0-9_-]{0,63}\.md|\.github\/agents\/[a-z0-9][a-z0-9_-]{0,63}\.agent\.md)$/;

/** Agency entities that make up members. */
const AGENCY_FILE = /^\.workgraph\/agency\/(?:roles|tradeoffs|agents)\/[0-9a-f]{64}\.yaml$/;

/**
 * Whether casting may write this file: anything in `.squad` except its scratch folder, agent files, agency entities,
 * and a few other files.
 */
export function isSquadFile(path: string): boolean {
  if (path.startsWith('.squad/')) return !path.startsWith('.squad/.scratch/');
  return OTHER_SQUAD_FILES.includes(path) || AGENT_FILE.test(path) || AGENCY_FILE.test(path);
}

import type { Catalog } from '#core/catalog/catalog.js';
import { TroupeError } from '#kernel/errors.js';
import type { FileChange } from '#kernel/file-change.js';
import { GRAPH_FOLDER } from '#kernel/graph-folder.js';
import { parseJsonObject } from '#kernel/json.js';
import type { SquadTexts } from './file-change.js';
import { sameMarkdown, savedClientFile } from './file-change.js';
import { AGENTS_BEGIN, agentFile, isGenerated, isUnmodified, withAgentsBlock } from './generated-file.js';
import type { RegistryRecord } from './registry.js';
import {
  AGENTS_MD,
  CLAUDE_AGENTS,
  CONFIG_JSON,
  COORDINATOR_AGENT,
  charterFile,
  claudeAgentPath,
  GIT_ATTRIBUTES,
  GIT_IGNORE,
  GITHUB_AGENTS,
  githubAgentPath,
} from './squad-paths.js';
import { castLeader, castMember } from './team.js';
import type { CastHistory } from './team-history.js';

/** Kinds of client files a project may have, identified by the folder or file they are written to. */
export const OUTPUTS = [CLAUDE_AGENTS, GITHUB_AGENTS, AGENTS_MD] as const;
type Output = (typeof OUTPUTS)[number];

/** Folder or file whose presence shows that the project uses this client. */
const USAGE_MARKERS: Record<Output, string> = {
  [CLAUDE_AGENTS]: '.claude/',
  [GITHUB_AGENTS]: `${GITHUB_AGENTS}/`,
  [AGENTS_MD]: AGENTS_MD,
};
export const USAGE_FOLDERS: readonly string[] = Object.values(USAGE_MARKERS).filter((sign) => sign.endsWith('/'));

const COORDINATOR_ABOUT =
  'Coordinates the cast team of this repository. Its members and their charters are in .squad/team.md.';

/**
 * The user's choice about client files: write them (`wanted`), follow `config.json`, which is empty in a new project
 * (`configured`), or touch none (`untouched`).
 */
export const CLIENT_FILES = ['wanted', 'configured', 'untouched'] as const;
export type ClientFiles = (typeof CLIENT_FILES)[number];

/** Returns the outputs to write when client files are wanted: those already in use here, else all. */
export function outputsToEnable(texts: SquadTexts): readonly Output[] {
  const used = OUTPUTS.filter((output) => texts.has(USAGE_MARKERS[output]));
  return used.length === 0 ? OUTPUTS : used;
}

/** Returns the change of `config.json` that enables client files from now on. */
export function enableOutputs(texts: SquadTexts): FileChange[] {
  const config = parseJsonObject(texts.get(CONFIG_JSON) ?? '{}');
  const present = configuredOutputs(texts);
  const outputs = OUTPUTS.filter((output) => present.includes(output) || outputsToEnable(texts).includes(output));
  if (config === undefined || outputs.length === present.length) return [];
  return [{ kind: 'write', path: CONFIG_JSON, text: `${JSON.stringify({ ...config, outputs }, null, 2)}\n` }];
}

/**
 * Returns the paths outside of `.squad/` that belong to a team: the files of every cast and the existing client files.
 */
export function filesOutside(texts: SquadTexts): string[] {
  const ours = [...texts].flatMap(([path, text]) => {
    if (path === AGENTS_MD) return text.includes(AGENTS_BEGIN) ? [path] : [];
    return !path.startsWith('.squad/') && isGenerated(text) ? [path] : [];
  });
  return [...ALWAYS_OUTSIDE, ...ours.sort()];
}

/**
 * Returns the paths outside of `.squad/` that the changes touch. Agents and roles are reported as the folder of the
 * graph, which contains them.
 */
export function pathsOutside(changes: readonly FileChange[]): string[] {
  const paths = changes.filter(({ path }) => !path.startsWith('.squad/')).map(({ path }) => path);
  return [...new Set(paths.map((path) => (path.startsWith(IN_GRAPH) ? IN_GRAPH : path)))].sort();
}

/** Whether a file is written for a client, and therefore only with a person's consent. */
export function isForClients(path: string): boolean {
  return OUTPUTS.some((output) => path === output || path.startsWith(`${output}/`));
}

/** Returns the client files outside of `.squad/` that a cast of these members would write. */
export function clientPaths(slugs: readonly string[], outputs: readonly string[]): string[] {
  const clients = OUTPUTS.filter((output) => outputs.includes(output));
  const coordinator = clients.includes(GITHUB_AGENTS) ? [COORDINATOR_AGENT] : [];
  return [
    ...coordinator,
    ...slugs.flatMap((slug) => pathsOf(slug, clients)),
    ...(clients.includes(AGENTS_MD) ? [AGENTS_MD] : []),
  ];
}

/** The folder of the graph, which holds agents, roles and the database. */
const IN_GRAPH = `${GRAPH_FOLDER}/`;
export const ALWAYS_OUTSIDE: readonly string[] = [GIT_ATTRIBUTES, GIT_IGNORE, IN_GRAPH];

/** Returns the outputs enabled in `config.json`; unknown values are ignored. */
export function configuredOutputs(texts: SquadTexts): Output[] {
  const setting = parseJsonObject(texts.get(CONFIG_JSON))?.['outputs'];
  return Array.isArray(setting) ? OUTPUTS.filter((output) => setting.includes(output)) : [];
}

/**
 * Returns the client files to write or remove according to the registry and the charters. A file without our mark
 * belongs to the user and stays; edited files of members who left stay too. Errors: `marker_unpaired`, `not_text`.
 */
export function outputChanges(
  texts: SquadTexts,
  team: { readonly records: readonly RegistryRecord[]; readonly history: CastHistory },
  catalog: Catalog,
): FileChange[] {
  const { records } = team;
  const outputs = configuredOutputs(texts);
  const active = records.filter((record) => record.status === 'Active' && record.builtIn !== true);
  const changes: FileChange[] = [];
  const coordinator = records.find((record) => record.archetypeId === 'coordinator' && record.status === 'Active');
  const lead = coordinator && texts.get(charterFile(texts, coordinator.slug));
  if (lead !== undefined && (outputs.includes(GITHUB_AGENTS) || texts.has(COORDINATOR_AGENT)))
    write(
      texts,
      changes,
      COORDINATOR_AGENT,
      agentFile({ name: 'squad-agentweaver', description: COORDINATOR_ABOUT, charter: lead }),
    );
  const placed = new Set<string>();
  for (const record of active) {
    const charter = texts.get(charterFile(texts, record.slug));
    if (charter === undefined) continue;
    const text = agentFile({ name: record.slug, description: memberDescription(record, catalog), charter });
    for (const path of pathsOf(record.slug, outputs)) {
      placed.add(path);
      write(texts, changes, path, text);
    }
  }
  for (const record of records) {
    if (record.status === 'Active') continue;
    for (const path of pathsOf(record.slug, OUTPUTS)) {
      const present = texts.get(path);
      if (present !== undefined && !placed.has(path) && isUnmodified(present)) changes.push({ kind: 'remove', path });
    }
  }
  if (outputs.includes(AGENTS_MD) && active.length > 0) {
    const present = texts.get(AGENTS_MD);
    if (present?.includes('\ufffd')) {
      throw new TroupeError('not_text', { what: `${AGENTS_MD} is not UTF-8: nothing was changed.` });
    }
    const text = withAgentsBlock(
      present,
      active.map(castMember),
      castLeader({ ...team, badLines: [], clashes: [] }, team.history),
    );
    if (!sameMarkdown(present, text)) changes.push({ kind: 'write', path: AGENTS_MD, text });
  }
  return changes;
}

function write(texts: SquadTexts, changes: FileChange[], path: string, text: string): void {
  const present = texts.get(path);
  if (sameMarkdown(present, text) || (present !== undefined && !isGenerated(present))) return;
  // The file was edited. A copy in the same folder would be an additional agent to its client, so the copy goes into
  // the folder of the team.
  if (present !== undefined && !isUnmodified(present)) changes.push(savedClientFile(path, present));
  changes.push({ kind: 'write', path, text });
}

function pathsOf(slug: string, outputs: readonly Output[]): string[] {
  return [
    ...(outputs.includes(CLAUDE_AGENTS) ? [claudeAgentPath(slug)] : []),
    ...(outputs.includes(GITHUB_AGENTS) ? [githubAgentPath(slug)] : []),
  ];
}

function memberDescription(record: RegistryRecord, catalog: Catalog): string {
  const summary = catalog.archetypes.get(record.archetypeId ?? '')?.summary;
  return [`${record.roleTitle ?? 'Member'} of this team.`, summary].filter((part) => part !== undefined).join(' ');
}

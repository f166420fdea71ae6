import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type Json, type JsonObject } from '#kernel/json.js';
import { cut, inert } from '#kernel/text.js';
import { githubTask } from './github.js';
import type { BrokenRecord, ImportedTask, ImportFile, LeftOut, ParsedImport } from './imported-task.js';
import { parsedJson } from './json-file.js';
import { fieldText, objectsIn, titleOf } from './reading.js';

/** Places where a repository has issues and pull requests; GitLab calls the latter merge requests. */
export const FORGES = ['github', 'gitlab'] as const;
export type ForgeName = (typeof FORGES)[number];

/** An issue as far as a task needs it, in the same shape for all forges. */
export interface ForgeIssue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  readonly state: 'open' | 'closed';
  /** GitHub: why it was closed. */
  readonly reason?: string;
  readonly labels: readonly string[];
  readonly author: string;
  readonly milestone?: string;
  readonly url: string;
  readonly created?: string;
  readonly closed?: string;
  /** Number of the issue that it is a part of. */
  readonly parent?: number;
  /** It is a pull request, which some lists of issues hold too. */
  readonly isPull: boolean;
}

/** A repository, and the host of its forge; undefined for the usual one. */
export interface ForgeAddress {
  readonly name: string;
  readonly host?: string;
}

const USUAL = { github: 'github.com', gitlab: 'gitlab.com' } as const;
const HOST = /^[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?(?::\d{1,5})?$/;
const PART = /^(?!\.{1,2}$)[A-Za-z0-9_.][A-Za-z0-9_.-]{0,99}$/;

/** Parses `owner/name` or `host/owner/name`; at GitLab with all groups. Errors: `bad_input`. */
export function forgeAddress(forge: ForgeName, text: string): ForgeAddress {
  const parts = text.split('/');
  const host = parts.length > 2 && parts[0]?.includes('.') === true ? parts.shift() : undefined;
  const fits =
    parts.length >= 2 && parts.length <= (forge === 'github' ? 2 : 20) && parts.every((part) => PART.test(part));
  if (fits && (host === undefined || HOST.test(host)))
    return { name: parts.join('/'), ...(host === undefined || host === USUAL[forge] ? {} : { host }) };
  throw new TroupeError('bad_input', {
    what: `Not the name of a repository: ${JSON.stringify(cut(inert(text), 80))}`,
    hint: 'Use the form owner/name.',
  });
}

/** The repository of a git remote; undefined if its address is no place of a forge. */
export function remoteAddress(forge: ForgeName, url: string): ForgeAddress | undefined {
  const [, host, path] =
    /^(?:https:\/\/|ssh:\/\/)(?:[^@/]*@)?([^/]+)\/(.+?)(?:\.git)?\/?$/.exec(url) ??
    /^[\w.-]+@([\w.-]+):(.+?)(?:\.git)?\/?$/.exec(url) ??
    [];
  if (host === undefined || path === undefined) return undefined;
  try {
    return forgeAddress(forge, `${host.replace(/:\d+$/, '')}/${path}`);
  } catch (error) {
    if (error instanceof TroupeError) return undefined;
    throw error;
  }
}

const WISH = { github: 'gh', gitlab: 'gl' } as const;

/**
 * The tasks of issues. `repository` is part of their keys: it is the name under which the repository was first seen, so
 * that a renamed one keeps its tasks.
 */
export function parsedIssues(forge: ForgeName, repository: string, issues: readonly ForgeIssue[]): ParsedImport {
  const tasks: ImportedTask[] = [];
  const broken: BrokenRecord[] = [];
  const left: LeftOut[] = [];
  for (const issue of issues) {
    const key = `${repository}#${issue.number}`;
    const title = titleOf(issue.title);
    if (title === '') broken.push({ place: key, why: 'no "title"' });
    else if (issue.isPull) left.push({ key, title, why: 'a pull request' });
    else {
      const task = githubTask(recordOf(issue), key, title);
      const parent = issue.parent === undefined ? {} : { parent: `${repository}#${issue.parent}` };
      tasks.push({ ...task, ...parent, wish: `${WISH[forge]}-${issue.number}` });
    }
  }
  return { tasks, broken, left };
}

function recordOf({ body, state, reason, labels, author, milestone, url, created, closed }: ForgeIssue): JsonObject {
  const record: Record<string, Json | undefined> = {
    ...{ body, state, state_reason: reason, labels: [...labels], user: { login: author } },
    ...{ milestone, html_url: url, created_at: created, closed_at: closed },
  };
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

export function isGitLabIssue(value: unknown): boolean {
  return isJsonObject(value) && typeof value['iid'] === 'number' && typeof value['web_url'] === 'string';
}

/** Reads issues of GitLab, as `glab issue list --output json` or the REST API writes them. */
export function parseGitLab(file: ImportFile): ParsedImport {
  const broken: BrokenRecord[] = [];
  const value = parsedJson(file, broken);
  const list = Array.isArray(value) ? value.flat() : [];
  if (list.length === 0 && broken.length === 0) broken.push({ place: 'the file', why: 'no list of issues' });
  const all = { tasks: [] as ImportedTask[], broken, left: [] as LeftOut[] };
  for (const [place, record] of objectsIn(list, 'issues', broken)) {
    const [, repository = ''] =
      /^https:\/\/[^/]+\/(.+?)\/(?:-\/)?issues\/\d+$/.exec(fieldText(record['web_url'])) ?? [];
    const issue = forgeIssue('gitlab', record);
    if (issue === undefined) broken.push({ place, why: 'no "iid"' });
    else {
      const parsed = parsedIssues('gitlab', repository, [issue]);
      all.tasks.push(...parsed.tasks);
      all.broken.push(...parsed.broken);
    }
  }
  return all;
}

/** Names of the fields of an issue that differ. */
const NAMES = {
  github: { number: 'number', body: 'body', person: 'user', login: 'login', url: 'html_url' },
  gitlab: { number: 'iid', body: 'description', person: 'author', login: 'username', url: 'web_url' },
} as const;

/** An issue of the REST API; undefined if the record is none. Fields that are not named here are dropped. */
export function forgeIssue(forge: ForgeName, record: JsonObject): ForgeIssue | undefined {
  const names = NAMES[forge];
  const number = record[names.number];
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < 1) return undefined;
  const { labels, pull_request: pull } = record;
  const [, parent] = /\/issues\/(\d{1,9})$/.exec(fieldText(record['parent_issue_url'])) ?? [];
  const given = {
    reason: fieldText(record['state_reason']),
    milestone: inner(record['milestone'], 'title'),
    created: fieldText(record['created_at']),
    closed: fieldText(record['closed_at']),
  };
  return {
    number,
    title: fieldText(record['title']),
    body: fieldText(record[names.body]),
    state: record['state'] === 'closed' ? 'closed' : 'open',
    labels: (Array.isArray(labels) ? labels : []).map((label) => fieldText(label) || inner(label, 'name')),
    author: inner(record[names.person], names.login) || 'unknown',
    url: fieldText(record[names.url]),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== '')),
    ...(parent === undefined ? {} : { parent: Number(parent) }),
    isPull: pull !== undefined && pull !== null,
  };
}

function inner(value: Json | undefined, name: string): string {
  return isJsonObject(value) ? fieldText(value[name]) : '';
}

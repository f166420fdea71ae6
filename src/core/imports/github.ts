import type { LogEntry } from '#core/graph/task.js';
import { isJsonObject, type Json, type JsonObject, parseForeignObject } from '#kernel/json.js';
import type { BrokenRecord, ImportedTask, ImportFile, LeftOut, ParsedImport } from './imported-task.js';
import { parsedJson } from './json-file.js';
import {
  comment,
  fieldText,
  numberedLines,
  objectsIn,
  restOf,
  sections,
  statusForWord,
  timeIn,
  titleOf,
} from './reading.js';

const TAKEN = [
  ...['number', 'title', 'body', 'state', 'stateReason', 'state_reason', 'labels', 'createdAt', 'created_at'],
  ...['closedAt', 'closed_at', 'comments', 'type', 'pull_request', 'isPullRequest', 'parent', 'closed', 'locked'],
  ...['assignees', 'assignee', 'user', 'author', 'milestone', 'url', 'html_url'],
];
/** Fields about the API, not about the issue. */
const OF_API =
  /^(?:node_id|id|databaseId|reactions|reactionGroups|performed_via_github_app|score|draft|active_lock_reason|author_association|sub_issues_summary|issue_dependencies_summary|issue_field_values|repository|.*_url)$/;
const NUMBERS = '((?:(?:[\\w.-]+/[\\w.-]+)?#\\d{1,9}(?:,| and| &)? ?)+)';
const WAITS = new RegExp(`\\b(?:depends on|blocked by)[: ]+${NUMBERS}`, 'gi');
const LISTED = /^[ \t]*[-*+] \[[ xX]\] ((?:[\w.-]+\/[\w.-]+)?#\d{1,9})\b/gm;

/** Issues in a JSON value: a list, pages of a list, the answer of a search, or one issue. */
export function issuesIn(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value.every(Array.isArray) ? value.flat() : value;
  if (!isJsonObject(value)) return undefined;
  if (Array.isArray(value['items'])) return value['items'];
  if (Array.isArray(value['issues'])) return value['issues'];
  return isIssue(value) ? [value] : undefined;
}

export function isIssue(value: unknown): boolean {
  if (!isJsonObject(value) || typeof value['title'] !== 'string') return false;
  return Number.isSafeInteger(value['number']) || /\/(?:issues|pull)\/\d+$/.test(addressOf(value));
}

/** Reads issues of GitHub, as `gh issue list --json` or the REST API writes them. */
export function parseGitHub(file: ImportFile): ParsedImport {
  const tasks: ImportedTask[] = [];
  const broken: BrokenRecord[] = [];
  const left: LeftOut[] = [];
  for (const [place, record] of recordsOf(file, broken)) {
    const key = keyOf(record);
    const title = titleOf(record['title']);
    if (key === undefined) broken.push({ place, why: 'no "number"' });
    else if (title === '') broken.push({ place, why: 'no "title"' });
    else if (isPullRequest(record)) left.push({ key, title, why: 'a pull request' });
    else tasks.push(githubTask(record, key, title));
  }
  return { tasks, broken, left };
}

function recordsOf(file: ImportFile, broken: BrokenRecord[]): [string, JsonObject][] {
  const lines = [...numberedLines(file.text)];
  if (lines.length > 1 && lines.every(({ text }) => text.startsWith('{') && text.endsWith('}'))) {
    return lines.flatMap(({ line, text }): [string, JsonObject][] => {
      const record = parseForeignObject(text);
      if (typeof record !== 'string') return [[`line ${line}`, record]];
      broken.push({ place: `line ${line}`, why: record });
      return [];
    });
  }
  const value = parsedJson(file, broken);
  const list = issuesIn(value);
  if (list === undefined && broken.length === 0) broken.push({ place: 'the file', why: 'no list of issues' });
  return objectsIn(list ?? [], 'issues', broken);
}

function addressOf(record: JsonObject): string {
  return fieldText(record['html_url']) || fieldText(record['url']);
}

/** `owner/name#42`, or `#42` if the repository is not told. */
function keyOf(record: JsonObject): string | undefined {
  const [, repository = '', inAddress] =
    /([\w.-]+\/[\w.-]+)\/(?:issues|pull)\/(\d{1,9})$/.exec(addressOf(record)) ?? [];
  const number = Number.isSafeInteger(record['number']) ? String(record['number']) : inAddress;
  return number === undefined ? undefined : `${repository || repositoryOf(record)}#${number}`;
}

function repositoryOf({ repository }: JsonObject): string {
  return isJsonObject(repository) ? fieldText(repository['nameWithOwner'] ?? repository['full_name']) : '';
}

function isPullRequest(record: JsonObject): boolean {
  return (
    isJsonObject(record['pull_request']) || record['isPullRequest'] === true || /\/pull\/\d+$/.test(addressOf(record))
  );
}

/** The task of an issue in the form of the REST API. */
export function githubTask(record: JsonObject, key: string, title: string): ImportedTask {
  const body = fieldText(record['body']);
  const reason = fieldText(record['state_reason'] ?? record['stateReason']).toLowerCase();
  const state = fieldText(record['state']).toLowerCase() || (record['closed'] === true ? 'closed' : 'open');
  const isDropped = state === 'closed' && (reason === 'not_planned' || reason === 'duplicate');
  const [repository = '', number = ''] = key.split('#');
  const references = (text: string) => text.match(/(?:[\w.-]+\/[\w.-]+)?#\d+/g) ?? [];
  const full = (reference: string) => (reference.startsWith('#') ? `${repository}${reference}` : reference);
  const named = [...body.matchAll(WAITS), ...body.matchAll(LISTED)].flatMap(([, found = '']) => references(found));
  const parent = isJsonObject(record['parent']) ? keyOf(record['parent']) : undefined;
  return {
    key,
    wish: `gh-${number}`,
    title,
    status: isDropped ? 'abandoned' : statusForWord(state),
    state: isDropped ? `closed as ${reason.replace('_', ' ')}` : state,
    text: sections([['', body]]),
    after: named.map(full).filter((other) => other !== key),
    parent,
    labels: [
      ...namesOf(record['labels']).map((label) => `label:${label}`),
      ...namesOf([record['type'] ?? null]).map((type) => `type:${type}`),
    ],
    created: timeIn(record['createdAt'] ?? record['created_at']),
    ended: timeIn(record['closedAt'] ?? record['closed_at']),
    log: commentsOf(record['comments']),
    rest: {
      ...(addressOf(record) === '' ? {} : { url: addressOf(record) }),
      ...kept('author', namesOf([record['author'] ?? record['user'] ?? null])),
      ...kept('assignees', namesOf(record['assignees'] ?? [record['assignee'] ?? null])),
      ...kept('milestone', namesOf([record['milestone'] ?? null])),
      ...Object.fromEntries(Object.entries(restOf(record, TAKEN)).filter(([name]) => !OF_API.test(name))),
    },
  };
}

function kept(name: string, values: string[]): JsonObject {
  return values.length === 0 ? {} : { [name]: values.join(', ') };
}

/** Names of labels, people and the like, which are texts or objects with a name. */
function namesOf(value: Json | undefined): string[] {
  const list = Array.isArray(value)
    ? value
    : isJsonObject(value) && Array.isArray(value['nodes'])
      ? value['nodes']
      : [];
  return list
    .map((item) =>
      (isJsonObject(item) ? fieldText(item['login'] ?? item['title'] ?? item['name']) : fieldText(item)).trim(),
    )
    .filter((name) => name !== '');
}

function commentsOf(value: unknown): LogEntry[] {
  return (Array.isArray(value) ? value : []).filter(isJsonObject).flatMap((item) => {
    const [author = 'unknown'] = namesOf([item['author'] ?? item['user'] ?? null]);
    return comment(`github:${author}`, timeIn(item['createdAt'] ?? item['created_at']), fieldText(item['body']));
  });
}

import type { LogEntry } from '#core/graph/task.js';
import { isJsonObject, type JsonObject, parseForeignObject } from '#kernel/json.js';
import type { BrokenRecord, ImportedTask, ImportFile, LeftOut, ParsedImport } from './imported-task.js';
import {
  comment,
  fieldText,
  fieldTexts,
  numberedLines,
  restOf,
  sections,
  statusForWord,
  timeIn,
  titleOf,
} from './reading.js';

const TAKEN = [
  ...['id', 'title', 'status', 'description', 'design', 'acceptance_criteria', 'notes', 'labels', 'priority'],
  ...['issue_type', 'created_at', 'closed_at', 'defer_until', 'estimated_minutes', 'comments', 'dependencies', '_type'],
  ...['dependency_count', 'dependent_count', 'comment_count', 'content_hash'],
];

/** Dependencies that hold an issue back; the others only relate. */
const HOLDS: ReadonlySet<string> = new Set(['blocks', 'blocked-by', 'conditional-blocks', 'waits-for']);
const PARENT: ReadonlySet<string> = new Set(['parent-child', 'parent']);

/** Reads the issues of beads: one JSON object per line. */
export function parseBeads({ text }: ImportFile): ParsedImport {
  const tasks: ImportedTask[] = [];
  const broken: BrokenRecord[] = [];
  const left: LeftOut[] = [];
  for (const { line, text: json } of numberedLines(text)) {
    const record = parseForeignObject(json);
    const place = `line ${line}`;
    if (typeof record === 'string') {
      broken.push({ place, why: record });
      continue;
    }
    const kind = fieldText(record['_type']);
    const key = fieldText(record['id']).trim();
    const title = titleOf(record['title']);
    if (kind !== '' && kind !== 'issue') {
      left.push({ key: fieldText(record['key']) || place, title, why: `a ${kind}, no issue` });
    } else if (key === '') broken.push({ place, why: 'no "id"' });
    else if (record['status'] === 'tombstone') left.push({ key, title, why: 'deleted there' });
    else if (record['ephemeral'] === true) left.push({ key, title, why: 'ephemeral there' });
    else if (title === '') broken.push({ place, why: 'no "title"' });
    else tasks.push(issueOf(record, key, title));
  }
  return { tasks, broken, left };
}

function issueOf(record: JsonObject, key: string, title: string): ImportedTask {
  const { after, parent, others } = dependenciesOf(record['dependencies'], key);
  const state = fieldText(record['status']) || 'open';
  const minutes = record['estimated_minutes'];
  const hasEstimate = typeof minutes === 'number' && Number.isFinite(minutes) && minutes > 0;
  return {
    key,
    wish: key,
    title,
    status: statusForWord(state),
    state,
    text: sections([
      ['', fieldText(record['description'])],
      ['Design', fieldText(record['design'])],
      ['Acceptance criteria', fieldText(record['acceptance_criteria'])],
      ['Notes', fieldText(record['notes'])],
    ]),
    after,
    parent,
    labels: [
      ...fieldTexts(record['labels']).map((label) => `label:${label}`),
      ...fieldTexts(record['issue_type']).map((type) => `type:${type}`),
      ...fieldTexts(record['priority']).map((priority) => `priority:${priority}`),
    ],
    created: timeIn(record['created_at']),
    ended: timeIn(record['closed_at']),
    notBefore: timeIn(record['defer_until']),
    log: commentsOf(record['comments']),
    ...(hasEstimate ? { fields: { hours: minutes / 60 } } : {}),
    rest: {
      ...restOf(record, TAKEN),
      ...(others.length > 0 ? { dependencies: others } : {}),
      ...(hasEstimate || minutes === undefined ? {} : { estimated_minutes: minutes }),
    },
  };
}

function dependenciesOf(value: unknown, key: string) {
  const after: string[] = [];
  const parents: string[] = [];
  const others: JsonObject[] = [];
  for (const item of Array.isArray(value) ? value : []) {
    const link: JsonObject = isJsonObject(item) ? item : { depends_on_id: fieldText(item), type: 'blocks' };
    const target = fieldText(link['depends_on_id']).trim();
    const type = fieldText(link['type']) || 'blocks';
    const owner = fieldText(link['issue_id']) || key;
    if (target === '' || owner !== key) others.push(link);
    else if (HOLDS.has(type)) after.push(target);
    else if (PARENT.has(type)) parents.push(target);
    else others.push(link);
  }
  const [parent, ...more] = [...new Set(parents)].sort();
  return {
    after,
    parent,
    others: [...others, ...more.map((target) => ({ depends_on_id: target, type: 'parent-child' }))],
  };
}

function commentsOf(value: unknown): LogEntry[] {
  return (Array.isArray(value) ? value : []).filter(isJsonObject).flatMap((item) => {
    const message = fieldText(item['text']) || fieldText(item['body']);
    return comment(`beads:${fieldText(item['author']) || 'unknown'}`, timeIn(item['created_at']), message);
  });
}

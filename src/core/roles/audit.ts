import * as z from 'zod/mini';
import { numberOf } from '#kernel/numbers.js';
import { compareText } from '#kernel/order.js';
import { cut, inert } from '#kernel/text.js';
import { type CoreRole, LANES, type Lane, type LaneRow, type Lesson, type RoleRegistry } from './lane.js';
import { isUnwanted } from './lane-life.js';
import { foldedLesson } from './lesson.js';
import { coreFile, laneFile, logFile } from './role-paths.js';
import { parseText } from './role-text.js';

export const AUDIT_KINDS = ['consolidate', 'stale', 'drift', 'graduate', 'retire'] as const;

/** A finding for people to look at; it has no effect by itself. */
export const auditFindingShape = z.object({
  kind: z.enum(AUDIT_KINDS),
  /** Role, or lane for a finding in a log. */
  role: z.string(),
  file: z.string(),
  line: z.number(),
  text: z.string(),
});
export type AuditFinding = z.infer<typeof auditFindingShape>;

/** A row with low scores from people and checks in consecutive runs. */
export interface PoorRow {
  readonly lane: Lane;
  readonly name: string;
  /** Number of latest consecutive runs. */
  readonly runs: number;
  /** Mean of all scores in them, from 0 to 1. */
  readonly mean: number;
}

export interface AuditFacts {
  readonly registry: RoleRegistry;
  readonly texts: ReadonlyMap<string, string>;
  /** Paths of all files of the repository, relative to its root; undefined if they could not be listed. */
  readonly files: Iterable<string> | undefined;
  readonly poor: readonly PoorRow[];
}

/** Minimum counts for a finding. */
const ENOUGH = { onOneArtifact: 3, missing: 2, contradictions: 3, onOneTopic: 3, lanes: 2, logEntries: 30 } as const;

const CONTRADICTION =
  /\b(?:contradicts?|contrary to|conflicts? with|instead of|rather than|despite|no longer|not true|outdated|obsolete|wrong|ignore)\b/gi;
const BACK_TICKED = /`([^`\n]{1,200})`/g;
/** Path in a repository, not a command: one word with a folder or an extension. */
const ARTIFACT = /^(?:\.{0,2}\/)?[\w.@-]+(?:\/[\w.@*-]+)*\/?$/;
const TOPIC_WORD = /[\p{L}\p{N}_-]{5,}/gu;
const NO_TOPIC = new Set([
  'about',
  'after',
  'again',
  'always',
  'because',
  'before',
  'check',
  'could',
  'every',
  'first',
  'never',
  'other',
  'should',
  'there',
  'these',
  'their',
  'where',
  'which',
  'while',
  'without',
  'would',
]);

/** Findings about the roles of a repository, by file and line. */
export function auditRoles({ registry, texts, files, poor }: AuditFacts): AuditFinding[] {
  const cores = [...registry.cores.values()];
  const artifacts = new Map(cores.map((core) => [core.name, artifactsOf(core)]));
  const missing =
    files === undefined
      ? new Set<string>()
      : missingIn(files, new Set([...artifacts.values()].flatMap((all) => [...all.keys()])));
  const lanes = lanesByRole(registry);
  const findings = [
    ...cores.flatMap((core) => [
      ...crowdedArtifacts(core),
      ...staleArtifacts(core, artifacts.get(core.name) ?? new Map(), missing),
      ...drift(core),
      ...soloTopics(core, numberOf(lanes, core.name)),
    ]),
    ...LANES.flatMap((lane) => [
      ...unwantedRows(registry.rows[lane], poor),
      ...longLog(lane, texts.get(logFile(lane))),
    ]),
  ];
  return findings.sort((left, right) =>
    left.file === right.file ? left.line - right.line : compareText(left.file, right.file),
  );
}

function crowdedArtifacts(core: CoreRole): AuditFinding[] {
  return [...grouped(core.core, (text) => backTicked(text))].flatMap(([name, lessons]) =>
    lessons.length < ENOUGH.onOneArtifact
      ? []
      : finding(
          core,
          'consolidate',
          lessons,
          `${lessons.length} core lessons are about \`${shown(name)}\`: merge them.`,
        ),
  );
}

function staleArtifacts(
  core: CoreRole,
  named: ReadonlyMap<string, Lesson>,
  missing: ReadonlySet<string>,
): AuditFinding[] {
  const gone = [...named].filter(([name]) => missing.has(name));
  if (gone.length < ENOUGH.missing) return [];
  const names = gone.slice(0, 5).map(([name]) => `\`${shown(name)}\``);
  return finding(
    core,
    'stale',
    gone.map(([, lesson]) => lesson),
    `${gone.length} things named in its lessons are not in the repository: ${names.join(', ')}.`,
  );
}

function drift(core: CoreRole): AuditFinding[] {
  const lessons = core.core.filter(({ text }) => text.search(CONTRADICTION) !== -1);
  const words = lessons.flatMap(({ text }) => text.match(CONTRADICTION) ?? []);
  if (words.length < ENOUGH.contradictions) return [];
  return finding(
    core,
    'drift',
    lessons,
    `Its core lessons contradict its body (${words
      .slice(0, 5)
      .map((word) => `"${shown(word.toLowerCase())}"`)
      .join(', ')}): fix the body.`,
  );
}

function soloTopics(core: CoreRole, lanes: number): AuditFinding[] {
  if (lanes < ENOUGH.lanes) return [];
  const topics = [...grouped(core.solo, topicsOf)].filter(([, lessons]) => lessons.length >= ENOUGH.onOneTopic);
  const [topic, lessons] = topics.sort(([, left], [, right]) => right.length - left.length)[0] ?? [];
  if (topic === undefined || !lessons) return [];
  return finding(
    core,
    'graduate',
    lessons,
    `${lessons.length} solo lessons are about "${shown(topic)}", and ${lanes} lanes have the role: see \`troupe roles graduate --candidates\`.`,
  );
}

/** Rows that a person may want to retire, because they were often cut or scored low. */
function unwantedRows(rows: readonly LaneRow[], poor: readonly PoorRow[]): AuditFinding[] {
  return rows.flatMap((row) => {
    const scored = poor.find(({ lane, name }) => lane === row.lane && name === row.name);
    const why = isUnwanted(row.lane, row)
      ? `It was cut ${row.runs.cuts} times`
      : scored !== undefined && row.status !== 'retired'
        ? `Its work was scored ${scored.mean.toFixed(2)} in its last ${scored.runs} judged runs`
        : undefined;
    if (why === undefined) return [];
    const text = `${why}: retire it with \`troupe roles retire ${row.name} --lane ${row.lane}\`.`;
    return [{ kind: 'retire' as const, role: row.name, file: laneFile(row.lane), line: row.line, text }];
  });
}

function longLog(lane: Lane, log: string | undefined): AuditFinding[] {
  const entries = log === undefined ? 0 : parseText(log).lines.filter(({ level }) => level === 2).length;
  if (entries <= ENOUGH.logEntries) return [];
  const text = `The log has ${entries} entries: summarize the older ones and remove them.`;
  return [{ kind: 'consolidate', role: lane, file: logFile(lane), line: 1, text }];
}

function finding(core: CoreRole, kind: AuditFinding['kind'], lessons: readonly Lesson[], text: string): AuditFinding[] {
  return [
    { kind, role: core.name, file: coreFile(core.name), line: Math.min(...lessons.map(({ line }) => line)), text },
  ];
}

const shown = (foreign: string): string => cut(inert(foreign), 60);

function backTicked(text: string): string[] {
  return [...new Set([...text.matchAll(BACK_TICKED)].map(([, name = '']) => name.trim()))];
}

function topicsOf(text: string): string[] {
  const words = foldedLesson(text).match(TOPIC_WORD) ?? [];
  return [...new Set([...backTicked(text), ...words.filter((word) => !NO_TOPIC.has(word))])];
}

function grouped(lessons: readonly Lesson[], keysOf: (text: string) => readonly string[]): Map<string, Lesson[]> {
  const groups = new Map<string, Lesson[]>();
  for (const lesson of lessons) {
    for (const key of keysOf(lesson.text)) {
      const group = groups.get(key);
      if (group) group.push(lesson);
      else groups.set(key, [lesson]);
    }
  }
  return groups;
}

/** Files and folders named in the lessons of a core role, each with the first lesson that names it. */
function artifactsOf({ core, solo }: CoreRole): Map<string, Lesson> {
  const named = new Map<string, Lesson>();
  for (const lesson of [...core, ...solo]) {
    for (const name of backTicked(lesson.text)) {
      const isPath = ARTIFACT.test(name) && (name.includes('/') || /\.[a-z][a-z0-9]{0,7}$/i.test(name));
      if (isPath && !name.includes('*') && !named.has(name)) named.set(name, lesson);
    }
  }
  return named;
}

/** Names that match no file or folder at any depth: lessons seldom give the full path. */
function missingIn(files: Iterable<string>, names: ReadonlySet<string>): Set<string> {
  const places = new Map([...names].map((name) => [name.replace(/^\.{0,2}\//, '').replace(/\/$/, ''), name]));
  const lastParts = new Set([...places.keys()].map((place) => place.slice(place.lastIndexOf('/') + 1)));
  const missing = new Set(names);
  for (const file of places.size === 0 ? [] : files) {
    const starts: number[] = [];
    for (let from = 0, to = 0; to < file.length; from = to + 1) {
      const slash = file.indexOf('/', from);
      to = slash === -1 ? file.length : slash;
      starts.push(from);
      if (!lastParts.has(file.slice(from, to))) continue;
      for (const start of starts) {
        const name = places.get(file.slice(start, to));
        if (name !== undefined) missing.delete(name);
      }
    }
  }
  return missing;
}

/** Number of lanes that have each core role, by link or by name. */
function lanesByRole({ rows }: RoleRegistry): Map<string, number> {
  const lanes = new Map<string, Set<Lane>>();
  for (const row of LANES.flatMap((lane) => rows[lane])) {
    const role = row.role ?? row.name;
    lanes.set(role, (lanes.get(role) ?? new Set<Lane>()).add(row.lane));
  }
  return new Map([...lanes].map(([role, having]) => [role, having.size]));
}

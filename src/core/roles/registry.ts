import { compareText } from '#kernel/order.js';
import { cut, inert } from '#kernel/text.js';
import { parseCore } from './core-file.js';
import {
  type CoreRole,
  LANES,
  type Lane,
  type LaneRow,
  type Lesson,
  type RoleProblem,
  type RoleRegistry,
} from './lane.js';
import { type LaneFile, parseLane } from './lane-file.js';
import type { LessonLines } from './lesson.js';
import { isRoleName } from './role-name.js';
import { laneFile, REGISTRY_FILE, ROLES_FOLDER } from './role-paths.js';
import { applyEdits } from './role-text.js';

type Texts = ReadonlyMap<string, string>;

/** Parses all role files; `problems` are those of files that could not be read at all. */
export function readRoles(texts: Texts, problems: readonly RoleProblem[] = []): RoleRegistry {
  const cores = new Map<string, CoreRole>();
  const all = [...problems];
  for (const [file, source] of [...texts].sort(([left], [right]) => compareText(left, right))) {
    const name = coreNameOf(file);
    if (name === undefined) continue;
    if (!isRoleName(name)) {
      const text = `"${cut(inert(name), 64)}" is not a role name: the file is ignored.`;
      all.push({ file, line: 1, severity: 'error', text });
      continue;
    }
    const core = parseCore(name, source);
    cores.set(name, core.role);
    all.push(...core.problems);
  }
  const rowsOf = (lane: Lane): LaneRow[] => {
    const file = parseLane(lane, texts.get(laneFile(lane)) ?? '');
    all.push(...file.problems, ...missingCores(lane, file, cores));
    return file.rows.flatMap(({ row }) => row ?? []);
  };
  const rows = { crew: rowsOf('crew'), panel: rowsOf('panel'), research: rowsOf('research') };
  all.sort((left, right) => (left.file === right.file ? left.line - right.line : compareText(left.file, right.file)));
  return { cores, rows, problems: all };
}

/** Name of the core role in a file; undefined for lanes, the generated table, and files elsewhere. */
export function coreNameOf(file: string): string | undefined {
  if (!file.startsWith(`${ROLES_FOLDER}/`) || !file.endsWith('.md')) return undefined;
  if (file === REGISTRY_FILE || LANES.some((lane) => file === laneFile(lane))) return undefined;
  return file.slice(ROLES_FOLDER.length + 1, -'.md'.length);
}

function missingCores(lane: Lane, file: LaneFile, cores: ReadonlyMap<string, CoreRole>): RoleProblem[] {
  return file.rows.flatMap(({ name, row, lines }) => {
    if (row?.role === undefined || cores.has(row.role)) return [];
    const line = (lines.fields.find(({ key }) => key === 'role')?.at ?? lines.at) + 1;
    const text = `${name} is linked to ${cut(inert(row.role), 64)}, which does not exist: it acts as a local role.`;
    return [{ file: laneFile(lane), line, severity: 'warning', text }];
  });
}

/** The file without these lessons; undefined if one of them is no longer unchanged at its line. */
export function strikeLessons(file: string, source: string, struck: readonly Lesson[]): string | undefined {
  const lane = LANES.find((each) => file === laneFile(each));
  const core = coreNameOf(file) ?? '';
  const parsed = lane ? parseLane(lane, source) : parseCore(core, source);
  const lessons = lessonsOf(parsed);
  const edits = struck.map(({ line, text, date }) => {
    const lesson = lessons.find((each) => each.line === line && each.text === text && each.date === date);
    return lesson && { at: lesson.at, remove: lesson.lines, insert: [] };
  });
  const present = edits.flatMap((edit) => edit ?? []);
  return present.length === struck.length ? applyEdits(parsed.text, present) : undefined;
}

function lessonsOf(parsed: LaneFile | ReturnType<typeof parseCore>): readonly LessonLines[] {
  if ('rows' in parsed) return parsed.rows.flatMap(({ lines, row }) => (row ? lines.lessons : []));
  return [...parsed.lessons.core, ...parsed.lessons.solo];
}

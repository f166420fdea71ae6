import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import { type Lane, type LaneRow, ROW_STATUSES, type RoleProblem, type RowStatus } from './lane.js';
import { isRoleName } from './role-name.js';
import { laneFile } from './role-paths.js';
import { badFile, conflictMarkers, parseText, type RoleText, textProblems } from './role-text.js';
import { type RowField, type RowLines, rowLines } from './row-lines.js';
import { NO_RUNS, readCounts } from './run-counts.js';

/** A row with its lines, valid or not. */
export interface FileRow {
  readonly name: string;
  readonly lines: RowLines;
  /** Undefined if it is invalid: then it is never used or edited. */
  readonly row: LaneRow | undefined;
}

export interface LaneFile {
  readonly text: RoleText;
  readonly rows: readonly FileRow[];
  readonly problems: readonly RoleProblem[];
}

/** Parses the file of a lane. An invalid row does not affect the others. */
export function parseLane(lane: Lane, source: string): LaneFile {
  const file = laneFile(lane);
  const text = parseText(source);
  const problems = textProblems(file, text);
  const markers = conflictMarkers(text.lines);
  const names = new Set<string>();
  const rows: FileRow[] = [];
  for (const [at, line] of text.lines.entries()) {
    if (line.level !== 3) continue;
    const name = line.title;
    const lines = rowLines(text.lines, at);
    const marker = markers.find((mark) => mark > lines.at && mark < lines.end);
    const wrong =
      problemOf(name, names, lines.fields) ??
      (marker === undefined ? undefined : { at: marker, text: `${cut(inert(name), 64)} holds two sides of a merge.` });
    if (wrong) problems.push({ file, line: (wrong.at ?? at) + 1, severity: 'error', text: wrong.text });
    if (isRoleName(name)) names.add(name);
    rows.push({ name, lines, row: wrong ? undefined : laneRow(lane, name, lines) });
  }
  return { text, rows, problems: problems.sort((left, right) => left.line - right.line) };
}

/** A row that can be edited. Errors: `role_not_found`, `bad_role_file` for an invalid row. */
export function usableRow(
  lane: Lane,
  file: LaneFile,
  name: string,
): { readonly row: LaneRow; readonly lines: RowLines } {
  const { row, lines } = file.rows.find((each) => each.name === name) ?? {};
  if (row && lines) return { row, lines };
  const shown = cut(inert(name), 64);
  if (!lines)
    throw new TroupeError('role_not_found', {
      what: `There is no role ${shown} in ${laneFile(lane)}.`,
      hint: `Run \`troupe roles show --lane ${lane}\`.`,
    });
  const problem = file.problems.find(({ line }) => line > lines.at && line <= lines.end);
  throw badFile(
    problem ?? { file: laneFile(lane), line: lines.at + 1, severity: 'error', text: 'This row cannot be read.' },
  );
}

function laneRow(lane: Lane, name: string, { at, fields, lessons }: RowLines): LaneRow {
  const values = new Map<string, string>();
  for (const { key, value } of fields) if (!values.has(key)) values.set(key, value);
  const role = values.get('role');
  return {
    lane,
    name,
    line: at + 1,
    role: role === '' ? undefined : role,
    status: values.get('status') as RowStatus,
    runs: readCounts(values.get('runs') ?? '') ?? NO_RUNS,
    fields: values,
    lessons: lessons.map(({ date, text, line }) => ({ date, text, line })),
  };
}

interface Wrong {
  /** Line, from 0; the heading's if the problem concerns the whole row. */
  readonly at?: number;
  readonly text: string;
}

function problemOf(name: string, names: ReadonlySet<string>, fields: readonly RowField[]): Wrong | undefined {
  const shown = cut(inert(name), 64);
  if (!isRoleName(name))
    return { text: `"${shown}" is not a role name: use a-z, 0-9 and dashes, and no reserved word.` };
  if (names.has(name)) return { text: `${shown} appears twice: the first row is used.` };
  const status = fields.find(({ key }) => key === 'status');
  const says = `use ${ROW_STATUSES.slice(0, -1).join(', ')} or ${ROW_STATUSES.at(-1)}`;
  if (!status) return { text: `${shown} has no status: ${says}.` };
  if (!ROW_STATUSES.some((known) => known === status.value))
    return { at: status.at, text: `"${cut(inert(status.value), 40)}" is not a status: ${says}.` };
  const runs = fields.find(({ key }) => key === 'runs');
  if (runs && readCounts(runs.value) === undefined)
    return {
      at: runs.at,
      text: `"${cut(inert(runs.value), 40)}" is not valid: write clean 0, thin 0, cuts 0.`,
    };
  return undefined;
}

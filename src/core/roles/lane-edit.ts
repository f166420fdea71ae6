import { inert } from '#kernel/text.js';
import type { Lane, LaneRow } from './lane.js';
import { type LaneFile, parseLane, usableRow } from './lane-file.js';
import { hasLesson, lessonLine, lessonText } from './lesson.js';
import { roleName } from './role-name.js';
import { laneFile } from './role-paths.js';
import { applyEdits, type LineEdit, refuseUnclosed } from './role-text.js';
import type { RowLines } from './row-lines.js';
import { countsText, NO_RUNS } from './run-counts.js';

/** Edit of one row; all other bytes stay unchanged. */
export interface RowEdit {
  readonly name: string;
  /** Values by key. A missing key is added as a line before the learnings. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Lessons to add, dated; existing ones are skipped. */
  readonly lessons?: readonly { readonly date: string; readonly text: string }[];
}

/** The file with rows edited. Errors: `role_not_found`, `bad_role_file` for an invalid row; then nothing changes. */
export function editRows(lane: Lane, source: string, edits: readonly RowEdit[]): string {
  const file = parseLane(lane, source);
  return applyEdits(
    file.text,
    edits.flatMap((edit) => rowEdits(file, usableRow(lane, file, edit.name), edit)),
  );
}

function rowEdits(file: LaneFile, { row, lines }: { row: LaneRow; lines: RowLines }, edit: RowEdit): LineEdit[] {
  const { changed, added } = fieldEdits(file, lines, edit.fields ?? {});
  const indent = lines.lessons[0]?.indent ?? '  ';
  const fresh: string[] = [];
  for (const { date, text } of edit.lessons ?? []) {
    const clean = lessonText(text);
    if (clean === '' || hasLesson(row.lessons, clean)) continue;
    const line = lessonLine(indent, date, clean);
    if (!fresh.includes(line)) fresh.push(line);
  }
  const last = lines.lessons.at(-1);
  const afterFields = lines.learnings ?? endOfFields(lines);
  const inserted: LineEdit[] = [];
  if (lines.learnings === undefined) {
    const insert = [...added, ...(fresh.length > 0 ? ['- learnings:', ...fresh] : [])];
    if (insert.length > 0) inserted.push({ at: afterFields, remove: 0, insert });
  } else {
    if (added.length > 0) inserted.push({ at: afterFields, remove: 0, insert: added });
    const at = last ? last.at + last.lines : lines.learnings + 1;
    if (fresh.length > 0) inserted.push({ at, remove: 0, insert: fresh });
  }
  return [...inserted, ...changed];
}

/** Edits of existing fields, and lines for missing ones. */
function fieldEdits({ text }: LaneFile, lines: RowLines, values: Readonly<Record<string, string>>) {
  const byLine = new Map<number, { text: string; more: number }>();
  const added: string[] = [];
  // From right to left, as two values may be on one line.
  const byPlace = lines.fields.toSorted((left, right) => right.at - left.at || right.from - left.from);
  for (const [key, foreign] of Object.entries(values)) {
    if (!lines.fields.some((field) => field.key === key)) added.push(`- ${key}: ${fieldValue(foreign)}`);
  }
  for (const field of byPlace) {
    const foreign = values[field.key];
    if (foreign === undefined || lines.fields.find(({ key }) => key === field.key) !== field) continue;
    if (field.value === fieldValue(foreign)) continue;
    const line = byLine.get(field.at) ?? { text: text.lines[field.at]?.text ?? '', more: 0 };
    const space = field.from === field.to && !/[ \t]$/.test(line.text.slice(0, field.from)) ? ' ' : '';
    byLine.set(field.at, {
      text: `${line.text.slice(0, field.from)}${space}${fieldValue(foreign)}${line.text.slice(field.to)}`,
      more: Math.max(line.more, field.more),
    });
  }
  const changed = [...byLine].map(([at, line]) => ({ at, remove: 1 + line.more, insert: [line.text] }));
  return { changed, added };
}

/** Line after the last field; a row that is edited has at least a status. */
function endOfFields(lines: RowLines): number {
  return Math.max(...lines.fields.map(({ at, more }) => at + more + 1));
}

/** Value on one line, without hidden characters. */
export function fieldValue(foreign: string): string {
  return inert(foreign.replace(/\s+/gu, ' ').trim());
}

/** A new row: its name and its fields in order. */
export interface NewRow {
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Field of a row that holds the charter if there is no core role. */
export const CHARTER_FIELD: Readonly<Record<Lane, string>> = { crew: 'owns', panel: 'charter', research: 'charter' };

const TITLES: Readonly<Record<Lane, string>> = { crew: 'Crew', panel: 'Panel', research: 'Research' };

/**
 * The file with one more row, on probation. `source` is undefined if there is no file yet. Idempotent: an existing row
 * of this name is not changed. Errors: `bad_role_name`.
 */
export function mintRow(lane: Lane, source: string | undefined, row: NewRow): { text: string; minted: boolean } {
  const name = roleName(row.name);
  const file = parseLane(lane, source ?? `# ${TITLES[lane]}\n`);
  const namesake = file.rows.find((each) => each.name === name);
  if (namesake) {
    usableRow(lane, file, name);
    return { text: source ?? '', minted: false };
  }
  refuseUnclosed(laneFile(lane), file.text);
  const fields = Object.entries(row.fields).filter(([key]) => !OWN_KEYS.has(key));
  const lines = [
    `### ${name}`,
    ...fields.map(([key, value]) => `- ${key}: ${fieldValue(value)}`),
    '- status: probationary',
    `- runs: ${countsText(NO_RUNS)}`,
    '- learnings:',
  ];
  const blank = file.text.lines.at(-1)?.text.trim() === '' || file.text.lines.length === 0 ? [] : [''];
  return {
    text: applyEdits(file.text, [{ at: file.text.lines.length, remove: 0, insert: [...blank, ...lines] }]),
    minted: true,
  };
}

const OWN_KEYS: ReadonlySet<string> = new Set(['status', 'runs', 'learnings']);

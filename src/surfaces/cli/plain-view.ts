import { isJsonObject, type Json, type JsonObject } from '#kernel/json.js';
import { inert, plural } from '#kernel/text.js';
import { ago } from './ago.js';
import type { Screen } from './screen.js';
import { type Column, printTable } from './table.js';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;
/** Fields of a row beyond these are left to `--json`. */
const MOST_COLUMNS = 7;

/**
 * Prints an answer by its form: a table of rows, a fact per line, or a sentence. The view of every operation that has
 * no printer of its own.
 */
export function printPlainly(answer: unknown, screen: Screen): void {
  const value = answer as Json | undefined;
  if (Array.isArray(value)) printRows('row', value, screen);
  else if (isJsonObject(value)) printRecord(value, screen);
  else screen.line(wordsOf(value));
}

/** Facts first, aligned; then each list under its name. */
function printRecord(record: JsonObject, screen: Screen): void {
  const entries = Object.entries(record).filter(([, value]) => value !== undefined);
  const alone = entries.length === 1;
  const facts = entries.filter(([, value]) => !isList(value, alone));
  const width = Math.max(0, ...facts.map(([name]) => titleOf(name).length));
  for (const [name, value] of facts)
    screen.line(`${screen.colour.dim(titleOf(name).padEnd(width))}  ${wordsOf(value)}`.trimEnd());
  const lists = entries.filter(([, value]) => isList(value, alone));
  for (const [index, [name, rows]] of lists.entries()) {
    if (index > 0 || facts.length > 0) screen.line();
    if (lists.length > 1 || facts.length > 0) screen.line(screen.colour.bold(titleOf(name)));
    printRows(titleOf(name), rows as readonly Json[], screen);
  }
}

function printRows(name: string, rows: readonly Json[], screen: Screen): void {
  if (rows.length === 0) screen.line(`No ${name}.`);
  if (!rows.every(isJsonObject)) for (const row of rows) screen.line(wordsOf(row));
  else if (rows.length > 0) printTableOf(rows, screen);
}

function printTableOf(rows: readonly JsonObject[], screen: Screen): void {
  const fields = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  printTable(
    screen,
    rows,
    fields.slice(0, MOST_COLUMNS).map((field) => columnOf(field, rows)),
  );
  if (fields.length > MOST_COLUMNS) screen.aside(`${plural(fields.length - MOST_COLUMNS, 'more field')}: --json.`);
}

function columnOf(field: string, rows: readonly JsonObject[]): Column<JsonObject> {
  const isNumber = rows.every((row) => row[field] === undefined || typeof row[field] === 'number');
  return {
    title: titleOf(field).toUpperCase(),
    text: (row) => wordsOf(row[field]),
    right: isNumber,
    flexible: /^(?:title|summary|description|text|content|message|reason|problem)$/.test(field),
  };
}

/** Whether a value is printed as rows. An empty one says so in words only if it is the whole answer. */
const isList = (value: Json | undefined, alone: boolean): boolean =>
  Array.isArray(value) && (value.length === 0 ? alone : value.some(isJsonObject));

const titleOf = (field: string): string => inert(field.replaceAll('_', ' '));

/** A value on one line: times as their age, lists with commas, nothing as a dash. */
function wordsOf(value: Json | undefined): string {
  if (value === null || value === undefined || value === '') return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return TIME.test(value) ? ago(value) : inert(value);
  if (Array.isArray(value)) return value.length === 0 ? '–' : value.map(wordsOf).join(', ');
  return typeof value === 'object' ? inert(JSON.stringify(value)) : String(value);
}

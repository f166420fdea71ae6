import { folderSlug } from '#core/catalog/member-slug.js';
import { dayAt } from '#kernel/clock.js';
import { CodeFence } from './code-fence.js';
import { splitBody } from './inbox-file.js';
import {
  checkedLine,
  checkedText,
  DECISION_TYPES,
  type DecisionType,
  IMPORTANCES,
  type Importance,
  type MemoryType,
} from './memory.js';
import { findMemoryBlock, isStateLine, NO_DECISIONS, opened, type RecordMark, readMark } from './memory-text.js';

/** A record as parsed from a file. Fields that the file lacks are undefined. */
interface Read {
  readonly mark: RecordMark | undefined;
  /** Start of the day, in milliseconds since 1970. */
  readonly at: number | undefined;
}
export interface DecisionReading extends Read {
  readonly kind: 'decision';
  readonly number: number | undefined;
  readonly type: DecisionType | undefined;
  readonly title: string;
  readonly content: string;
  readonly rationale: string;
  readonly agent: string | undefined;
}
export interface MemoryReading extends Read {
  readonly kind: 'memory';
  readonly agent: string;
  readonly type: MemoryType;
  readonly importance: Importance | undefined;
  readonly content: string;
}
export interface SessionReading extends Read {
  readonly kind: 'session';
  readonly number: number | undefined;
  readonly focus: string;
  readonly context: string;
  readonly by: string | undefined;
}
export type Reading = DecisionReading | MemoryReading | SessionReading;

/** Records parsed from a file. */
export interface FileReadings {
  readonly readings: readonly Reading[];
  /** Whether generated parts contain text that cannot be stored: a person wrote it, and it must not be lost. */
  readonly strange: boolean;
  /** Whether git merged two states of the generated part; its records may be incomplete. */
  readonly merged: boolean;
}

/**
 * Whether the generated part contains text that could not be imported. The file is copied aside before that part is
 * overwritten.
 */
export function isUnsure({ readings, strange, merged }: FileReadings): boolean {
  return strange || (merged && readings.some(({ mark }) => mark?.intact === false));
}

/**
 * Parses `decisions.md`: the sections in the generated block and, if the file starts with the generated heading, the
 * sections beside it.
 */
export function readDecisions(text: string): FileReadings {
  const { inside, beside } = ownDecisions(text);
  const { sections, loose } = sectionsOf(inside);
  const more = sectionsOf(beside ?? '');
  const readings = [...sections, ...more.sections].map((section) => decisionReading(section));
  return {
    readings: readings.filter((reading) => reading !== undefined),
    strange: readings.includes(undefined) || loose,
    merged: isMerged(inside),
  };
}

/**
 * Splits `decisions.md` into the generated block and the text beside it; the latter is undefined unless a cast or an
 * export created the file.
 */
export function ownDecisions(text: string): { readonly inside: string; readonly beside: string | undefined } {
  const block = findMemoryBlock(text);
  const inside = typeof block === 'object' ? text.slice(block.from, block.to) : '';
  const outside = typeof block === 'object' ? `${text.slice(0, block.from)}\n${text.slice(block.to)}` : text;
  return { inside, beside: isOurBeginning(text) ? outside : undefined };
}

/** Whether a `decisions.md` was created by a cast or an export, judging by its first two lines. */
export function isOurBeginning(text: string): boolean {
  const lines = (whole: string) => whole.split(/\r?\n/).filter((line) => line.trim() !== '');
  const [title, about] = lines(text.replace(/^\ufeff/, ''));
  const [ourTitle, ourAbout] = lines(NO_DECISIONS);
  return title === ourTitle && about === ourAbout;
}

/** Parses the generated block of a member's `history.md`. */
export function readDiary(agent: string, text: string): FileReadings {
  const block = findMemoryBlock(text);
  if (typeof block !== 'object') return { readings: [], strange: false, merged: false };
  const inside = text.slice(block.from, block.to);
  const readings: (MemoryReading | undefined)[] = [];
  let type: MemoryType = 'learning';
  let item: string[] | undefined;
  let loose = false;
  const end = () => {
    if (item !== undefined) readings.push(memoryReading(agent, type, item.join('\n')));
    item = undefined;
  };
  for (const line of contentOf(inside)) {
    const heading = /^#{2,3} +(.*?) *$/.exec(line)?.[1];
    if (heading !== undefined) {
      end();
      if (heading === 'Updates') type = 'update';
      else if (heading === 'Learnings') type = 'learning';
      else if (heading !== 'Memory') loose = true;
    } else if (/^[-*] /.test(line)) {
      end();
      item = [line.slice(2)];
    } else if (item !== undefined && (line.startsWith('  ') || line.trim() === ''))
      item.push(line.replace(/^ {2}/, ''));
    else if (line.trim() !== '') loose = true;
  }
  end();
  return {
    readings: readings.filter((reading) => reading !== undefined),
    strange: readings.includes(undefined) || loose,
    merged: isMerged(inside),
  };
}

/** Parses `now.md`: the open session, if the file has the generated form. */
export function readNow(text: string): FileReadings {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/);
  const marks = lines.filter((line) => readMark(line).mark !== undefined).length;
  const { mark, text: plain } = readMark(lines.join('\n'));
  const about = /^# Now\s*$|^What the team is working on/;
  const { facts, rest } = factsOf(plain.split(/\r?\n/).filter((line) => !about.test(line)));
  const focus = checkedLine('focus', facts.get('Focus') ?? '');
  const nothing = { readings: [], strange: false, merged: marks > 1 };
  if (marks > 1 || 'reason' in focus || lines[0]?.trim() !== '# Now') return nothing;
  const context = checkedText('context', opened(rest.join('\n')));
  if ('reason' in context) return { ...nothing, strange: true };
  const reading: SessionReading = {
    kind: 'session',
    mark,
    at: dayAt(facts.get('Since')),
    number: numberIn(facts.get('Session')),
    focus: focus.value,
    context: context.value,
    by: facts.get('Begun by'),
  };
  return { ...nothing, readings: [reading] };
}

function sectionsOf(text: string): { sections: { title: string; lines: string[] }[]; loose: boolean } {
  const sections: { title: string; lines: string[] }[] = [];
  const fence = new CodeFence();
  let loose = false;
  for (const line of contentOf(text)) {
    const title = fence.holds(line) ? undefined : /^## +(.*?) *$/.exec(line)?.[1];
    if (title !== undefined) sections.push({ title, lines: [] });
    else if (sections.length > 0) sections.at(-1)?.lines.push(line);
    else if (line.trim() !== '') loose = true;
  }
  return { sections, loose };
}

function decisionReading(section: { title: string; lines: string[] }): DecisionReading | undefined {
  const { mark, text } = readMark([`## ${section.title}`, ...section.lines].join('\n'));
  const [, number, title = ''] = /^(?:(\d{1,9})\. )?(.*)$/.exec(section.title) ?? [];
  const { facts, rest } = factsOf(text.split('\n').slice(1));
  const body = checkedText('the text', opened(rest.join('\n')));
  const named = checkedLine('title', title);
  if ('reason' in body || 'reason' in named) return undefined;
  return {
    kind: 'decision',
    mark,
    at: dayAt(facts.get('Decided')),
    number: numberIn(number),
    title: named.value,
    type: DECISION_TYPES.find((type) => type === facts.get('Type')),
    agent: folderSlug(facts.get('Proposed by') ?? ''),
    ...splitBody(body.value),
  };
}

function memoryReading(agent: string, type: MemoryType, item: string): MemoryReading | undefined {
  const { mark, text } = readMark(item);
  const [whole = '', day, importance] = /^(?:(\d{4}-\d{2}-\d{2}) )?(?:\((high|medium|low)\) )?/.exec(text) ?? [];
  const lines = text.slice(whole.length).split('\n');
  const content = checkedText('the text', opened(lines.map((line) => line.trimEnd()).join('\n')));
  if ('reason' in content || content.value === '') return undefined;
  const level = IMPORTANCES.find((word) => word === importance);
  return { kind: 'memory', mark, at: dayAt(day), agent, type, importance: level, content: content.value };
}

/** Lines of a generated part without its marker lines. */
function contentOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => !isStateLine(line) && !/^<!-- troupe:memory:(?:begin|end) -->$/.test(line));
}

const isMerged = (text: string) => text.split(/\r?\n/).filter((line) => isStateLine(line)).length > 1;

const FACT = /^- \*\*(?:Type|Decided|Proposed by|Focus|Since|Begun by|Session):\*\* /;

/** Splits leading `- **Name:** value` lines (several pairs per line possible) from the lines that follow. */
function factsOf(lines: readonly string[]): { facts: ReadonlyMap<string, string>; rest: readonly string[] } {
  const end = lines.findIndex((line) => line.trim() !== '' && !FACT.test(line));
  const head = lines.slice(0, end === -1 ? lines.length : end).filter((line) => line.trim() !== '');
  const facts = new Map(
    head.flatMap((line) =>
      line
        .slice(2)
        .split(/, (?=\*\*)/)
        .map((part) => {
          const [, name = '', value = ''] = /^\*\*(.*?):\*\*(.*)$/s.exec(part) ?? [];
          return [name, value.trim()] as const;
        }),
    ),
  );
  return { facts, rest: end === -1 ? [] : lines.slice(end) };
}

function numberIn(text: string | undefined): number | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : undefined;
}

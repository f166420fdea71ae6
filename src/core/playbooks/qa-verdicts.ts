import { foldLookAlikes, reportsFailure } from '#kernel/look-alikes.js';
import { lineBounds, type MarkdownLine } from '#kernel/markdown-lines.js';
import { numberAt } from '#kernel/numbers.js';
import { MalformedHandoff, parseHandoff, sectionOf } from './handoff-file.js';

/** A line of the contract that must hold before delivery. */
export interface Criterion {
  readonly number: number;
  readonly text: string;
}

/** The tester's verdict on one criterion; without a number, it refers to none. */
interface Verdict {
  readonly pass: boolean;
  readonly number: number | undefined;
  /** Empty if there is none. */
  readonly evidence: string;
}

/** A criterion with its verdict; a pass without evidence is not a pass. */
export interface CriterionStanding extends Criterion {
  readonly verdict: 'PASS' | 'FAIL' | 'UNPROVEN' | 'OPEN';
  readonly evidence: string;
}

/** Defects of the verdicts, by number of the criterion; all empty if there are none. */
export interface QaFindings {
  readonly failed: readonly number[];
  /** Whether a FAIL has no number, or that of no criterion. */
  readonly failedElsewhere: boolean;
  readonly unjudged: readonly number[];
  readonly withoutEvidence: readonly number[];
}

/**
 * Numbered bullets of `## Done-criteria`. Written numbers count if they increase; without a point after them, as a text
 * may start with a number, only if they count from 1. Otherwise the position is the number. Nested bullets belong to
 * the one above them.
 */
export function criteriaOf(contract: readonly MarkdownLine[]): readonly Criterion[] {
  const bullets: Bullet[] = [];
  let depth: number | undefined;
  for (const line of sectionOf(contract, 'Done-criteria') ?? []) {
    const bullet = bulletOf(line);
    if (bullet === undefined) continue;
    depth ??= bullet.depth;
    if (bullet.depth <= depth + 1 && bullet.whole !== '') bullets.push(bullet);
  }
  const numbers = bullets.map(({ number }) => number ?? 0);
  const counted = numbers.every((number, index) => number === index + 1);
  const rising = numbers.every((number, index) => number > numberAt(numbers, index - 1));
  const written = counted || (rising && bullets.every(({ pointed }) => pointed));
  return bullets.map(({ whole, behind }, index) =>
    written ? { number: numberAt(numbers, index), text: behind } : { number: index + 1, text: whole },
  );
}

interface Bullet {
  readonly depth: number;
  readonly number: number | undefined;
  /** Whether a point or similar separates the number. */
  readonly pointed: boolean;
  /** Text including a leading number; `behind` is without it. */
  readonly whole: string;
  readonly behind: string;
}

function bulletOf({ kind, text }: MarkdownLine): Bullet | undefined {
  const bullet = kind === 'text' ? /^([ \t]*)(?:[-*+]|(\d{1,4})[.)])[ \t]+(.*)$/s.exec(text) : null;
  if (bullet === null) return undefined;
  const [, indent = '', ordered, rest = ''] = bullet;
  const depth = indent.replaceAll('\t', '    ').length;
  const whole = rest.replace(/^\[[ xX]\][ \t]+/, '').trim();
  if (ordered !== undefined) return { depth, number: Number(ordered), pointed: true, whole, behind: whole };
  const [, number, point = '', behind = ''] = /^#?(\d{1,4})([.):]?)(?:[ \t]+(.*))?$/s.exec(whole) ?? [];
  return { depth, whole, behind, number: number === undefined ? undefined : Number(number), pointed: point !== '' };
}

/** Compares the verdicts of QA.md with the criteria of the contract. */
export function judgeVerdicts(criteria: readonly Criterion[], qa: readonly MarkdownLine[]): QaFindings {
  const verdicts = verdictsOf(qa, criteria);
  const standings = standingsOf(criteria, verdicts);
  const numbers = new Set(standings.map(({ number }) => number));
  const those = (word: CriterionStanding['verdict']) => [
    ...new Set(standings.filter(({ verdict }) => verdict === word).map(({ number }) => number)),
  ];
  return {
    failed: those('FAIL'),
    failedElsewhere: verdicts.some(({ pass, number }) => !pass && (number === undefined || !numbers.has(number))),
    unjudged: those('OPEN'),
    withoutEvidence: those('UNPROVEN'),
  };
}

/**
 * First line of a QA.md that mentions failure without being a verdict; undefined if there is none. Not meant for a file
 * with a FAIL, which has failed anyway. Quoted criteria are ignored, and so is `0 failed` in a pass, which test runners
 * print.
 */
export function ambiguousLine(criteria: readonly Criterion[], qa: string): string | undefined {
  const quoted = criteria.map(({ text }) => folded(text)).filter(reportsFailure);
  for (const { start, end } of lineBounds(qa)) {
    const line = qa.slice(start, end);
    if (!reportsFailure(line)) continue;
    const own = quoted.reduce((rest, text) => rest.replaceAll(text, ' '), folded(line));
    const isPass = LISTED_PASS.test(line) || cellsOf(line)?.some((cell) => plainWord(cell) === 'PASS') === true;
    if (reportsFailure(isPass ? own.replace(/\b0 failed\b/g, '') : own)) return line;
  }
  return undefined;
}

/** Whether the text is evidence; a statement that nothing was tested is not. */
function isEvidence(text: string): boolean {
  const words = foldLookAlikes(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return words !== '' && !NO_EVIDENCE.test(words);
}

const NO_EVIDENCE =
  /^(?:(?:(?:not|never) (?:tested|checked|run|verified|done|tried|applicable)|untested|unverified|to ?do|tbd|skip(?:ped)?|n a|na)(?: .*)?|none|nothing|pending|later|missing|unknown|no evidence|no)$/;

/** One FAIL is enough; of several passes, the first with evidence counts. */
function standingsOf(criteria: readonly Criterion[], verdicts: readonly Verdict[]): CriterionStanding[] {
  const byNumber = new Map<number | undefined, Verdict[]>();
  for (const verdict of verdicts) {
    const same = byNumber.get(verdict.number);
    if (same) same.push(verdict);
    else byNumber.set(verdict.number, [verdict]);
  }
  return criteria.map((criterion) => {
    const own = byNumber.get(criterion.number) ?? [];
    const failure = own.find(({ pass }) => !pass);
    const proof = own.find(({ evidence }) => isEvidence(evidence));
    const verdict = failure ? 'FAIL' : own.length === 0 ? 'OPEN' : proof ? 'PASS' : 'UNPROVEN';
    return { ...criterion, verdict, evidence: (failure ?? proof)?.evidence.trim() ?? '' };
  });
}

/** Criteria of a contract with their verdicts; empty if the contract cannot be parsed, all open if QA.md cannot. */
export function criteriaStandings(contract: string | undefined, qa: string | undefined): CriterionStanding[] {
  const criteria = bodyOf(contract, criteriaOf) ?? [];
  return standingsOf(criteria, bodyOf(qa, (lines) => verdictsOf(lines, criteria)) ?? []);
}

function bodyOf<Value>(text: string | undefined, read: (lines: readonly MarkdownLine[]) => Value): Value | undefined {
  try {
    return text === undefined ? undefined : read(parseHandoff(text).body);
  } catch (error) {
    if (error instanceof MalformedHandoff) return undefined;
    throw error;
  }
}

/** Number of criteria that pass in a QA.md; undefined if either file cannot be parsed. */
export function passedCriteria(contract: string | undefined, qa: string | undefined): number | undefined {
  const criteria = bodyOf(contract, criteriaOf);
  const verdicts = criteria && bodyOf(qa, (lines) => verdictsOf(lines, criteria));
  if (!criteria || !verdicts) return undefined;
  return standingsOf(criteria, verdicts).filter(({ verdict }) => verdict === 'PASS').length;
}

function verdictsOf(qa: readonly MarkdownLine[], criteria: readonly Criterion[]): readonly Verdict[] {
  const textOf = new Map(criteria.map(({ number, text }) => [number, text]));
  const verdicts: Verdict[] = [];
  let evidenceColumn: number | undefined;
  for (const [index, line] of qa.entries()) {
    if (line.kind !== 'text' || line.text === '') continue;
    const cells = cellsOf(line.text);
    if (cells === undefined) {
      evidenceColumn = undefined;
      const verdict = listVerdict(line.text, () => continuation(qa, index + 1), textOf);
      if (verdict !== undefined) verdicts.push(verdict);
    } else if (isRule(cellsOf(qa[index + 1]?.text ?? ''))) {
      const column = cells.findIndex((cell) => /^(?:evidence|proof)$/i.test(cell)); // table header
      evidenceColumn = column < 0 ? undefined : column;
    } else {
      const verdict = rowVerdict(cells, evidenceColumn, textOf);
      if (verdict !== undefined) verdicts.push(verdict);
    }
  }
  return verdicts;
}

/** A FAIL counts in any layout; a pass only as a separate bullet. */
const LISTED_FAIL =
  /^[ \t]*(?:(?:[-*+]|\d{1,4}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?[*_~]*\[[ \t*_]*fail[ \t*_]*\][*_~]*(.*)$/is;
const LISTED_PASS = /^ {0,3}[-*+][ \t]+[*_]*\[[ \t*_]*pass[ \t*_]*\][*_]*(.*)$/is;
const NUMBER = /^#?([1-9]\d{0,3})[.):]?(?:[ \t]+(.*))?$/s;

/** Parses `- [PASS] 1 text — evidence`. */
function listVerdict(line: string, below: () => string, textOf: ReadonlyMap<number, string>): Verdict | undefined {
  const fail = LISTED_FAIL.exec(line)?.[1];
  const rest = fail ?? LISTED_PASS.exec(line)?.[1];
  if (rest === undefined) return undefined;
  const [, number, text = ''] = NUMBER.exec(rest.trim()) ?? [];
  if (number === undefined) return { pass: fail === undefined, number: undefined, evidence: '' };
  // The text of the criterion may contain a dash.
  const words = spaced(`${text} ${below()}`);
  const [said, criterion] = [words.toLowerCase(), folded(textOf.get(Number(number)) ?? '')];
  const shown = words.length === said.length ? words : said;
  const behind = criterion !== '' && said.startsWith(criterion) ? shown.slice(criterion.length) : shown;
  const [, ...evidence] = ` ${behind}`.split(/—| – | -- | - /);
  return { pass: fail === undefined, number: Number(number), evidence: evidence.join(' ') };
}

/** Continuation lines of a bullet, indented further. */
function continuation(qa: readonly MarkdownLine[], from: number): string {
  const lines: string[] = [];
  for (let at = from; ; at++) {
    const line = qa[at];
    if (
      line === undefined ||
      line.kind !== 'text' ||
      !/^(?: {2,}|\t)[ \t]*(?![-*+][ \t]|\d{1,4}[.)][ \t])\S/.test(line.text)
    )
      break;
    lines.push(line.text);
  }
  return lines.join(' ');
}

function rowVerdict(
  cells: readonly string[],
  evidenceColumn: number | undefined,
  textOf: ReadonlyMap<number, string>,
): Verdict | undefined {
  const words = cells.map(plainWord);
  const at = words.indexOf('FAIL') < 0 ? words.indexOf('PASS') : words.indexOf('FAIL');
  if (at < 0) return undefined;
  const first = at === 0 ? 1 : 0; // the number leads the row, or follows the verdict
  const [, number, text = ''] = NUMBER.exec(cells[first] ?? '') ?? [];
  const others = cells.filter((cell, index) => index !== at && index !== first && hasWords(cell));
  const behind = cells.slice(Math.max(at, first) + 1).filter(hasWords);
  const counted = Number(number ?? 0);
  const criterion = folded(textOf.get(counted) ?? '');
  const proofs = behind.filter((cell) => folded(cell) !== criterion);
  const before = at === cells.length - 1 ? others.slice(text === '' ? 1 : 0) : [];
  return {
    pass: words[at] === 'PASS',
    number: number === undefined ? undefined : counted,
    evidence:
      evidenceColumn !== undefined ? (cells[evidenceColumn] ?? '') : (proofs.length > 0 ? proofs : before).join(' '),
  };
}

/** Cells of a table row; undefined for other lines. */
function cellsOf(line: string): readonly string[] | undefined {
  const row = line.trim();
  if (!row.startsWith('|') || row.length < 2) return undefined;
  const cells = row.replaceAll('\\|', '\0').split('|').slice(1);
  if (cells.at(-1)?.trim() === '') cells.pop();
  return cells.map((cell) => cell.replaceAll('\0', '|').trim());
}

/** Whether it is a delimiter row such as `| --- | :-: |`. */
function isRule(cells: readonly string[] | undefined): boolean {
  return cells !== undefined && cells.length > 0 && cells.every((cell) => /^:?-+:?$/.test(cell));
}

const plainWord = (cell: string): string => cell.replace(/[*_]/g, '').trim().toUpperCase();
const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim();
const folded = (text: string): string => spaced(text.toLowerCase());
const hasWords = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

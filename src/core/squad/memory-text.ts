import { cellText } from '#core/squad/team-file.js';
import { timestamp } from '#kernel/clock.js';
import { sha256 } from '#kernel/hash.js';
import { CodeFence } from './code-fence.js';
import type { Decision, Memory, WorkSession } from './memory.js';

const MARK = /<!-- troupe:(decision|memory|session) ([0-9a-f]{16}) ([0-9a-f]{12}) -->/;
const STATE = /^<!-- troupe:state [0-9a-f]{12} -->$/;

/** Record that a part of a file shows, and whether the part is unchanged since it was written. */
export interface RecordMark {
  readonly id: string;
  readonly intact: boolean;
}

/** Marker that names the record shown in `text`; its hash reveals later edits. */
function recordMark(kind: 'decision' | 'memory' | 'session', id: string, text: string): string {
  return `<!-- troupe:${kind} ${id} ${hashOf(text)} -->`;
}

/** Splits the marker from a part of a file. */
export function readMark(part: string): { readonly mark: RecordMark | undefined; readonly text: string } {
  const match = MARK.exec(part);
  if (match === null) return { mark: undefined, text: part };
  const [whole, , id = '', hash] = match;
  const text = part.replace(whole, '');
  return { mark: { id, intact: hashOf(text) === hash }, text };
}

/** Last line of a generated part. Two such lines mean that git merged two states into one file. */
function stateLine(text: string): string {
  return `<!-- troupe:state ${hashOf(text)} -->`;
}

/** Appends the state line to a file that is generated as a whole. */
export function withState(text: string): string {
  return `${text.trimEnd()}\n\n${stateLine(text)}\n`;
}

/** Whether a generated file is unchanged since it was written. */
export function isOurState(text: string): boolean {
  const lines = text.split(/\r?\n/);
  const rest = lines.filter((line) => !isStateLine(line)).join('\n');
  return lines.filter((line) => line.trim() === stateLine(rest)).length === 1;
}

export const isStateLine = (line: string): boolean => STATE.test(line.trim());

/** Ignores blank lines and spaces around lines: editors and git change them. */
function hashOf(text: string): string {
  const lines = text.split(/\r?\n/).map((line) => line.trim());
  return sha256(lines.filter((line) => line !== '').join('\n')).slice(0, 12);
}

const BEGIN = '<!-- troupe:memory:begin -->';
const END = '<!-- troupe:memory:end -->';

/** Renders a generated block between begin and end markers; its last line identifies its state. */
export function memoryBlock(body: string): string {
  const text = body.trimEnd();
  return [BEGIN, '', ...(text === '' ? [] : [text, '']), stateLine(text), END].join('\n');
}

/** Renders the generated block of a member's `history.md`: its updates and learnings, each with its id. */
export function renderDiary(memories: readonly Memory[], idOf: (memory: Memory) => string | undefined): string {
  const part = (title: string, type: Memory['type']) => {
    const rows = memories.filter((memory) => memory.type === type);
    return rows.length === 0 ? [] : ['', `### ${title}`, '', ...rows.map((row) => lineOf(row, idOf(row)))];
  };
  return memoryBlock(['## Memory', ...part('Updates', 'update'), ...part('Learnings', 'learning')].join('\n'));
}

/**
 * Range of the generated block in a text. If git left several markers of a kind, it extends from the first to the last.
 */
export function findMemoryBlock(text: string): { readonly from: number; readonly to: number } | 'none' | 'unclear' {
  const [from, end] = [text.indexOf(BEGIN), text.lastIndexOf(END)];
  if (from < 0 && end < 0) return 'none';
  return from >= 0 && from < end ? { from, to: end + END.length } : 'unclear';
}

/** Replaces the generated block of a text, or appends it; every other byte is unchanged. */
export function withMemoryBlock(text: string, block: string): string {
  const place = findMemoryBlock(text);
  if (typeof place === 'object') return `${text.slice(0, place.from)}${block}${text.slice(place.to)}`;
  return `${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${text === '' ? '' : '\n'}${block}\n`;
}

function lineOf(memory: Memory, id: string | undefined): string {
  const [first = '', ...more] = shut(memory.content).split('\n');
  const head = `${dayOf(memory)} (${memory.importance}) ${first}`;
  const rest = more.map((line) => (line === '' ? '' : `  ${line}`));
  const mark = id === undefined ? '' : ` ${recordMark('memory', id, [head, ...more].join('\n'))}`;
  return [`- ${head}${mark}`, ...rest].join('\n');
}

/** Content of now.md before the first session; written by a cast. */
export const NO_SESSION = '# Now\n\nWhat the team is working on at present. Nothing has been started yet.\n';

/** Renders `identity/now.md`: the open session with its id, or that there is none. */
export function renderNow(session: WorkSession | undefined, id: string | undefined): string {
  if (session === undefined) return NO_SESSION;
  const { number, focus, context, started_by, started_at } = session;
  const facts = [
    `- **Focus:** ${focus}`,
    `- **Since:** ${timestamp(started_at).slice(0, 10)}`,
    `- **Begun by:** ${cellText(started_by)}`,
    `- **Session:** ${number}`,
  ];
  const text = ['# Now', 'What the team is working on at present.', facts.join('\n'), shut(context)]
    .join('\n\n')
    .trimEnd();
  return id === undefined ? `${text}\n` : `${text}\n\n${recordMark('session', id, text)}\n`;
}

/** Renders `patterns.md`: the patterns that members found useful. */
export function renderPatterns(memories: readonly Memory[]): string {
  return [
    '# Patterns\n\nWhat members found to work here, newest last.\n',
    ...memories.map((memory) => memorySection(memory)),
  ].join('\n');
}

function memorySection(memory: Memory): string {
  return `## ${memory.number}. ${memory.agent}\n\n- **Importance:** ${memory.importance}\n- **Since:** ${dayOf(memory)}\n\n${shut(memory.content)}\n`;
}

const dayOf = ({ created_at }: Memory): string => timestamp(created_at).slice(0, 10);

/** Content of decisions.md before the first decision; written by a cast. */
export const NO_DECISIONS = '# Decisions\n\nWhat the team has agreed on, newest last.\n';

/** Renders the active decisions for `decisions.md`, each as a section with its id. */
export function renderDecisions(
  decisions: readonly Decision[],
  idOf: (decision: Decision) => string | undefined,
): string {
  return decisions.map((decision) => markedSection(decision, idOf(decision))).join('\n');
}

/**
 * Places the marker directly below the heading, and the facts on one line: git merges two changes into one conflict if
 * at most three equal lines separate them, so the parts of a section stay together.
 */
function markedSection(decision: Decision, id: string | undefined): string {
  const section = decisionSection(decision);
  if (id === undefined) return section;
  const [heading = '', ...rest] = section.split('\n');
  return [heading, recordMark('decision', id, section), ...rest].join('\n');
}

/** Renders `boundaries.md`: the architectural and scope decisions. */
export function renderBoundaries(decisions: readonly Decision[]): string {
  const parts = [
    ['Architecture', decisions.filter(({ type }) => type === 'architectural')],
    ['Scope', decisions.filter(({ type }) => type === 'scope')],
  ] as const;
  const head = '# Boundaries\n\nDecisions that say what belongs to this project and how it is built.\n';
  const sections = parts
    .filter(([, rows]) => rows.length > 0)
    .map(([title, rows]) => [`## ${title}\n`, ...rows.map((row) => decisionSection(row, '###'))].join('\n'));
  return [head, ...sections].join('\n');
}

function decisionSection(
  { number, title, type, agent, created_at, content, rationale }: Decision,
  mark = '##',
): string {
  const facts = [`**Type:** ${type}`, `**Decided:** ${timestamp(created_at).slice(0, 10)}`];
  if (agent !== undefined) facts.push(`**Proposed by:** ${agent}`);
  const parts = [`${mark} ${number}. ${title}`, `- ${facts.join(', ')}`, shut(content)];
  if (rationale !== '') parts.push(shut(`**Rationale:** ${rationale}`));
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

/** Heading outside of code, behind any number of backslashes. */
const HEADING = /^( {0,3})(\\*#{1,6}(?:\s|$))/;

/**
 * Makes a text safe inside a section: escapes its headings and comment marks, and closes an open code block. What looks
 * escaped already gets one more level, so that `opened` returns the text as it was.
 */
function shut(text: string): string {
  const fence = new CodeFence();
  const lines = text.split('\n').map((line) => {
    const plain = fence.holds(line) ? line : line.replace(HEADING, '$1\\$2');
    return plain
      .replace(/&((?:amp;)*lt;!--)/g, '&amp;$1')
      .replace(/--&((?:amp;)*gt;)/g, '--&amp;$1')
      .replaceAll('<!--', '&lt;!--')
      .replaceAll('-->', '--&gt;');
  });
  return fence.open === undefined ? lines.join('\n') : [...lines, fence.open].join('\n');
}

/** Reverses `shut`, except that a code block stays closed. */
export function opened(text: string): string {
  const fence = new CodeFence();
  return text
    .split('\n')
    .map((line) =>
      (fence.holds(line) ? line : line.replace(/^( {0,3})\\(\\*#)/, '$1$2'))
        .replaceAll('&lt;!--', '<!--')
        .replaceAll('--&gt;', '-->')
        .replace(/&amp;((?:amp;)*lt;!--)/g, '&$1')
        .replace(/--&amp;((?:amp;)*gt;)/g, '--&$1'),
    )
    .join('\n');
}

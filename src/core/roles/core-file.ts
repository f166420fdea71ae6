import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import type { CoreRole, RoleProblem } from './lane.js';
import { hasLesson, type LessonLines, lessonLine, lessonsIn, lessonText } from './lesson.js';
import { coreFile } from './role-paths.js';
import { applyEdits, badFile, parseText, type RoleText, refuseUnclosed, textProblems } from './role-text.js';

/** Sections of a core role, with their headings. */
export const CORE_SECTIONS = {
  charter: 'Charter',
  'when-to-use': 'When to use',
  body: 'Body',
  core: 'Learnings (core)',
  solo: 'Learnings (solo)',
} as const;
export type CoreSection = keyof typeof CORE_SECTIONS;

const SECTION_OF = new Map(
  Object.entries(CORE_SECTIONS).map(([key, title]) => [title.toLowerCase(), key as CoreSection]),
);

interface SectionLines {
  /** Line of its heading, from 0. */
  readonly at: number;
  /** Line after its last line. */
  readonly end: number;
}

export interface CoreFile {
  readonly text: RoleText;
  readonly role: CoreRole;
  readonly sections: ReadonlyMap<CoreSection, SectionLines>;
  readonly lessons: Readonly<Record<'core' | 'solo', readonly LessonLines[]>>;
  readonly problems: readonly RoleProblem[];
}

/** Parses the file of a core role. If a section appears twice, the first one counts and it cannot be edited. */
export function parseCore(name: string, source: string): CoreFile {
  const file = coreFile(name);
  const text = parseText(source);
  const problems = textProblems(file, text);
  const sections = new Map<CoreSection, SectionLines>();
  const titles: number[] = [];
  for (const [at, { level, title }] of text.lines.entries()) {
    if (level === 1) titles.push(at);
    const section = level === 2 ? SECTION_OF.get(title.toLowerCase().replace(/\s+/g, ' ')) : undefined;
    if (section === undefined) continue;
    if (sections.has(section)) problems.push(twice(file, at, CORE_SECTIONS[section]));
    else sections.set(section, { at, end: endOfSection(text, at) });
  }
  problems.push(...titleProblems(name, file, text, titles));
  const lessons = { core: lessonsOf(text, sections.get('core')), solo: lessonsOf(text, sections.get('solo')) };
  const role: CoreRole = {
    name,
    charter: firstParagraph(text, sections.get('charter')),
    whenToUse: lessonsOf(text, sections.get('when-to-use')).map((item) => item.text),
    body: wholeText(text, sections.get('body')),
    core: lessons.core.map(({ date, text: lesson, line }) => ({ date, text: lesson, line })),
    solo: lessons.solo.map(({ date, text: lesson, line }) => ({ date, text: lesson, line })),
  };
  if (role.charter === '') {
    const line = (sections.get('charter')?.at ?? 0) + 1;
    problems.push({
      file,
      line,
      severity: 'warning',
      text: 'The role has no charter: describe its purpose under "## Charter".',
    });
  }
  return { text, role, sections, lessons, problems: problems.sort((left, right) => left.line - right.line) };
}

/** Adds a lesson to one of the two sections of lessons, unless it is already there. Errors: `bad_role_file`. */
export function addCoreLesson(
  name: string,
  source: string,
  section: 'core' | 'solo',
  lesson: { readonly date: string; readonly text: string },
): { text: string; added: boolean } {
  const file = parseCore(name, source);
  refuseUnclosed(coreFile(name), file.text);
  refuseTwice(file, section);
  const clean = lessonText(lesson.text);
  const lessons = file.lessons[section];
  if (clean === '' || hasLesson(lessons, clean)) return { text: source, added: false };
  const last = lessons.at(-1);
  const line = lessonLine(last?.indent ?? '', lesson.date, clean);
  if (last)
    return { text: applyEdits(file.text, [{ at: last.at + last.lines, remove: 0, insert: [line] }]), added: true };
  const lines = file.sections.get(section);
  const next = lines ? file.text.lines[lines.at + 1] : undefined;
  const isBlank = next?.text.trim() === '';
  const edit = lines
    ? {
        at: lines.at + (isBlank ? 2 : 1),
        remove: 0,
        insert: isBlank && lines.end < file.text.lines.length ? [line, ''] : [line],
      }
    : newSection(file, section, line);
  return { text: applyEdits(file.text, [edit]), added: true };
}

/**
 * Replaces the text of an identity section and leaves everything else unchanged. Errors: `bad_role_file` if the section
 * does not appear exactly once, `bad_input` if the text would extend beyond it.
 */
export function replaceSection(
  name: string,
  source: string,
  section: 'charter' | 'when-to-use' | 'body',
  body: string,
): string {
  const file = parseCore(name, source);
  refuseUnclosed(coreFile(name), file.text);
  refuseTwice(file, section);
  const lines = file.sections.get(section);
  const insert = ['', ...parseText(body.trim()).lines.map(({ text }) => text), ''];
  const isLast = lines?.end === file.text.lines.length;
  const edit = lines
    ? { at: lines.at + 1, remove: lines.end - lines.at - 1, insert: isLast ? insert.slice(0, -1) : insert }
    : newSection(file, section, ...insert.slice(1, -1));
  const text = applyEdits(file.text, [edit]);
  const added = lines ? 0 : 1;
  // A heading in the text would end the section; an open fence would absorb the next sections.
  const { text: after } = parseCore(name, text);
  if (after.unclosed || sectionHeadings(after) !== sectionHeadings(file.text) + added)
    throw new TroupeError('bad_input', {
      what: `The text for "## ${CORE_SECTIONS[section]}" would become more than this section.`,
      hint: 'Use headings of three or more #, and close every code fence.',
    });
  return text;
}

const sectionHeadings = ({ lines }: RoleText): number => lines.filter(({ level }) => isSectionHeading(level)).length;

/** Position of a new section: core lessons before solo lessons, all others at the end. */
function newSection(file: CoreFile, section: CoreSection, ...body: readonly string[]) {
  const before = section === 'core' ? file.sections.get('solo')?.at : undefined;
  const heading = [`## ${CORE_SECTIONS[section]}`, '', ...body];
  if (before !== undefined) return { at: before, remove: 0, insert: [...heading, ''] };
  const { lines } = file.text;
  const isApart = lines.length === 0 || lines.at(-1)?.text.trim() === '';
  return { at: lines.length, remove: 0, insert: isApart ? heading : ['', ...heading] };
}

function refuseTwice({ problems, role }: CoreFile, section: CoreSection): void {
  const problem = problems.find(({ text }) => text === twice(role.name, 0, CORE_SECTIONS[section]).text);
  if (problem) throw badFile(problem);
}

function twice(file: string, at: number, title: string): RoleProblem {
  return { file, line: at + 1, severity: 'error', text: `"## ${title}" appears twice: the first one is used.` };
}

function titleProblems(name: string, file: string, text: RoleText, titles: readonly number[]): RoleProblem[] {
  const [first, second] = titles;
  if (first === undefined)
    return [{ file, line: 1, severity: 'warning', text: `The file has no title: start it with "# ${name}".` }];
  const { title = '' } = text.lines[first] ?? {};
  const other: RoleProblem[] =
    title === name
      ? []
      : [
          {
            file,
            line: first + 1,
            severity: 'warning',
            text: `The title says "${cut(inert(title), 64)}", the file name ${name}: the file name is used.`,
          },
        ];
  return second === undefined
    ? other
    : [...other, { file, line: second + 1, severity: 'error', text: 'There is a second title: one file is one role.' }];
}

function endOfSection({ lines }: RoleText, at: number): number {
  let end = at + 1;
  while (end < lines.length && !isSectionHeading(lines[end]?.level ?? 0)) end += 1;
  return end;
}

const isSectionHeading = (level: number): boolean => level === 1 || level === 2;

function lessonsOf(text: RoleText, section: SectionLines | undefined): readonly LessonLines[] {
  return section ? lessonsIn(text.lines, section.at + 1, section.end, 0) : [];
}

function firstParagraph({ lines }: RoleText, section: SectionLines | undefined): string {
  if (!section) return '';
  const words: string[] = [];
  for (const line of lines.slice(section.at + 1, section.end)) {
    if (line.verbatim || line.level !== 0) continue;
    if (line.text.trim() === '' && words.length > 0) break;
    words.push(line.text.trim());
  }
  return words.join(' ').trim();
}

function wholeText({ lines }: RoleText, section: SectionLines | undefined): string {
  if (!section) return '';
  return lines
    .slice(section.at + 1, section.end)
    .map(({ text }) => text)
    .join('\n')
    .trim();
}

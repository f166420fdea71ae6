import { inert, plural } from '#kernel/text.js';
import { type AnswerOf, type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';

type Row = AnswerOf<'roles.show'>['rows'][number];
type Lesson = Row['lessons'][number];

const NO_ROLES =
  'No roles yet. The first crew, panel or sweep adds them, or write .claude/roles/NAME.md yourself:\n' +
  '`troupe help roles` and the guide to roles show how.';

function paintStatus({ colour }: Screen, text: string, { status }: Pick<Row, 'status'>): string {
  return status === 'stable' ? colour.green(text) : status === 'retired' ? colour.dim(text) : text;
}

const SHOWN_BEFORE: ReadonlySet<string> = new Set(['status', 'runs', 'learnings', 'counted']);

function printLessons(screen: Screen, title: string, lessons: readonly Lesson[]): void {
  if (lessons.length === 0) return;
  screen.line(`${title}:`);
  for (const { date, text } of lessons)
    screen.line(`  - ${date === null ? '' : `${screen.colour.dim(inert(date))}  `}${inert(text)}`);
}

type Candidate = AnswerOf<'roles.candidates'>['candidates'][number];

/** Evidence for a candidate, in one line. */
function speaksFor({ why, lesson, linked, lessons }: Candidate): string {
  if (why === 'several-lanes')
    return linked ? 'works in several lanes' : 'works in several lanes, not linked to one core role';
  if (why === 'many-solo-lessons') return `${lessons ?? 0} lessons of solo runs: review them`;
  return inert(lesson ?? '');
}

const overlapWords = (overlap: number): string =>
  overlap === 1 ? 'same words' : `${Math.round(overlap * 100)} % of the words`;

export const renderers = {
  'roles.list': ({ lane, cores, rows, errors }, screen) => {
    if (cores.length === 0 && rows.length === 0)
      screen.line(
        lane === null ? NO_ROLES : `The ${lane} lane has no roles yet. \`troupe roles show\` shows them all.`,
      );
    if (rows.length > 0)
      printTable(screen, rows, [
        ['lane', 'ROLE=name'],
        { title: 'STATUS', text: (row) => row.status, paint: (text, row) => paintStatus(screen, text, row) },
        { title: 'CLEAN', text: (row) => String(row.runs.clean), right: true },
        { title: 'THIN', text: (row) => String(row.runs.thin), right: true },
        { title: 'CUTS', text: (row) => String(row.runs.cuts), right: true },
        ['LESSONS=lesson_count'],
        { title: 'CORE', text: (row) => (row.role === null ? '-' : inert(row.role)), flexible: true },
      ]);
    if (rows.length > 0 && cores.length > 0) screen.line('');
    if (cores.length > 0)
      printTable(screen, cores, [
        ['CORE ROLE=name'],
        { title: 'LANES', text: (core) => core.lanes.join(', ') || '-' },
        { title: 'LESSONS', text: (core) => `${core.core} + ${core.solo} solo` },
        ['charter…'],
      ]);
    if (errors > 0)
      screen.aside(
        `${screen.colour.yellow('note:')} ${plural(errors, 'place')} cannot be read: run \`troupe roles check\`.`,
      );
  },
  'roles.show': ({ name, core, rows }, screen) => {
    const { colour } = screen;
    screen.line(
      `${colour.bold(inert(name))}${core ? `  ${inert(core.charter)}` : '  no core role: it exists only in its lanes'}`,
    );
    if (core) {
      screen.line(colour.dim(core.file));
      for (const when of core.when_to_use) screen.line(`  when: ${inert(when)}`);
      if (core.body !== '') screen.line(`\n${inert(core.body, true)}`);
      printLessons(screen, 'Core lessons', core.core);
      printLessons(screen, 'Solo lessons', core.solo);
    }
    for (const row of rows) {
      const { clean, thin, cuts } = row.runs;
      screen.line(
        `\n${colour.bold(`${row.lane}: ${inert(row.name)}`)}  ${row.status}, clean ${clean}, thin ${thin}, cuts ${cuts}  ${colour.dim(`${row.file}:${row.line}`)}`,
      );
      for (const { key, value } of row.fields)
        if (!SHOWN_BEFORE.has(key)) screen.line(`  ${inert(key)}: ${inert(value)}`);
      printLessons(screen, 'Lessons', row.lessons);
    }
  },
  'roles.check': ({ ok, cores, rows, problems }, screen) => {
    for (const { file, line, severity, text } of problems) {
      const word = severity === 'error' ? screen.colour.red(severity) : screen.colour.yellow(severity);
      screen.line(`${inert(file)}:${line}: ${word}: ${inert(text)}`);
    }
    const what = `${plural(cores, 'core role')} and ${plural(rows, 'row')}`;
    if (ok) screen.line(cores + rows === 0 ? NO_ROLES : `${screen.colour.green('ok')}  ${what}`);
    else screen.aside(`${plural(problems.length, 'place')} to fix, in ${what}.`);
  },
  'roles.evolve': ({ roles, files_listed, findings }, screen) => {
    for (const { kind, role, file, line, text } of findings)
      screen.line(
        `${screen.colour.bold(kind)}  ${inert(role)}: ${inert(text)}  ${screen.colour.dim(`${inert(file)}:${line}`)}`,
      );
    if (findings.length === 0)
      screen.line(
        roles === 0
          ? 'No core roles yet, so there is nothing to report. `troupe roles show` shows them all.'
          : `Nothing in ${plural(roles, 'core role')} needs attention.`,
      );
    else screen.aside('Nothing was changed: this is a report.');
    if (!files_listed) screen.aside('git could not list the files: references in lessons were not checked.');
  },
  'roles.index': ({ file, roles, changed }, screen) => {
    if (roles === 0 && !changed)
      screen.line('No core roles yet, so there is no table to write. `troupe roles show` shows them all.');
    else
      screen.line(
        changed ? `${file} lists ${plural(roles, 'role')}.` : `${file} is up to date: ${plural(roles, 'role')}.`,
      );
  },
  'roles.learn': ({ name, lesson, added }, screen) =>
    screen.line(
      added ? `${screen.colour.bold(inert(name))} learned: ${inert(lesson)}` : `${inert(name)} knew that already.`,
    ),
  ...sharedBy(['roles.retire', 'roles.revive'], ({ name, lane, status, changed }, screen) => {
    const state = status === 'retired' ? 'retired: kept, but never seated' : status;
    screen.line(`${screen.colour.bold(inert(name))} in ${lane} ${changed ? 'is' : 'was already'} ${state}.`);
  }),
  'roles.as': ({ id, role, from, file }, screen) => {
    screen.line(inert(id));
    if (from === 'starter') screen.aside(`${inert(role)} is shipped with Troupe: copied to ${inert(file)}.`);
  },
  'roles.candidates': ({ candidates }, screen) => {
    if (candidates.length === 0) return screen.line('Nothing to graduate.');
    printTable(screen, candidates, [
      ['id', 'role', 'WHERE=origins'],
      { title: 'WHAT', text: speaksFor, flexible: true },
    ]);
    for (const { id, sources = [] } of candidates) {
      for (const { file, line, date, overlap, text } of sources)
        screen.aside(
          screen.colour.dim(
            `  ${id}  ${inert(file)}:${line}  ${date === null ? '' : `${inert(date)}  `}${overlapWords(overlap)}  ${inert(text)}`,
          ),
        );
    }
    for (const { id, change } of candidates) {
      if (change === undefined) continue;
      screen.line();
      for (const line of change.difference.split('\n')) screen.line(inert(line));
      screen.aside(`Next: ${screen.colour.cyan(`troupe roles graduate ${id} --seen ${change.seen}`)}`);
    }
  },
  'roles.graduate': ({ role, lesson, struck }, screen) => {
    screen.line(`${inert(role)} core lesson: ${inert(lesson)}`);
    for (const { origin, name } of struck) screen.aside(`  removed from ${origin}: ${inert(name)}`);
  },
  'roles.propose': ({ id }, screen) =>
    screen.line(`${inert(id)} is pending: a person applies it with \`troupe roles proposals ${inert(id)} --accept\`.`),
  'roles.proposals': ({ proposals, warnings }, screen) => {
    for (const warning of warnings) screen.aside(`${screen.colour.yellow('note:')} ${inert(warning)}`);
    if (proposals.length === 0) return screen.line('No pending proposals.');
    printTable(screen, proposals, [['id', 'by', 'why…']]);
  },
  ...sharedBy(['roles.accept', 'roles.reject'], ({ id, state }, screen) => screen.line(`${inert(id)} is ${state}.`)),
} satisfies Partial<Renderers>;

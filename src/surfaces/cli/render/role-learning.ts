import { inert } from '#kernel/text.js';
import { type AnswerOf, type Renderers, sharedBy } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';

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

import { isJsonObject } from '#kernel/json.js';
import { inert, plural } from '#kernel/text.js';
import { type AnswerOf, type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';

type Rosters = 'roster.office' | 'roster.project' | 'roster.workgroup' | 'roster.team';

/** Prints one line per entry, or with `--agents` the JSON for a client. Warnings about omitted entries go to stderr. */
function printRoster({ form, roster, warnings }: AnswerOf<Rosters>, screen: Screen): void {
  if (form === 'agents') printJson(roster, screen);
  else printEntries(roster, screen);
  for (const { code, text } of warnings) screen.aside(`${screen.colour.yellow(`${code}:`)} ${inert(text)}`);
}

function printEntries(roster: Readonly<Record<string, unknown>>, screen: Screen): void {
  const rows = Object.entries(roster).map(([name, entry]) => {
    const facts: Readonly<Record<string, unknown>> = isJsonObject(entry) ? entry : { id: entry };
    return { name, fact: (key: string) => inert(typeof facts[key] === 'string' ? facts[key] : '') };
  });
  const shown = ['id', 'kind', 'type', 'description'].filter((key) => rows.some(({ fact }) => fact(key) !== ''));
  printTable(screen, rows, [
    ['MAY WRITE TO=name'],
    ...shown.map((key) => ({
      title: key.toUpperCase(),
      text: ({ fact }: (typeof rows)[number]) => fact(key),
      flexible: key === 'description',
    })),
  ]);
}

/** Prints JSON for other programs. On a terminal, characters that JSON leaves unescaped are made harmless as well. */
function printJson(value: unknown, screen: Screen): void {
  const text = JSON.stringify(value, null, 2);
  for (const line of (screen.terminal ? inert(text, true) : text).split('\n')) screen.line(line);
}

export const renderers = {
  ...sharedBy(['roster.office', 'roster.project', 'roster.workgroup', 'roster.team'], (answer, screen) => {
    const isEmpty = Object.keys(answer.roster).length === 0;
    if (isEmpty && answer.form !== 'agents')
      screen.line(`${inert(answer.owner)} may write to no one: it can only reply.`);
    else printRoster(answer, screen);
  }),
  'roster.show': (answer, screen) => {
    printRoster(answer, screen);
    if (!answer.listener) screen.aside(`${inert(answer.owner)} leads no one: it can only reply.`);
  },
  'roster.sub-roster': ({ has_sub_roster }, screen) => screen.line(String(has_sub_roster)),
  'roster.check': ({ ok, agents, problems }, screen) => {
    const { colour } = screen;
    printTable(screen, agents, [
      ['id', 'AGENT=name'],
      {
        title: 'WRITES TO',
        text: ({ writes_to }) => (writes_to.length === 0 ? 'only replies' : writes_to.map((to) => inert(to)).join(' ')),
        paint: (text, { writes_to }) => (writes_to.length === 0 ? colour.dim(text) : text),
        flexible: true,
      },
    ]);
    for (const { severity, code, text } of problems) {
      const mark = severity === 'error' ? colour.red(`error[${code}]:`) : colour.yellow(`${code}:`);
      screen.aside(`${mark} ${inert(text)}`);
    }
    screen.aside(
      `${plural(agents.length, 'agent')}, ${plural(problems.length, 'problem')}${ok ? '' : '; parts with an error are left out of the rosters'}.`,
    );
  },
} satisfies Partial<Renderers>;

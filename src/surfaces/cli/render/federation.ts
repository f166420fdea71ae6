import { inert, plural } from '#kernel/text.js';
import { type AnswerOf, type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';
import { printFirst, printTable } from '#surfaces/cli/table.js';

const ROWS = 30;

const whereOf = ({ path, ref }: AnswerOf<'agency.remote.show'>['remote']) =>
  ref === undefined ? path : `${path} ${ref}`;

/** Prints the first lines only, on stderr; `--json` contains all of them. */
function asides(screen: Screen, word: string, lines: readonly string[]): void {
  for (const line of lines.slice(0, ROWS)) screen.aside(`${word} ${inert(line)}`);
  if (lines.length > ROWS) screen.aside(screen.colour.dim(`and ${lines.length - ROWS} more`));
}

export const renderers = {
  'agency.remote.add': ({ remote, kind }, screen) => {
    const what = { project: 'the project', folder: 'the agency in', git: 'the repository' }[kind];
    screen.line(`${screen.colour.bold(inert(remote.name))} is ${what} ${inert(remote.path)}.`);
    screen.aside(`Next: \`troupe agency pull --list ${inert(remote.name)}\` shows what it has.`);
  },
  'agency.remote.remove': ({ name }, screen) =>
    screen.line(`${screen.colour.bold(inert(name))} is removed; what came from it stays.`),
  'agency.remote.list': ({ remotes }, screen) => {
    if (remotes.length === 0) return screen.line('No remotes. Add one with `troupe agency remote add NAME PATH`.');
    printTable(screen, remotes, [
      ['name'],
      { title: 'WHERE', text: (row) => inert(whereOf(row)), flexible: true },
      { title: 'LAST SYNC', text: (row) => inert(row.last_sync ?? '-') },
      ['WHAT=description'],
    ]);
  },
  'agency.remote.show': ({ remote, kind, commit }, screen) => {
    screen.line(`${screen.colour.bold(inert(remote.name))}  ${inert(whereOf(remote))} (${kind})`);
    if (commit !== undefined) screen.line(`commit ${commit.slice(0, 12)}`);
    if (remote.description !== undefined) screen.line(inert(remote.description));
    screen.line(screen.colour.dim(`last: ${inert(remote.last_sync ?? 'never')}`));
  },
  'agency.scan': ({ entities, evaluations, refused, remote }, screen) => {
    if (entities.length === 0) screen.line('It has no agency yet.');
    else {
      printFirst(
        screen,
        entities,
        ROWS,
        [
          ['kind'],
          { title: 'ID', text: (row) => row.id.slice(0, 8), paint: (text) => screen.colour.dim(text) },
          ['name…'],
          { title: 'SCORE', text: (row) => row.avg_score?.toFixed(2) ?? '-', right: true },
          ['TASKS=task_count'],
          { title: 'HERE', text: (row) => (row.present ? 'yes' : '') },
        ],
        '',
      );
    }
    screen.line(screen.colour.dim(plural(evaluations, 'evaluation')));
    asides(screen, screen.colour.yellow('refused:'), refused);
    screen.aside(`Next: \`troupe agency ${entities.length === 0 ? 'push' : 'pull'} ${inert(remote)} --dry-run\`.`);
  },
  ...sharedBy(['agency.pull', 'agency.push', 'agency.merge'], (answer, screen) => {
    const { entities, evaluations, unchanged, refused, warnings, dry_run: dry } = answer;
    const { colour } = screen;
    if (entities.length + evaluations === 0)
      screen.line(
        unchanged === 0
          ? 'Nothing to do: there is nothing of that kind.'
          : `Nothing to do: all ${unchanged} are identical.`,
      );
    else {
      if (entities.length > 0)
        printFirst(
          screen,
          entities,
          ROWS,
          [
            {
              title: dry ? 'WOULD BE' : 'IS',
              text: (row) => row.action,
              paint: (text, row) => (row.action === 'new' ? colour.green(text) : text),
            },
            ['kind'],
            { title: 'ID', text: (row) => row.id.slice(0, 8), paint: (text) => colour.dim(text) },
            ['name…'],
            { title: 'SCORES', text: (row) => (row.scores === 0 ? '' : `+${row.scores}`), right: true },
          ],
          '',
        );
      screen.line(colour.dim(`${plural(evaluations, 'evaluation')}, ${unchanged} the same`));
      const fresh = entities.find(({ action }) => action === 'new');
      if (!dry && fresh) {
        const [kind, id] = [fresh.kind, fresh.id.slice(0, 8)];
        screen.aside(
          `New entries wait: check with \`troupe ${kind} show ${id}\`, then \`troupe ${kind} trust ${id}\`, or \`--all\`.`,
        );
      }
    }
    asides(screen, colour.red('refused:'), refused);
    asides(screen, colour.yellow('note:'), warnings);
  }),
} satisfies Partial<Renderers>;

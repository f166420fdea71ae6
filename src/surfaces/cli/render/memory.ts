import { inert, plural } from '#kernel/text.js';
import { ago } from '#surfaces/cli/ago.js';
import { type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';

export interface LeftAlone {
  readonly file: string;
  readonly reason: string;
}

/** Prints files that were not imported or not written, each with its reason. */
function printLeftAlone(rows: readonly LeftAlone[], { colour, line }: Screen): void {
  for (const { file, reason } of rows) line(`${colour.yellow('left')}     ${inert(file)}: ${inert(reason)}`);
}

/** Prints a text of several lines, indented. */
function printText(text: string, screen: Screen): void {
  if (text === '') return;
  for (const line of inert(text, true).split('\n')) screen.line(`   ${line}`.trimEnd());
}

const firstLine = (text: string): string => inert(text.split('\n', 1)[0] ?? '');

const WORDS: Readonly<Record<string, string>> = { added: 'waits', changed: 'was updated', same: 'is unchanged' };

export const renderers = {
  'memory.import': ({ imported, skipped }, screen) => {
    const { colour } = screen;
    for (const { file, number, filed } of imported)
      screen.line(`${colour.green(filed.padEnd(8))} ${inert(file)} as entry ${number}`);
    printLeftAlone(skipped, screen);
    if (imported.length > 0)
      screen.aside(`${plural(imported.length, 'file')} imported. Review them: ${colour.cyan('troupe decision inbox')}`);
    else screen.aside(skipped.length > 0 ? 'Nothing was imported.' : 'Nothing new in .squad/decisions/inbox.');
  },
  'memory.export': ({ exported, kept }, screen) => {
    const { colour } = screen;
    for (const { file, change } of exported)
      screen.line(`${change === 'written' ? colour.green('written') : colour.dim('removed')}  ${inert(file)}`);
    printLeftAlone(kept, screen);
    screen.aside(exported.length > 0 ? `${plural(exported.length, 'file')} changed.` : 'The files are up to date.');
  },
  'memory.list': ({ memories }, screen) => {
    if (memories.length === 0) return screen.line('No memories found. Add one with `troupe memory add NAME TEXT`.');
    printTable(screen, memories, [
      ['#=number'],
      { title: 'MEMBER', text: ({ agent }) => inert(agent), paint: (text) => screen.colour.bold(text) },
      ['type', 'WEIGHT=importance', 'SINCE=created_at ago'],
      { title: 'WHAT', text: ({ content }) => firstLine(content).replace(/^#+ /, ''), flexible: true },
    ]);
    screen.aside('Full texts: `troupe memory list --json`.');
  },
  'memory.add': ({ number, agent, type }, screen) => {
    screen.line(`${screen.colour.bold(inert(agent))} remembers it as number ${number} (${type}).`);
    screen.aside(`Write the files: ${screen.colour.cyan('troupe memory export')}`);
  },
  'decision.list': ({ decisions }, screen) => {
    if (decisions.length === 0) return screen.line('No decisions found. Record one with `troupe decision add TITLE`.');
    const { colour } = screen;
    printTable(screen, decisions, [
      ['#=number'],
      {
        title: 'STATUS',
        text: ({ status, superseded_by: next }) => (next === undefined ? status : `${status} by ${next}`),
        paint: (text, { status }) => (status === 'active' ? colour.green(text) : colour.dim(text)),
      },
      ['type', 'SINCE=created_at ago', 'title…'],
    ]);
    screen.aside('Full texts: `troupe decision list --json`.');
  },
  ...sharedBy(['decision.add', 'decision.archive'], ({ number, title, status }, screen) => {
    screen.line(`Decision ${number} is ${status}: ${screen.colour.bold(inert(title))}`);
    screen.aside(`Write the files: ${screen.colour.cyan('troupe memory export')}`);
  }),
  /** Prints each entry in full: a person reads it before merging or rejecting it. */
  'inbox.list': ({ entries }, screen) => {
    const { colour } = screen;
    if (entries.length === 0)
      return screen.line('The inbox is empty. `troupe memory import` imports .squad/decisions/inbox.');
    for (const entry of entries) {
      const facts = [
        inert(entry.agent),
        entry.type,
        ago(entry.created_at),
        entry.status === 'pending' ? '' : entry.status,
      ];
      const details = facts.filter((fact) => fact !== '').join(', ');
      screen.line(`${colour.dim(`#${entry.number}`)} ${colour.bold(inert(entry.title))}  ${colour.dim(details)}`);
      printText(entry.content, screen);
      if (entry.rationale !== '') printText(`Because: ${entry.rationale}`, screen);
      if (entry.reason !== undefined) printText(`Rejected: ${entry.reason}`, screen);
    }
    const pending = entries.find(({ status }) => status === 'pending');
    if (pending) {
      const [merge, reject] = ['merge', 'reject'].map((verb) =>
        colour.cyan(`troupe decision ${verb} ${pending.number}`),
      );
      screen.aside(`Settle it: ${merge} or ${reject}`);
    }
  },
  'inbox.add': ({ number, title, filed }, screen) => {
    screen.line(`Entry ${number} ${WORDS[filed] ?? filed}: ${screen.colour.bold(inert(title))}`);
    screen.aside(`Review it: ${screen.colour.cyan('troupe decision inbox')}`);
  },
  ...sharedBy(['inbox.merge', 'inbox.reject'], ({ entry, decision, memory }, screen) => {
    const became = decision ? `, now decision ${decision.number}` : '';
    const remembered = memory ? `, ${inert(memory.agent)} remembers it as number ${memory.number}` : '';
    screen.line(
      `Entry ${entry.number} is ${entry.status}${became}${remembered}: ${screen.colour.bold(inert(entry.title))}`,
    );
    screen.aside(`Write the files: ${screen.colour.cyan('troupe memory export')}`);
  }),
  'teamsession.list': ({ sessions }, screen) => {
    if (sessions.length === 0)
      return screen.line('The team has had no session yet. Start one with `troupe session start FOCUS`.');
    printTable(screen, sessions, [
      ['#=number', 'FROM=started_at ago'],
      { title: 'TO', text: ({ ended_at }) => (ended_at === undefined ? 'now' : ago(ended_at)) },
      ['BY=started_by', 'focus…'],
    ]);
  },
  /** Prints one session: requested, just started or just changed. */
  ...sharedBy(['teamsession.show', 'teamsession.start', 'teamsession.change'], (answer, screen) => {
    const session = answer.session === undefined ? answer : answer.session;
    if (session === null) return screen.line('No team session is open. Start one with `troupe session start FOCUS`.');
    const { colour } = screen;
    const facts = `session ${session.number}, started ${ago(session.started_at)} by ${inert(session.started_by)}`;
    screen.line(
      `${colour.bold(inert(session.focus))}  ${colour.dim(session.status === 'open' ? facts : `${facts}, ended`)}`,
    );
    printText(session.context, screen);
  }),
} satisfies Partial<Renderers>;

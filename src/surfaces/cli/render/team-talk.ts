import { inert, plural, shellWord } from '#kernel/text.js';
import { ago } from '#surfaces/cli/ago.js';
import { type AnswerOf, type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';
import { printTable } from '#surfaces/cli/table.js';

type ChatMessage = AnswerOf<'team.chat'>['messages'][number];
type Session = AnswerOf<'team.session-show'>['session'];

export function printMessage({ number, who, at, to, task, text }: ChatMessage, screen: Screen): void {
  const { colour } = screen;
  const position = who.position ?? (who.kind === 'person' ? 'person' : '');
  const names = to.map(({ member, role }) => (role === 'cc' ? `(@${inert(member)})` : `@${inert(member)}`)).join(' ');
  const facts = [position, at.slice(0, 16).replace('T', ' '), ...(task === null ? [] : [inert(task)])];
  const head = `${colour.dim(`#${number}`)} ${colour.bold(inert(who.name))}`;
  screen.line(
    `${head}  ${colour.dim(facts.filter((one) => one !== '').join(' · '))}${names === '' ? '' : `  ${colour.cyan(names)}`}`,
  );
  for (const line of inert(text, true).split(/\r?\n/)) screen.line(`   ${line}`);
}

const STATES = { planning: 'is being made', minted: 'holds', skipped: 'is not needed', failed: 'failed' } as const;

function printSession({ id, topic, status, participants, next, turns, outcome }: Session, screen: Screen): void {
  const { colour } = screen;
  screen.line(`${colour.bold(inert(topic))} (${status})  ${colour.dim(id)}`);
  screen.line(
    `With ${participants.map((slug) => inert(slug)).join(', ')}${next === null ? '' : `; next: ${inert(next)}`}`,
  );
  for (const { n, member, text } of turns) {
    screen.line(`${colour.dim(`#${n}`)} ${colour.bold(inert(member))}`);
    for (const line of inert(text, true).split(/\r?\n/)) screen.line(`   ${line}`);
  }
  if (!outcome) return;
  screen.line(`Concluded: ${inert(outcome.conclusion)}`);
  if (outcome.agreed.length > 0) screen.line(`Agreed: ${outcome.agreed.map((slug) => inert(slug)).join(', ')}`);
  if (outcome.dissent !== null) screen.line(`Dissent: ${inert(outcome.dissent)}`);
}

export const renderers = {
  'team.say': ({ team, woken, planning, notices }, screen) => {
    const { colour } = screen;
    if (planning) screen.line(`${colour.bold(inert(team))}: the leader plans first.`);
    else if (woken.length > 0)
      screen.line(`${colour.bold(inert(team))}: ${woken.map((slug) => `@${inert(slug)}`).join(', ')} will answer.`);
    else screen.line(`${colour.bold(inert(team))}: stored; no one is called.`);
    for (const notice of notices) screen.aside(inert(notice));
    screen.aside(`Next: ${colour.cyan(`troupe team chat ${shellWord(team)}`)}`);
  },
  /** Prints the full text of each message below its sender, position and time. */
  'team.chat': ({ team, messages }, screen) => {
    if (messages.length === 0)
      screen.line(`No messages in ${inert(team)}. Send one with \`troupe team say ${shellWord(team)} "…"\`.`);
    for (const message of messages) printMessage(message, screen);
  },
  'team.use': ({ team }, screen) => screen.line(`Current team: ${screen.colour.bold(inert(team))}.`),
  'team.strata': ({ team, text, in_force, versions }, screen) => {
    const { colour } = screen;
    if (text !== null) for (const line of inert(text, true).split('\n')) screen.line(line);
    else screen.line(`${inert(team)} has no plan.`);
    for (const { version, state, tries, created_at, sha256 } of versions) {
      const facts = [ago(created_at), plural(tries, 'try').replace('trys', 'tries'), sha256?.slice(0, 12) ?? ''];
      const mark = version === in_force?.version ? colour.bold(`version ${version}`) : `version ${version}`;
      screen.aside(`${mark} ${STATES[state]}  ${colour.dim(facts.filter((one) => one !== '').join(' · '))}`);
    }
  },
  ...sharedBy(['team.replan', 'team.plan-work'], (output, screen) => {
    const { team, strata } = output;
    screen.line(`The plan of ${screen.colour.bold(inert(team))}, version ${strata.version}, ${STATES[strata.state]}.`);
    if ('reason' in output && output.reason !== undefined) screen.aside(inert(output.reason));
    screen.aside(`Next: ${screen.colour.cyan(`troupe team strata ${shellWord(team)}`)}`);
  }),
  ...sharedBy(
    ['team.session-start', 'team.session-show', 'team.session-turn', 'team.session-conclude', 'team.session-cancel'],
    ({ session }, screen) => printSession(session, screen),
  ),
  'team.session-list': ({ team, sessions }, screen) => {
    const { colour } = screen;
    if (sessions.length === 0) screen.line(`${inert(team)} has had no sessions.`);
    else
      printTable(screen, sessions, [
        { title: 'SESSION', text: ({ id }) => id, paint: (text) => colour.dim(text) },
        ['status'],
        { title: 'TURNS', text: ({ turns }) => String(turns.length), right: true },
        { title: 'NEXT', text: ({ next }) => (next === null ? '-' : inert(next)) },
        ['topic…'],
      ]);
  },
} satisfies Partial<Renderers>;

import { inert, plural, shellWord } from '#kernel/text.js';
import { ago } from '#surfaces/cli/ago.js';
import { type AnswerOf, type Renderers, type Screen, sharedBy } from '#surfaces/cli/screen.js';
import { printColumns, printTable } from '#surfaces/cli/table.js';

type Shown = AnswerOf<'team.show'>;
type CastTeam = Extract<Shown, { readonly universe: string }>;
type StoredTeam = Exclude<Shown, CastTeam>;
type Event = AnswerOf<'team.events'>['events'][number];

function printCast(team: CastTeam, screen: Screen): void {
  const { colour } = screen;
  screen.line(colour.bold(`${inert(team.project)}: a team from ${inert(team.universe)}, led by ${inert(team.leader)}`));
  screen.line();
  const statusWords = { Active: '', Retired: 'retired' } as const;
  printColumns(
    team.members.map((member) => [
      member.name,
      member.role_title,
      member.built_in && member.status === 'Active' ? 'built in' : statusWords[member.status],
      member.score === null ? '' : `${member.score.toFixed(2)} in ${plural(member.count, 'score')}`,
      member.charter_path,
    ]),
    screen,
    (cell, column) => (column === 0 ? colour.bold(cell) : column === 1 ? cell : colour.dim(cell)),
  );
}

function printTeam(team: StoredTeam, screen: Screen): void {
  const { colour } = screen;
  const facts = [team.status, ...(team.cast ? ['cast'] : []), ...(team.mesh ? ['mesh'] : [])].join(', ');
  screen.line(`${colour.bold(inert(team.name))} (${facts})  ${colour.dim(team.id)}`);
  if (team.description !== '') screen.line(inert(team.description));
  screen.line();
  printColumns(
    team.members.map(({ name, position, status, agent, person, left_at }) => [
      ...[name, position, left_at === null ? status : `left ${ago(left_at)}`],
      agent === null ? (person === null ? '' : `for ${person}`) : `agent ${agent.slice(0, 8)}`,
    ]),
    screen,
    (cell, column) => (column === 0 ? colour.bold(cell) : column === 1 ? cell : colour.dim(cell)),
  );
}

/** Payload without ids, which mean nothing to people. */
function wordsOf({ payload }: Event): string {
  const { member_id: _id, changes, ...shown } = payload;
  const all = { ...shown, ...(typeof changes === 'object' ? changes : {}) };
  return Object.entries(all)
    .filter(([, value]) => value !== null)
    .map(([field, value]) => (field === 'name' ? inert(String(value)) : `${field}: ${inert(String(value))}`))
    .join(', ');
}

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
  'team.show': (team, screen) => {
    if (team.universe === undefined) printTeam(team, screen);
    else printCast(team, screen);
  },
  'team.list': ({ teams, more }, screen) => {
    const { colour } = screen;
    if (teams.length === 0) screen.aside('There is no team yet.');
    else
      printTable(screen, teams, [
        { title: 'TEAM', text: ({ name }) => inert(name), paint: (text) => colour.bold(text), flexible: true },
        { title: 'STATUS', text: ({ status, cast }) => (cast ? `${status}, cast` : status) },
        { title: 'LEADER', text: ({ leader }) => (leader === null ? '-' : inert(leader)) },
        ['MEMBERS=size'],
        { title: 'ID', text: ({ id }) => id, paint: (text) => colour.dim(text) },
      ]);
    if (more) screen.aside(`These are the first ${teams.length}; there are more that ended.`);
    if (teams.length === 0) screen.aside(`Next: ${colour.cyan('troupe team create NAME --leader NAME')}`);
  },
  'team.create': ({ changed, team }, screen) => {
    const leader = team.leader === null ? 'nobody' : inert(team.leader);
    screen.line(
      `${screen.colour.bold(inert(team.name))} ${changed ? 'is created' : 'already exists'}, led by ${leader}`,
    );
    screen.aside(`Next: ${screen.colour.cyan(`troupe team add ${shellWord(team.name)} NAME`)}`);
  },
  'team.add': ({ changed, team, member }, screen) => {
    const { colour } = screen;
    const word = changed ? 'is on' : 'is already on';
    screen.line(`${colour.bold(inert(member.name))} ${word} ${inert(team.name)}: ${member.position}`);
  },
  'team.remove': ({ changed, team, member }, screen) => {
    const { colour } = screen;
    const leads = team.leader === null ? '' : `, which ${inert(team.leader)} leads`;
    screen.line(
      `${colour.bold(inert(member.name))} ${changed ? 'has left' : 'had already left'} ${inert(team.name)}${leads}`,
    );
  },
  'team.rename': ({ changed, team }, screen) =>
    screen.line(`The team ${changed ? 'is now called' : 'is already called'} ${screen.colour.bold(inert(team.name))}`),
  ...sharedBy(['team.archive', 'team.disband'], ({ changed, team, stopped, paused, withdrawn }, screen) => {
    screen.line(`${screen.colour.bold(inert(team.name))} ${changed ? 'is' : 'was'} ${team.status}`);
    const rest = [
      ...(stopped.length > 0 ? [`stopped ${plural(stopped.length, 'attempt')}`] : []),
      ...(paused.length > 0 ? [`paused ${plural(paused.length, 'task')}, which stay in the graph`] : []),
      ...(withdrawn.length > 0 ? [`closed ${plural(withdrawn.length, 'conversation')}`] : []),
    ];
    if (rest.length > 0) screen.aside(`Also: ${rest.join('; ')}.`);
  }),
  'team.events': ({ events }, screen) => {
    printTable(screen, events, [
      { title: 'SEQ', text: ({ seq }) => String(seq), right: true, paint: (text) => screen.colour.dim(text) },
      ['at ago', 'EVENT=kind'],
      { title: 'BY', text: ({ by }) => (by === null ? 'the cast' : inert(by)) },
      { title: 'WHAT', text: wordsOf, flexible: true },
    ]);
    screen.aside(`${plural(events.length, 'event')}.`);
  },
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

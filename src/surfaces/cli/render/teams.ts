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
} satisfies Partial<Renderers>;

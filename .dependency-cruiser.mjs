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

/** Inside core every module is an island, but for these arrows. */
const CORE = {
  catalog: [],
  graph: [],
  merging: ['graph'], // what comes together are graphs and their histories
  review: ['graph'], // a report shows the statuses of tasks, in the words and colours of the graph
  coordinator: ['graph', 'people', 'formations', 'executors'], // trouble of a provider, as its client tells it, holds the client; some tasks are done by people; workflows that begin by themselves become tasks
  simulation: ['coordinator', 'graph'], // it plays a graph through with the very decisions of the service
  analysis: ['graph'], // what is worked out of a graph: its longest chain, its bottlenecks, why a task does not run
  pictures: ['graph'], // a drawing shows tasks in the words and marks of the graph
  casting: ['catalog', 'agency'], // a cast is made of catalog entries; members are agents of the agency
  blueprints: ['catalog', 'casting', 'formations'], // one is made of catalog entries, by the words of casting; its draft has to compile
  functions: ['graph'], // extracted from tasks; what comes out when applied are tasks
  settings: [],
  messages: [],
  memory: ['casting', 'catalog'], // what is remembered lies among the files of the squad, under the slugs of its members
  people: ['graph'], // what people are told is about tasks
  trace: ['graph'], // the log and the tasks are what is traced, exported and watched
  agency: ['graph'], // who is a match for a task; an assignment is a change of a task
  evaluation: ['graph'], // what is scored are tasks
  keeping: ['graph'], // what leaves the graph, comes back or is begun again is made of its tasks
  executors: ['graph'], // how a task is run is said by the task first
  prompts: ['graph', 'memory', 'executors'], // what an attempt is told is about its task and those around it, what its team remembers, and how its client reports
  formations: ['graph', 'catalog'], // a workflow is a catalog entry; what comes out are tasks
  worktrees: [],
};

const only = (base, table) =>
  Object.entries(table).map(([from, to]) => ({
    name: `${base ? `${base}/` : ''}${from}-may-import`,
    severity: 'error',
    comment: `${from} may import only: ${[from, ...to].join(', ')}`,
    from: { path: `^src/${base ? `${base}/` : ''}${from}/` },
    to: {
      path: `^src/${base ? `${base}/` : ''}`,
      pathNot: [from, ...to].map((name) => `^src/${base ? `${base}/` : ''}${name}/`),
    },
  }));

export default {
  forbidden: [
    ...only('', LAYERS),
    ...only('core', CORE),
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
      // teams.db is one file with one way to open it, and files are written whole in one way: neither knows who shares it.
      comment: 'adapters know ports, never one another; what they share is the opened teams.db, and the disk',
      from: { path: '^src/adapters/([^/]+)/' },
      to: { path: '^src/adapters/', pathNot: '^src/adapters/(?:$1|teams-database|disk)/' },
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
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default'] },
  },
};

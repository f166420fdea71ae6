// Builds the program into dist/: the command line and the service by rolldown, the dashboard by vite.
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { install } from './prepare.mjs';

// Which files share one: what every task command loads; what those load that change something; how all commands look.
const GROUPS = {
  graph:
    /src\/(kernel|core\/graph\/(task-of|say-reason|ready|cycle-decision|cycles|guard|state|line|line-view|time|task|moment|departed|growing-list|packing|legacy|node-problem|conflict-regions|status-look|lib\/(could-cycle|growing-list|components))\.ts|operations\/((?:call|face|operation)\.ts|graph\/(faces|move-faces|options|show|shapes))|adapters\/(store\/files\/(?!large-file|care|examine|repair)|processes)|surfaces\/(cli\/(render\/graph|(whole-number|program|renderers|screen|status-mark|table|terminal)\.ts)|socket\/protocol)|main\/(compose|host|command-line))/,
  changes: /src\/core\/graph\/(?!file-schemas)/,
  table: /src\/(operations\/(table|[a-z]+\/faces)|surfaces\/cli\/command\.ts)/,
};
// The hot file is one on purpose, so imports that are lazy in the source are not where it holds both sides.
const EXPECTED = new Set(['CIRCULAR_DEPENDENCY', 'EVAL', 'INEFFECTIVE_DYNAMIC_IMPORT']);
/** Left to itself: see below. */
const VIEW = '#surfaces/cli/top/view.js';
await install(); // a package may have come since
const [{ rolldown }, { build: buildWeb }] = await Promise.all([import('rolldown'), import('vite')]);
const started = Date.now();
rmSync('dist', { recursive: true, force: true });

const bundle = await rolldown({
  input: { cli: 'src/main/cli.ts', service: 'src/main/service.ts', run: 'src/main/run.ts' },
  platform: 'node',
  // libsql finds its binary beside itself.
  external: [/^node:/, 'libsql', VIEW],
  transform: { define: { TROUPE_VERSION: JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).version) } },
  resolve: { conditionNames: ['import', 'node', 'default'], extensionAlias: { '.js': ['.ts', '.js'] } },
  onLog(level, log, handler) {
    if (!EXPECTED.has(log.code)) handler(level, log);
  },
});
await bundle.write({
  dir: 'dist',
  // CommonJS, because Node starts it 5 ms sooner than modules; see docs/decisions/.
  format: 'cjs',
  paths: { [VIEW]: './top.mjs' },
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  // What every task command needs lies in one file: reading thirty small ones costs more than the command itself.
  codeSplitting: { groups: Object.entries(GROUPS).map(([name, test]) => ({ name, test })) },
  minify: true,
});
await bundle.close();

// The live view stands alone: what draws it waits at its top level, which CommonJS cannot, and nothing else needs it.
const view = await rolldown({
  input: { top: 'src/surfaces/cli/top/view.ts' },
  platform: 'node',
  external: [/^node:/],
  // A part for those who develop ink itself, which wants a package that nobody else has.
  plugins: [{ name: 'no-devtools', load: (id) => (/ink\/build\/devtools\.js$/.test(id) ? 'export {}' : null) }],
  transform: {
    define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  },
  resolve: { conditionNames: ['import', 'node', 'default'], extensionAlias: { '.js': ['.ts', '.js'] } },
});
await view.write({ file: 'dist/chunks/top.mjs', format: 'esm', codeSplitting: false, minify: true });
await view.close();
chmodSync('dist/cli.cjs', 0o755);

await buildWeb({ configFile: 'web/vite.config.ts', logLevel: 'warn' });
console.log(`built dist/ in ${((Date.now() - started) / 1000).toFixed(1)} s`);

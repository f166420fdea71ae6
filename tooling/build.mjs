import { createHash } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { asksALeader } from './asked-leader.mjs';
import { licencesOf } from './licences.mjs';
import { install, run } from './prepare.mjs';

// Expected warnings: chunks are kept whole on purpose, so a lazy import is ineffective where one chunk holds both
// sides.
const EXPECTED = new Set(['CIRCULAR_DEPENDENCY', 'EVAL', 'INEFFECTIVE_DYNAMIC_IMPORT']);

/** Forwards unexpected messages. An unresolved import is an error: the program would be built but not start. */
function onLog(level, log, handler) {
  if (log.code === 'UNRESOLVED_IMPORT') handler('error', log);
  else if (!EXPECTED.has(log.code)) handler(level, log);
}

/**
 * Entries built separately, so that their dependencies do not enlarge what other commands load: import name, source and
 * output file. The live view also uses top-level await, which CommonJS does not support.
 */
const ALONE = [
  { name: '#surfaces/cli/top/view.js', source: 'src/surfaces/cli/top/view.ts', file: 'top.mjs' },
  { name: '#adapters/models/providers.js', source: 'src/adapters/models/providers.ts', file: 'providers.cjs' },
  { name: '#surfaces/mcp/protocol.js', source: 'src/surfaces/mcp/protocol.ts', file: 'protocol.cjs' },
  // Loaded by the program's entry file, which lies one folder higher.
  { name: '#main/handoff-hook.js', source: 'src/main/handoff-hook.ts', file: 'handoff-hook.cjs', above: true },
  // Loaded by the hook for a stuck role that runs alone.
  {
    name: '#operations/formations/gate-rung.js',
    source: 'src/operations/formations/gate-rung.ts',
    file: 'gate-rung.cjs',
  },
  // The PostgreSQL driver, from its CommonJS files: its ES modules import CommonJS ones in turn.
  { name: 'pg', source: 'node_modules/pg/lib/index.js', file: 'pg.cjs', conditions: ['require', 'node', 'default'] },
];
/** Commands run to warm the code cache: those that people wait for; see src/main/compiled-code.ts. */
const COMPILED = [['show', 'zero'], ['show', 'one'], ['ready'], ['list'], ['add', 'Two'], ['done', 'one']];
const SERVED = [
  ['trust'],
  ['add', 'Three', '--exec', 'true'],
  ['service', 'start'],
  ['status'],
  ['problems'],
  ['service', 'stop'],
];
const NO_DNS = '\0no-dns';
const SMALL_BYTES = 512;
/** The highest takes ten times as long for 5 to 12 % fewer bytes: worth it for the few large files. */
const BROTLI_QUALITY = { small: 9, large: 11 };
const LARGE_BYTES = 400_000;
/** CommonJS chunks load faster by `require` than by `import()`, which scans them for exports first. */
const REQUIRED = {
  name: 'required',
  renderChunk: (code) => code.replace(/\bimport\((['"`][^'"`]+\.cjs['"`])\)/g, 'Promise.resolve(require($1))'),
};
await install(); // packages may have been added since
const [{ rolldown }, { build: buildWeb }, { chunks }, { clientBuild, clientTypes }, { compiledStatements }] =
  await Promise.all([
    import('rolldown'),
    import('vite'),
    import('./chunks.mjs'),
    import('./client.mjs'),
    import('./statements.mjs'),
  ]);
const started = Date.now();
rmSync('dist', { recursive: true, force: true });

const { plugin, groups } = chunks();
const bundle = await rolldown({
  input: { cli: 'src/main/cli.ts', service: 'src/main/service.ts', run: 'src/main/run.ts' },
  platform: 'node',
  plugins: [plugin, await compiledStatements(), REQUIRED],
  preserveEntrySignatures: 'allow-extension', // programs have no importers
  external: [/^node:/, ...ALONE.map(({ name }) => name)],
  transform: { define: { TROUPE_VERSION: JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).version) } },
  resolve: { conditionNames: ['import', 'node', 'default'], extensionAlias: { '.js': ['.ts', '.js'] } },
  onLog,
});
const program = await bundle.write({
  dir: 'dist',
  // CommonJS, because Node starts it 5 ms faster than ES modules; see docs/decisions/.
  format: 'cjs',
  paths: Object.fromEntries(ALONE.map(({ name, file, above }) => [name, `./${above ? 'chunks/' : ''}${file}`])),
  entryFileNames: '[name].cjs',
  chunkFileNames: 'chunks/[name]-[hash].cjs',
  codeSplitting: { groups },
  minify: true,
});
await bundle.close();

const outputs = [program];
for (const { name: own, source, file, conditions = ['import', 'node', 'default'] } of ALONE) {
  const others = ALONE.filter(({ name }) => name !== own);
  const alone = await rolldown({
    input: source,
    platform: 'node',
    // Optional imports of the database driver: a native addon, and a runtime other than Node.
    external: [/^node:/, 'pg-native', 'pg-cloudflare', ...others.map(({ name }) => name)],
    onLog,
    // ink's devtools import a package that is only installed for development of ink itself.
    plugins: [
      REQUIRED,
      { name: 'no-devtools', load: (id) => (/ink\/build\/devtools\.js$/.test(id) ? 'export {}' : null) },
      // The driver looks names up only for its native variant; loading that takes a millisecond.
      {
        name: 'no-dns',
        resolveId: (name, from) =>
          name === 'dns' && /\/pg\/lib\/connection-parameters\.js$/.test(from) ? NO_DNS : null,
        load: (id) => (id === NO_DNS ? 'export {}' : null),
      },
    ],
    transform: {
      define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
    },
    resolve: { conditionNames: conditions, extensionAlias: { '.js': ['.ts', '.js'] } },
  });
  const format = file.endsWith('.cjs') ? 'cjs' : 'esm';
  const paths = Object.fromEntries(others.map((other) => [other.name, `./${other.file}`]));
  outputs.push(await alone.write({ file: `dist/chunks/${file}`, format, paths, codeSplitting: false, minify: true }));
  await alone.close();
}
const client = await rolldown(clientBuild());
outputs.push(await client.write({ file: 'dist/client.mjs', format: 'esm', minify: true }));
await client.close();
writeFileSync('dist/client.d.ts', clientTypes());
chmodSync('dist/cli.cjs', 0o755);
const [loaded] = await Promise.all([compileAhead(), parseAhead()]);
await compressSeldomChunks(loaded);

outputs.push(await buildWeb({ configFile: 'web/vite.config.ts', logLevel: 'warn' }));
compressForPackage();
writeFileSync('dist/licences.txt', licencesOf(outputs));
console.log(`built dist/ in ${((Date.now() - started) / 1000).toFixed(1)} s`);

/**
 * Runs these commands with the built program and stores the code cache of every function they compiled. Returns the
 * names of the chunks they loaded.
 */
async function compileAhead() {
  const folder = mkdtempSync(path.join(tmpdir(), 'troupe-build-'));
  // Without the variables that name a project or a database of the person who builds.
  const own = Object.entries(process.env).filter(([name]) => !/^(?:TROUPE|WG)_/.test(name));
  const names = path.join(folder, 'loaded');
  const settings = { XDG_CONFIG_HOME: path.join(folder, 'settings'), TROUPE_BUILD_LOADED: names };
  const env = { ...Object.fromEntries(own), ...settings };
  const troupe = (words, ...options) =>
    run(process.execPath, [...options, path.resolve('dist/cli.cjs'), ...words], { cwd: folder, env, stdio: 'ignore' });
  try {
    for (const words of [['init'], ['add', 'One'], ['add', 'Zero', '--after', 'one']]) await troupe(words);
    for (const words of COMPILED) await troupe(words, '--require', path.resolve('tooling/compiled-code.cjs'));
    const afar = path.join(folder, 'afar');
    const close = await asksALeader(afar, env.XDG_CONFIG_HOME);
    await troupe(['show', 'one', '--dir', afar], '--require', path.resolve('tooling/compiled-code.cjs'));
    close();
    // A service and its run are processes of their own.
    env.NODE_OPTIONS = `--require=${JSON.stringify(path.resolve('tooling/compiled-code.cjs'))}`;
    for (const words of SERVED) await troupe(words);
    return new Set(readFileSync(names, 'utf8').split('\n'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Parses the YAML of the shipped catalog with the program's own parser and stores the data under the SHA-256 of each
 * text.
 */
async function parseAhead() {
  const folder = mkdtempSync(path.join(tmpdir(), 'troupe-build-'));
  try {
    const reader = path.join(folder, 'strict-yaml.mjs');
    const bundle = await rolldown({ input: 'src/adapters/disk/strict-yaml.ts', platform: 'node', onLog });
    await bundle.write({ file: reader, format: 'esm' });
    await bundle.close();
    const { strictYaml } = await import(reader);
    const values = {};
    for (const name of readdirSync('data/catalog', { recursive: true })) {
      if (!name.endsWith('.yaml')) continue;
      const text = readFileSync(path.join('data/catalog', name), 'utf8').replace(/\r\n/g, '\n');
      values[createHash('sha256').update(text).digest('hex')] = strictYaml(text).value;
    }
    writeFileSync('dist/catalog.json.br', brotliCompressSync(JSON.stringify(values)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Compresses the CommonJS chunks that the everyday commands did not load and no entry file names, but for tiny ones.
 */
async function compressSeldomChunks(loaded) {
  const entries = readdirSync('dist').filter((name) => name.endsWith('.cjs'));
  const first = entries.flatMap((name) => readFileSync(`dist/${name}`, 'utf8').match(/[\w.-]+\.cjs/g) ?? []);
  const kept = new Set([...loaded, ...first]);
  const seldom = readdirSync('dist/chunks')
    .filter((name) => name.endsWith('.cjs') && !kept.has(name))
    .map((name) => `dist/chunks/${name}`);
  const compress = async (file) => {
    const code = readFileSync(file);
    const quality = code.length > LARGE_BYTES ? BROTLI_QUALITY.large : BROTLI_QUALITY.small;
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality };
    writeFileSync(`${file}.br`, await promisify(brotliCompress)(code, { params }));
    rmSync(file);
  };
  await Promise.all(seldom.filter((name) => statSync(name).size > SMALL_BYTES).map(compress));
}

/** Compresses what the package holds in no other form: the dashboard's scripts and styles, and the manual page. */
function compressForPackage() {
  const assets = readdirSync('dist/web/assets').map((name) => [
    `dist/web/assets/${name}`,
    `dist/web/assets/${name}.gz`,
  ]);
  for (const [file, target] of [...assets, ['docs/reference/troupe.1', 'dist/troupe.1.gz']])
    writeFileSync(target, gzipSync(readFileSync(file), { level: 9 }));
}

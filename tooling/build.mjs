// Builds the program into dist/: the command line and the service by rolldown, the dashboard by vite.
import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { build as buildWeb } from 'vite';

const started = Date.now();
rmSync('dist', { recursive: true, force: true });

const bundle = await rolldown({
  input: { cli: 'src/main/cli.ts', service: 'src/main/service.ts' },
  platform: 'node',
  external: [/^node:/],
  transform: { define: { TROUPE_VERSION: JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).version) } },
  resolve: { conditionNames: ['source', 'import', 'node', 'default'], extensionAlias: { '.js': ['.ts', '.js'] } },
  onLog(level, log, handler) {
    if (log.code !== 'CIRCULAR_DEPENDENCY' && log.code !== 'EVAL') handler(level, log);
  },
});
await bundle.write({
  dir: 'dist',
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();
chmodSync('dist/cli.js', 0o755);

await buildWeb({ configFile: 'web/vite.config.ts', logLevel: 'warn' });
console.log(`built dist/ in ${((Date.now() - started) / 1000).toFixed(1)} s`);

// Required before the program by the build: compiles the chunks it loads as src/main/compiled-code.ts will load them,
// and at exit writes a code cache beside each chunk with every function used until then. The names of all chunks loaded
// go to the file that TROUPE_BUILD_LOADED names: those chunks keep files of their own.
const {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} = require('node:fs');
const loading = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

const scripts = new Map();
const names = [];
loading._extensions['.cjs'] = (loaded, file) => {
  if (path.basename(path.dirname(file)) !== 'chunks') return loading._extensions['.js'](loaded, file);
  names.push(path.basename(file));
  const source = readFileSync(file, 'utf8');
  // In Node 20, cached code has no handler for `import()`.
  if (/\bimport\(/.test(source)) return loading._extensions['.js'](loaded, file);
  const script = new vm.Script(loading.wrap(source), { filename: file });
  scripts.set(file, script);
  const required = (name) => loaded.require(name);
  script.runInThisContext().call(loaded.exports, loaded.exports, required, loaded, file, path.dirname(file));
};
process.on('exit', () => {
  appendFileSync(process.env.TROUPE_BUILD_LOADED, names.map((name) => `${name}\n`).join(''));
  for (const [file, script] of scripts) {
    const target = `${file}.compiled`;
    if (existsSync(target)) continue;
    // Flushed before it gets its final name: V8 crashes on a cache whose beginning is valid and whose middle is not.
    const opened = openSync(`${target}.new`, 'w');
    writeSync(opened, script.createCachedData());
    fsyncSync(opened);
    closeSync(opened);
    renameSync(`${target}.new`, target);
  }
});

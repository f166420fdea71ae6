// Required before the program, by the build: the chunks it loads are compiled as src/main/compiled-code.ts will ask for them,
// and written beside their source when the process ends, with every function that was needed by then.
const { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } = require('node:fs');
const loading = require('node:module');
const path = require('node:path');
const vm = require('node:vm');

const scripts = new Map();
loading._extensions['.cjs'] = (loaded, file) => {
  if (path.basename(path.dirname(file)) !== 'chunks') return loading._extensions['.js'](loaded, file);
  const source = readFileSync(file, 'utf8');
  // Node 20 has nothing to import with in code that it did not compile itself.
  if (/\bimport\(/.test(source)) return loading._extensions['.js'](loaded, file);
  const script = new vm.Script(loading.wrap(source), { filename: file });
  scripts.set(file, script);
  const required = (name) => loaded.require(name);
  script.runInThisContext().call(loaded.exports, loaded.exports, required, loaded, file, path.dirname(file));
};
process.on('exit', () => {
  for (const [file, script] of scripts) {
    const target = `${file}.compiled`;
    if (existsSync(target)) continue;
    // On the disk before it has its name: V8 dies of a file whose beginning is right and whose middle is not.
    const opened = openSync(`${target}.new`, 'w');
    writeSync(opened, script.createCachedData());
    fsyncSync(opened);
    closeSync(opened);
    renameSync(`${target}.new`, target);
  }
});

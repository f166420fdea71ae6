import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import path from 'node:path';
import vm from 'node:vm';

/**
 * Internals of `node:module` that its types lack: the loader per extension, the module cache, the wrapper, the module
 * class.
 */
interface Loading {
  readonly _extensions: Record<string, (loaded: LoadedModule, file: string) => void>;
  readonly _cache: Record<string, LoadedModule>;
  readonly wrap: (code: string) => string;
  readonly Module: new (id: string, parent: LoadedModule) => LoadedModule;
}
interface LoadedModule {
  readonly exports: object;
  filename: string | null;
  loaded: boolean;
  paths: readonly string[];
  require(name: string): unknown;
  _compile(code: string, file: string): void;
}

/** System code of the error for a missing chunk. `kernel/errors.ts` knows it too: this file may load no other. */
const REPLACED = 'ERR_PROGRAM_REPLACED';

/**
 * Installs a loader that uses code compiled ahead by the build: compiling takes a third of the time of `troupe show`.
 *
 * Each chunk is loaded with the code cache that the build put beside it. V8 rejects a cache of another V8 version and
 * compiles the chunk as usual. Node 22's own compile cache is not used: it lies in the temporary folder, which runs may
 * write to, and the person's next command executes the compiled code. In Node 20, cached code loses its handler for
 * `import()`, so chunks that contain an `import()` have no cache.
 */
export function startFromCompiledCode(): void {
  const loading = module as unknown as Loading;
  // The build has already installed its own loader when it compiles.
  loading._extensions['.cjs'] ??= (loaded, file) => {
    requireNeighbours(loading, loaded, file);
    const compiled = `${file}.compiled`; // most chunks have none
    if (!existsSync(compiled)) return loaded._compile(codeOf(file), file);
    const script = new vm.Script(loading.wrap(readFileSync(file, 'utf8')), {
      filename: file,
      cachedData: readFileSync(compiled),
    });
    const required = (name: string) => loaded.require(name);
    script.runInThisContext().call(loaded.exports, loaded.exports, required, loaded, file, path.dirname(file));
  };
}

/**
 * Resolves requires of neighbouring chunks by file path. Node's own resolution of packages, links and folders takes a
 * tenth of a service's start time.
 */
function requireNeighbours(loading: Loading, chunk: LoadedModule, file: string): void {
  const search = chunk.require;
  const folder = path.dirname(file);
  const found = new Map<string, object>(); // a service asks for the same few chunks in each request
  chunk.require = (name) => {
    const known = found.get(name);
    if (known || !name.startsWith('./')) return known ?? search.call(chunk, name);
    const exports = neighbour(loading, chunk, `${folder}/${name.slice(2)}`);
    found.set(name, exports);
    return exports;
  };
}

/** Exports of a chunk, loaded at most once. Errors: those of `codeOf`, and of the chunk itself. */
function neighbour(loading: Loading, parent: LoadedModule, file: string): object {
  const known = loading._cache[file];
  if (known) return known.exports;
  const loaded = new loading.Module(file, parent);
  Object.assign(loaded, { filename: file, paths: parent.paths });
  loading._cache[file] = loaded;
  try {
    loading._extensions[path.extname(file)]?.(loaded, file);
    loaded.loaded = true;
  } finally {
    if (!loaded.loaded) delete loading._cache[file];
  }
  return loaded.exports;
}

/** Code of a chunk, which the build has compressed if few commands load it. Errors: `ERR_PROGRAM_REPLACED` if it is gone. */
function codeOf(file: string): string {
  if (existsSync(file)) return readFileSync(file, 'utf8');
  try {
    return process
      .getBuiltinModule('node:zlib')
      .brotliDecompressSync(readFileSync(`${file}.br`))
      .toString();
  } catch (cause) {
    throw Object.assign(new Error(`${file} is gone`, { cause }), { code: REPLACED });
  }
}

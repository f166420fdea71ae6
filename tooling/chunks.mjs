// Assigns the program's modules to chunks, using the bundler's module graph.
import { parseAst } from 'rolldown/parseAst';

/**
 * Chunks in order: each holds the modules that its commands and parts reach by static imports and that no earlier chunk
 * holds. Reading many small files costs more than a command itself; a single file would make every command load all
 * code.
 *
 * - `commands`: command names; their operations and the renderers of their results.
 * - `printers`: operations whose results are printed.
 * - `parts`: modules loaded by these commands through `import()`, by an exported name.
 */
const CHUNKS = {
  // Enough for a command that a service answers, but the connection.
  start: {
    printers: ['task.show', 'task.done'],
    parts: ['main', 'callerAt', 'requestLine', 'ProcessTable', 'TrustedCommandsFile', 'runAll', 'systemClock'],
  },
  looks: { commands: ['show'], parts: ['callHere', 'FileStore', 'recordingStore', 'isInside', 'SURFACE_LIMITS'] },
  shapes: { parts: ['moverOf'] },
  lists: { commands: ['ready', 'list'] },
  settings: { parts: ['loadSettings', 'ConfigFile'] },
  changes: { parts: ['decideRound', 'RoundWriter', 'Answers', 'LogAppender', 'withInput'] },
  runs: { parts: ['FileRunFolders', 'settleBefore'] },
  asking: { parts: ['askService', 'thisProcess'] },
  remote: { parts: ['openRemoteRequests'] },
  callers: { parts: ['ProcessPeers', 'CallerIdentifier'] },
  moves: { commands: ['claim', 'unclaim', 'done', 'fail', 'log', 'artifact'] },
  additions: { commands: ['add', 'edit'] },
  clients: { parts: ['clientInForce', 'TrustFile', 'GitHistory', 'LocalGit', 'LocalClientPrograms'] },
  table: { parts: ['OPERATIONS', 'COMMANDS'] },
};

/** Returns a plugin that reads the module graph, and the `codeSplitting` groups derived from it. */
export function chunks() {
  const places = new Map(Object.keys(CHUNKS).map((chunk) => [chunk, new Set()]));
  return {
    plugin: {
      name: 'chunks',
      async buildEnd(error) {
        if (error) return;
        const graph = new Map([...this.getModuleIds()].map((id) => [id, this.getModuleInfo(id)]));
        const modulesOf = await lookUp(this, graph);
        for (const [chunk, { commands = [], printers = [], parts = [] }] of Object.entries(CHUNKS)) {
          // The bundler adds their imports and drops unused exports.
          const named = [...printers.flatMap(modulesOf.printer), ...parts.map(modulesOf.part)];
          for (const id of [...commands.flatMap(modulesOf.command), ...named]) places.get(chunk).add(id);
        }
      },
    },
    groups: Object.keys(CHUNKS).map((name) => ({
      name,
      test: (id) => places.get(name).has(id),
      includeDependenciesRecursively: true,
    })),
  };
}

/**
 * Finds the modules of a command by the rows of the command tables, and that of a part by its exports. A missing one
 * fails the build.
 */
async function lookUp(context, graph) {
  const rows = new Map(); // command -> name of the operation and its module
  const printers = new Map(); // beginning of the name of an operation -> module with its printer
  const exporters = new Map();
  for (const [id, { code, exports }] of graph) {
    if (id.includes('node_modules') || code === null) continue;
    for (const name of exports) exporters.set(name, [...(exporters.get(name) ?? []), id]);
    if (!code.includes('import(')) continue;
    const resolved = async (specifier) => (await context.resolve(specifier, id)).id;
    const tree = parseAst(code, { lang: 'ts' });
    for (const object of objectsOf(tree)) {
      const fields = new Map(object.properties.map((field) => [field.key?.name ?? field.key?.value, field.value]));
      const [command, load] = [fields.get('command')?.value, importedBy(fields.get('load'))];
      // An unlisted operation has the command that comes nearest to it, not one of its own.
      const isOwn = fields.get('unlisted') === undefined && fields.get('instead') === undefined;
      if (command && load && isOwn)
        rows.set(command, { name: fields.get('name')?.value, module: await resolved(load) });
      for (const [key, value] of fields) {
        const specifier = key?.includes('.') && importedBy(value);
        for (const beginning of specifier ? key.split(' ') : []) printers.set(beginning, await resolved(specifier));
      }
    }
  }
  const printer = (operation) => {
    const [beginning] = [...printers.keys()]
      .filter((start) => operation?.startsWith(start))
      .sort((one, other) => other.length - one.length);
    return beginning === undefined ? [] : [printers.get(beginning)];
  };
  return {
    printer,
    command(words) {
      const row = rows.get(words);
      if (row === undefined) throw new Error(`tooling/chunks.mjs names the command \`${words}\`, which no table has.`);
      return [row.module, ...printer(row.name)];
    },
    part(name) {
      const [module, ...others] = exporters.get(name) ?? [];
      if (module === undefined || others.length > 0)
        throw new Error(`tooling/chunks.mjs names ${name}, which ${others.length + (module ? 1 : 0)} modules export.`);
      return module;
    },
  };
}

/** Yields every object literal of a syntax tree. */
function* objectsOf(node) {
  if (Array.isArray(node)) for (const one of node) yield* objectsOf(one);
  else if (typeof node?.type === 'string') {
    if (node.type === 'ObjectExpression') yield node;
    for (const part of Object.values(node)) if (typeof part === 'object') yield* objectsOf(part);
  }
}

/** Module imported by an arrow function: `() => import('./show.js').then(…)`. */
function importedBy(node) {
  if (node?.type === 'ImportExpression') return node.source.value;
  if (node?.type === 'ArrowFunctionExpression') return importedBy(node.body);
  if (node?.type === 'CallExpression') return importedBy(node.callee);
  return node?.type === 'MemberExpression' ? importedBy(node.object) : undefined;
}

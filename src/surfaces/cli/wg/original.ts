/**
 * The command line under the name of the original workgraph: its scripts find its flags, its shapes of `--json`, and its sentences.
 * @packageDocumentation
 */
import path from 'node:path';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { FROM_PROJECT, GRAPH_FOLDER } from '#kernel/graph-folder.js';
import { ORIGINAL_FOLDER } from '#kernel/original-folder.js';
import { isAddress } from '#kernel/paths.js';
import { cut, inert } from '#kernel/text.js';
import type { OperationName, Output } from '#operations/map.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import type { CommandHost } from '#surfaces/cli/host.js';
import { runCommandLine } from '#surfaces/cli/program.js';
import { inOriginalWords } from './errors.js';
import { SHAPES, type Shape, serviceShape, type Told } from './shapes.js';
import { TEXTS, type Text } from './texts.js';
import { type OriginalWords, originalWords } from './words.js';

/** The graph folders of the original on disk, by the folder of a project. */
interface OriginalFolders {
  /** Takes over the graph of the original at or above a folder; returns its project, or undefined if there is none. */
  take(folder: string): string | undefined;
  /** Takes over the graph that a folder of any name is; returns whether it was one. */
  takeNamed(folder: string): boolean;
  /** Lets the folder's old name lead to the graph. */
  link(project: string): void;
  /** Creates the settings file of a project, in which all defaults apply; returns whether there was none. */
  createSettings(project: string): boolean;
}

/** Executes one command line as the original would. Returns the exit code; never throws. */
export async function runAsOriginal(
  argv: readonly string[],
  host: CommandHost,
  folders: OriginalFolders,
): Promise<number> {
  const typed = originalWords(argv);
  const folder = path.resolve(host.folder, typed.folder ?? (host.environment['TROUPE_PROJECT'] || '.'));
  const tell = (text: string) => typed.json || host.err.write(`${text}\n`);
  // A worktree of a run may hold a committed graph of the original, and belongs to the project of the run.
  if (typed.graphName === 'other' && folders.takeNamed(folder)) {
    tell(`The graph in ${inert(folder)} is in its folder ${GRAPH_FOLDER} now; links are in the places of its files.`);
  } else if (host.findProject(folder) === undefined) {
    const taken = folders.take(folder);
    if (taken !== undefined)
      tell(`${inert(path.join(taken, ORIGINAL_FOLDER))} is called ${GRAPH_FOLDER} now; the old name is a link to it.`);
  }
  if (typed.note !== undefined) tell(typed.note);
  const { host: original, said } = inOriginalForm(host, typed);
  const code = await runCommandLine(typed.words, original);
  const text = code === 0 && typed.flags.has('init') ? settingsText(host, folder, folders) : said();
  if (text !== undefined) host.out.write(`${text}\n`);
  if (code === 0 && typed.command === 'init' && typed.graphName === 'original') folders.link(folder);
  return code;
}

/**
 * The same host with answers in the form of the original: `said` is what it prints instead of ours, undefined if ours
 * stays. It inherits, because to read its input would open it.
 */
function inOriginalForm(host: CommandHost, typed: OriginalWords): { host: CommandHost; said(): string | undefined } {
  let said: string | undefined;
  const call = async (spec: OperationSpec, input: object, typedFolder: string | undefined) => {
    const folder = typed.repository === undefined ? typedFolder : await placeOf(typed.repository, host, typedFolder);
    const name = spec.name as OperationName;
    if (name === 'service.status' && typed.json) {
      const status = await ifRunning(host.call(spec, input, folder));
      const shaped = serviceShape(status, host.findProject(folder) ?? host.folder);
      said = JSON.stringify(shaped, null, 2);
      return shaped;
    }
    const answer = await answerOf(host, spec, input, folder);
    const shape: Shape<OperationName> | undefined = SHAPES[name];
    const text: Text<OperationName> | undefined = TEXTS[name];
    if (typed.json ? shape === undefined : text === undefined) return answer;
    const { specNamed } = await import('#operations/named.js');
    const told = {
      ...{ answer: answer as Output<OperationName>, input, command: typed.command, flags: typed.flags },
      ...{ limit: typed.limit, repository: typed.repository },
      ask: (operation: OperationName, wish: object) => host.call(specNamed(operation), wish, folder),
    } as Told<OperationName>;
    const shaped = shape === undefined ? answer : await shape(told);
    said = typed.json ? JSON.stringify(shaped, null, 2) : text?.(shaped, told);
    return answer;
  };
  const write = (text: string) => (said === undefined ? host.out.write(text) : true);
  const out: NodeJS.WriteStream = Object.create(host.out, { write: { value: write } });
  const formed: CommandHost = Object.create(host, {
    ...{ call: { value: call }, out: { value: out } },
  });
  return { host: formed, said: () => said };
}

function settingsText(host: CommandHost, folder: string, folders: OriginalFolders): string {
  const isNew = folders.createSettings(host.findProject(folder) ?? folder);
  return `${isNew ? 'Created default configuration' : 'Configuration already exists'} at ${FROM_PROJECT.settings}`;
}

/** Errors: in the words of the original. A function may be named by the beginning of its id, if there is only one. */
async function answerOf(host: CommandHost, spec: OperationSpec, input: object, folder: string | undefined) {
  try {
    return await host.call(spec, input, folder);
  } catch (error) {
    const whole = isRefusal(error, 'unknown_function') ? await wholeId(host, input, folder) : undefined;
    if (whole === undefined) throw inOriginalWords(error);
    return await host.call(spec, { ...input, id: whole }, folder);
  }
}

async function wholeId(host: CommandHost, input: object, folder: string | undefined): Promise<string | undefined> {
  const { id: begin = '' } = input as { readonly id?: string };
  const { specNamed } = await import('#operations/named.js');
  const { functions } = (await host.call(specNamed('func.list'), {}, folder)) as Output<'func.list'>;
  const [first, second] = functions.filter(({ id }) => begin !== '' && id.startsWith(begin));
  return second === undefined ? first?.id : undefined;
}

/** Folder of another project, named by a path or as in `federation.yaml`. Errors: `unknown_peer`. */
async function placeOf(name: string, host: CommandHost, folder: string | undefined): Promise<string> {
  const { specNamed } = await import('#operations/named.js');
  const listed = (await host.call(specNamed('agency.remote.list'), {}, folder)) as Output<'agency.remote.list'>;
  const known = listed.remotes.find((remote) => remote.name === name)?.path;
  const isFolder = known === undefined ? name.includes('/') : !isAddress(known);
  if (!isFolder)
    throw new TroupeError('unknown_peer', {
      what: `Project '${cut(inert(name), 60)}' not found${known === undefined ? '' : ': it is an address, not a folder'}.`,
      details: { peer: name },
    });
  const place = path.resolve(host.folder, known ?? name);
  return path.basename(place) === GRAPH_FOLDER ? path.dirname(place) : place;
}

/** The answer of the service; undefined if none runs. */
async function ifRunning(asked: Promise<unknown>): Promise<unknown> {
  try {
    return await asked;
  } catch (error) {
    if (isRefusal(error, 'service_not_running')) return undefined;
    throw error;
  }
}

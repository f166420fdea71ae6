/**
 * The command line under the name of the original workgraph: its scripts find its flags, its shapes of `--json`, and its sentences.
 * @packageDocumentation
 */
import path from 'node:path';
import type { ServiceRequest } from '#core/coordinator/service-requests.js';
import { isRefusal } from '#kernel/errors.js';
import { GRAPH_FOLDER } from '#kernel/graph-folder.js';
import { ORIGINAL_FOLDER } from '#kernel/original-folder.js';
import { inert } from '#kernel/text.js';
import type { OperationName, Output } from '#operations/map.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import type { CommandHost } from '#surfaces/cli/host.js';
import { runCommandLine } from '#surfaces/cli/program.js';
import { SHAPES, type Shape, serviceShape, type Told } from './shapes.js';
import { TEXTS, type Text } from './texts.js';
import { type OriginalWords, originalWords } from './words.js';

/** The graph folders of the original on disk, by the folder of a project. */
interface OriginalFolders {
  /** Takes over the graph of the original at or above a folder; returns its project, or undefined if there is none. */
  take(folder: string): string | undefined;
  /** Lets the folder's old name lead to the graph. */
  link(project: string): void;
}

/** Executes one command line as the original would. Returns the exit code; never throws. */
export async function runAsOriginal(
  argv: readonly string[],
  host: CommandHost,
  folders: OriginalFolders,
): Promise<number> {
  const typed = originalWords(argv);
  const folder = path.resolve(host.folder, typed.folder ?? (host.environment['TROUPE_PROJECT'] || '.'));
  // A worktree of a run may hold a committed graph of the original, and belongs to the project of the run.
  const taken = host.findProject(folder) === undefined ? folders.take(folder) : undefined;
  if (taken !== undefined && !typed.json)
    host.err.write(
      `${inert(path.join(taken, ORIGINAL_FOLDER))} is called ${GRAPH_FOLDER} now; the old name is a link to it.\n`,
    );
  if (typed.note !== undefined && !typed.json) host.err.write(`${typed.note}\n`);
  const { host: original, said } = inOriginalForm(host, typed);
  const code = await runCommandLine(typed.words, original);
  const text = said();
  if (text !== undefined) host.out.write(`${text}\n`);
  if (code === 0 && typed.command === 'init' && typed.isByOriginal) folders.link(folder);
  return code;
}

/**
 * The same host with answers in the form of the original: `said` is what it prints instead of ours, undefined if ours
 * stays. It inherits, because to read its input would open it.
 */
function inOriginalForm(host: CommandHost, typed: OriginalWords): { host: CommandHost; said(): string | undefined } {
  let said: string | undefined;
  const call = async (spec: OperationSpec, input: object, folder: string | undefined) => {
    const answer = await host.call(spec, input, folder);
    const name = spec.name as OperationName;
    const shape: Shape<OperationName> | undefined = SHAPES[name];
    const text: Text<OperationName> | undefined = TEXTS[name];
    if (typed.json ? shape === undefined : text === undefined) return answer;
    const { specNamed } = await import('#operations/named.js');
    const told = {
      ...{ answer: answer as Output<OperationName>, input, command: typed.command, flags: typed.flags },
      ask: (operation: OperationName, wish: object) => host.call(specNamed(operation), wish, folder),
    } as Told<OperationName>;
    const shaped = shape === undefined ? answer : await shape(told);
    said = typed.json ? JSON.stringify(shaped, null, 2) : text?.(shaped, told);
    return answer;
  };
  const service = async (command: ServiceRequest, folder: string | undefined) => {
    if (!typed.json || typed.command !== 'service status') return host.service(command, folder);
    const shaped = serviceShape(
      await ifRunning(host.service(command, folder)),
      host.findProject(folder) ?? host.folder,
    );
    said = JSON.stringify(shaped, null, 2);
    return shaped;
  };
  const write = (text: string) => (said === undefined ? host.out.write(text) : true);
  const out: NodeJS.WriteStream = Object.create(host.out, { write: { value: write } });
  const formed: CommandHost = Object.create(host, {
    ...{ call: { value: call }, service: { value: service }, out: { value: out } },
  });
  return { host: formed, said: () => said };
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

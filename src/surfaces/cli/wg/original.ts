/**
 * The command line under the name of the original workgraph: its scripts find its flags, and its shapes of `--json`.
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
import { SHAPES, type Shape, serviceShape } from './shapes.js';
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
  const code = await runCommandLine(typed.words, typed.json ? withShapes(host, typed) : host);
  if (code === 0 && typed.command === 'init' && typed.isByOriginal) folders.link(folder);
  return code;
}

/** The same host with answers in the shapes of the original. It inherits, because to read its input would open it. */
function withShapes(host: CommandHost, typed: OriginalWords): CommandHost {
  let isShaped = false;
  const call = async (spec: OperationSpec, input: object, folder: string | undefined) => {
    const answer = await host.call(spec, input, folder);
    const shape: Shape<OperationName> | undefined = SHAPES[spec.name as OperationName];
    if (shape === undefined) return answer;
    isShaped = true;
    const { specNamed } = await import('#operations/named.js');
    return shape({
      ...{ answer: answer as Output<OperationName>, input, flags: typed.flags },
      stored: (wish = {}) => host.call(specNamed('graph.stored'), wish, folder),
      run: (id) => host.call(specNamed('runs.show'), { id }, folder),
    });
  };
  const service = async (command: ServiceRequest, folder: string | undefined) => {
    if (typed.command !== 'service status') return host.service(command, folder);
    isShaped = true;
    return serviceShape(await ifRunning(host.service(command, folder)), host.findProject(folder) ?? host.folder);
  };
  const write = (text: string) => host.out.write(isShaped ? `${JSON.stringify(JSON.parse(text), null, 2)}\n` : text);
  const out: NodeJS.WriteStream = Object.create(host.out, { write: { value: write } });
  const shaped: CommandHost = Object.create(host, {
    ...{ call: { value: call }, service: { value: service }, out: { value: out } },
  });
  return shaped;
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

import { existsSync } from 'node:fs';
import { callerFrom } from '#adapters/processes/caller-from.js';
import { TroupeError } from '#kernel/errors.js';
import { runsFoldersOf } from '#kernel/graph-folder.js';
import { knownCaller } from '#main/places.js';
import { projectFolderOf } from '#main/project.js';
import type { Caller, Callers } from '#ports/callers.js';
import type { Project } from '#ports/project.js';

/**
 * The caller of a change that this process makes itself, where no service is: the run that the environment names, the run this process
 * comes from although its environment says nothing of it, or a person. `caller_unclear` where runs are at work and it
 * cannot be told. Reads a few files, and none where nothing ever ran.
 */
export async function callerAt(project: Project | undefined, environment: NodeJS.ProcessEnv): Promise<Caller> {
  const caller = await knownCaller(callerFrom(environment), project?.folder ?? process.cwd());
  if (
    caller.kind === 'run' ||
    project === undefined ||
    !runsFoldersOf(project.layout).some((folder) => existsSync(folder))
  )
    return caller;
  return await (await callersOf(project)).here(caller);
}

/** Callers of a project without its service: runs are known by their folders. */
export async function callersOf(project: Project): Promise<Callers> {
  const [{ Askers, isElsewhere }, { ProcessPeers }, { ProcessTable }, { runsKnownHere }] = await Promise.all([
    import('#adapters/processes/askers.js'),
    import('#adapters/processes/process-peers.js'),
    import('#adapters/processes/process-table.js'),
    import('#main/runs-known-here.js'),
  ]);
  const processes = new ProcessTable();
  const folders = runsKnownHere(project.layout, async () => processes);
  return new Askers({
    peers: new ProcessPeers(),
    folders: async () => folders,
    atWork: () => {
      throw new TroupeError('caller_unclear'); // nobody connects to what is no service
    },
    isElsewhere: (folder) => runsFoldersOf(project.layout).every((own) => isElsewhere(folder, own)),
    known: (caller) => knownCaller(caller, projectFolderOf(project)),
  });
}

/** What is typed after a question; undefined where nobody is there to answer. */
export async function askAtTerminal(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  const { createInterface } = await import('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  let answered = false;
  // Ctrl-C or the end of the input at a question is no answer to it, and least of all the one that is proposed.
  const stopped = new Promise<string>((resolve) =>
    terminal.once('close', () => {
      if (!answered) {
        process.stderr.write('\n');
        process.kill(process.pid, 'SIGINT');
      }
      resolve('');
    }),
  );
  try {
    return await Promise.race([terminal.question(question), stopped]);
  } finally {
    answered = true;
    terminal.close();
  }
}

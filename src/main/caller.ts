import { existsSync } from 'node:fs';
import { callerFrom } from '#adapters/processes/caller-from.js';
import { TroupeError } from '#kernel/errors.js';
import { runsFoldersOf } from '#kernel/graph-folder.js';
import { knownCaller } from '#main/places.js';
import { projectFolderOf } from '#main/project.js';
import type { Caller, Callers } from '#ports/callers.js';
import type { Project } from '#ports/project.js';

/**
 * The caller of a change that this process makes itself because no service runs: the run named by the environment, the
 * run that is an ancestor of this process even if the environment does not name it, or a person. Reads a few files, and
 * none in a project that never had a run. Errors: `caller_unclear` if runs are active and the caller cannot be
 * determined.
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

/** Callers of a project without a service; runs are identified by their folders. */
export async function callersOf(project: Project): Promise<Callers> {
  const [{ CallerIdentifier, isElsewhere }, { ProcessPeers }, { ProcessTable }, { runsKnownHere }] = await Promise.all([
    import('#adapters/processes/caller-identifier.js'),
    import('#adapters/processes/process-peers.js'),
    import('#adapters/processes/process-table.js'),
    import('#main/runs-known-here.js'),
  ]);
  const processes = new ProcessTable();
  const folders = runsKnownHere(project.layout, async () => processes);
  return new CallerIdentifier({
    peers: new ProcessPeers(),
    folders: async () => folders,
    atWork: () => {
      throw new TroupeError('caller_unclear'); // there is no service to connect to
    },
    isElsewhere: (folder) => runsFoldersOf(project.layout).every((own) => isElsewhere(folder, own)),
    known: (caller) => knownCaller(caller, projectFolderOf(project)),
  });
}

/** Prompts on the terminal and returns the answer; undefined without an interactive terminal. */
export async function askAtTerminal(question: string): Promise<string | undefined> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined;
  // By no `import()`, because a chunk that contains one is not compiled ahead.
  const { createInterface } = process.getBuiltinModule('node:readline/promises');
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  let answered = false;
  // Ctrl-C or the end of input must not count as an answer, least of all as the proposed default.
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

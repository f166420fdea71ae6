import { existsSync } from 'node:fs';
import { TroupeError } from '#kernel/errors.js';
import { callerFrom, knownCaller } from '#main/places.js';
import type { Caller } from '#operations/operation.js';
import type { MarkedRun, ProcessOrigin } from '#operations/runs/who-asks.js';
import type { Peers } from '#ports/processes.js';
import type { Project } from '#ports/project.js';
import type { RunAtWork, RunFolders } from '#ports/run-folders.js';

/**
 * Who wants to change something of a project by this process itself, where no service is: the run that the environment names, the run
 * this process comes from although its environment says nothing of it, or a person. `caller_unclear` where runs are at work and it
 * cannot be told. Reads a few files, and none where nothing ever ran.
 */
export async function callerAt(project: Project | undefined, environment: NodeJS.ProcessEnv): Promise<Caller> {
  const caller = await knownCaller(callerFrom(environment), project?.folder ?? process.cwd());
  const agents = project?.store.layout.agents;
  if (caller.kind === 'run' || agents === undefined || !existsSync(agents)) return caller;
  const [{ ProcessPeers }, { ProcessTable }, { FileRunFolders }, { whoAsks }] = await Promise.all([
    import('#adapters/processes/process-peers.js'),
    import('#adapters/processes/process-table.js'),
    import('#adapters/runs/run-outputs.js'),
    import('#operations/runs/who-asks.js'),
  ]);
  const processes = new ProcessTable();
  const peers = new ProcessPeers();
  const folders = new FileRunFolders(agents, async () => processes);
  const { pid } = process;
  const origin = whoAsks(
    { lineage: peers.lineageOf(pid), limit: peers.limitOf(pid), unmarked: 0, limitsHold: peers.limitsHold },
    withLimits(peers, await folders.atWork()),
    (folder) => folders.named(folder),
  );
  return callerOf(origin, folders, caller);
}

/** Runs at work with the limits that mark their processes. */
export function withLimits(peers: Peers, runs: readonly RunAtWork[]): MarkedRun[] {
  return runs.map((run) => ({ ...run, limit: run.process && peers.limitOf(run.process.pid) }));
}

/** The caller that an origin stands for; `claimed` counts for a person only. Errors: `caller_unclear`, `not_yours`. */
export async function callerOf(
  origin: ProcessOrigin,
  folders: Pick<RunFolders, 'identity'>,
  claimed: Caller,
): Promise<Caller> {
  if (origin.of === 'person') return claimed;
  if (origin.of === 'unclear') throw new TroupeError('caller_unclear');
  if (origin.of === 'hidden')
    throw new TroupeError('not_yours', {
      what: 'A run started the process that asks for this, and the process does not name it.',
      hint: 'In a run, use `$TROUPE_BIN` with the environment of the run; as a person, a terminal that no run opened.',
    });
  const { run: name, token } = origin;
  if (claimed.kind === 'run' && claimed.name === name) return claimed;
  const { taskId = '', fence = 0 } = (await folders.identity(name)) ?? {};
  return { kind: 'run', name, taskId, fence, ...(token === undefined ? {} : { token }) };
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

import { existsSync } from 'node:fs';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { callerFrom, graphFolder } from '#main/compose.js';
import type { Caller } from '#operations/operation.js';

/** Asks whoever sits at a terminal; undefined where nobody does. */
export type Ask = (question: string) => Promise<string | undefined>;

/**
 * Who wants to change something of a project: the run that the environment names, the run this process comes from although
 * its environment says nothing of it, or a person. Where runs are at work and it cannot be told, a terminal has to say so:
 * else `caller_unclear`. Reads a few files, and none where nothing ever ran.
 */
export async function callerAt(
  projectFolder: string | undefined,
  environment: NodeJS.ProcessEnv,
  ask: Ask,
): Promise<Caller> {
  const caller = callerFrom(environment);
  const agents = projectFolder === undefined ? undefined : path.join(graphFolder(projectFolder), 'agents');
  if (caller.kind === 'run' || agents === undefined || !existsSync(agents)) return caller;
  const [{ ownLineage }, { ProcessTable }, { FileRunFolders }, { whoAsks }] = await Promise.all([
    import('#adapters/processes/lineage.js'),
    import('#adapters/processes/process-table.js'),
    import('#adapters/runs/run-outputs.js'),
    import('#operations/runs/who-asks.js'),
  ]);
  const processes = new ProcessTable();
  const folders = new FileRunFolders(agents, async () => processes);
  const origin = whoAsks(ownLineage(), await folders.atWork(), (folder) => folders.named(folder));
  if (origin.of === 'person') return caller;
  if (origin.of === 'run') {
    const { taskId = '', fence = 0 } = (await folders.identity(origin.run)) ?? {};
    const { run: name, token } = origin;
    return { kind: 'run', name, taskId, fence, ...(token === undefined ? {} : { token }) };
  }
  const answer = await ask('Runs are active, and this may come from one of them. Are you a person? [y/N] ');
  if (answer !== undefined && /^y(es)?$/i.test(answer.trim())) return caller;
  throw new TroupeError('caller_unclear');
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

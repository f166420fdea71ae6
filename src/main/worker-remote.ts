import { gitRemoteOf } from '#adapters/git/chosen-exchange.js';
import { RemoteExchange } from '#adapters/git/remote-exchange.js';
import { LocalPrograms } from '#adapters/processes/local-programs.js';
import { sharedEnvironment } from '#adapters/runs/environment.js';
import { settingsFrom } from '#core/settings/settings.js';
import { TroupeError } from '#kernel/errors.js';
import { freshId } from '#kernel/hash.js';
import { slugOf } from '#kernel/slug.js';
import { PLACES } from '#main/places.js';
import type { Context } from '#operations/operation.js';
import type { Exchange } from '#ports/exchange.js';
import type { Git } from '#ports/git.js';

const TOO_MUCH =
  'the key of this machine may write branches of the remote beside wg/*, and so may a run that gets at it: restrict it there to refs/heads/wg/* and refs/wg/*, as the guide to workers says';

/** Git remote of a worker's clone, and warnings for the person. */
export interface WorkerRemote {
  readonly exchange: Exchange;
  readonly warnings: readonly string[];
}

/**
 * Tests with temporary refs which branches this machine may push; they are deleted at once. Errors: `not_a_repository`,
 * `empty_repository`, `bad_config`, `remote_unreachable`.
 */
export async function workerRemote(context: Context, git: Git, folder: string, host: string): Promise<WorkerRemote> {
  const { exchange, at } = await exchangeOf(context, git, folder);
  const commit = await headOf(git, folder);
  const name = `${slugOf(host) ?? 'worker'}-${freshId()}`;
  await exchange.publish(`refs/wg/probe/${name}`, commit);
  await exchange.withdraw(`refs/wg/probe/${name}`, commit);
  // For a remote in a local folder no server restricts pushes.
  const mayMore = at.protocols !== 'file' && (await writesBeside(exchange, `troupe-probe-${name}`, commit));
  return { exchange, warnings: mayMore ? [TOO_MUCH] : [] };
}

/**
 * Whether the remote accepts a push to a branch that is not reserved for workers. The remote was reachable a moment
 * ago, so a failure counts as a refusal.
 */
export async function writesBeside(exchange: Exchange, branch: string, commit: string): Promise<boolean> {
  const ref = `refs/heads/${branch}`;
  try {
    if (!(await exchange.publish(ref, commit))) return false;
    await exchange.withdraw(ref, commit);
    return true;
  } catch {
    return false;
  }
}

async function exchangeOf(context: Context, git: Git, folder: string) {
  const said = settingsFrom(await (await context.settings()).read()).settings;
  const at = await gitRemoteOf(git, folder, said.database.remote ?? 'origin');
  const environment = sharedEnvironment(process.env, { projectFolder: folder, command: PLACES.command });
  const programs = new LocalPrograms({ projectFolder: folder, environment });
  return { at, exchange: new RemoteExchange({ environment: process.env, programs, git, folder, at }) };
}

async function headOf(git: Git, folder: string): Promise<string> {
  const facts = await git.describe(folder);
  if (facts.kind === 'work-tree') return facts.head;
  throw new TroupeError(facts.kind === 'empty' ? 'empty_repository' : 'not_a_repository', {
    what: `${folder} is no clone with a commit: a worker works in worktrees of one.`,
    hint: 'Clone the repository, or check out a branch of it that has a commit.',
  });
}

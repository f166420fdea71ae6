import type { GitPlace } from '#core/agency/remote-address.js';
import { TroupeError } from '#kernel/errors.js';
import { redact } from '#kernel/secrets.js';
import { cut, inSentence } from '#kernel/text.js';
import type { ProgramOptions, Programs } from '#ports/programs.js';
import { type GitCall, gitEnvironment, gitWords } from './process.js';

/**
 * Git itself starts the other side of a local repository: that one must not run configured programs or hooks either.
 */
const SENDER =
  '--upload-pack=env GIT_NO_LAZY_FETCH=1 git -c protocol.allow=never -c core.alternateRefsCommand=true upload-pack';
const RECEIVER = [
  '--receive-pack=git -c core.hooksPath=/dev/null -c core.alternateRefsCommand=true -c core.fsmonitor=false',
  '-c receive.denyCurrentBranch=refuse -c receive.autoGc=false receive-pack',
].join(' ');

/** Arguments for reading from a repository. */
export const senderOf = ({ protocols }: GitPlace): readonly string[] => (protocols === 'file' ? [SENDER] : []);

/** Arguments for writing to a repository. */
export const receiverOf = ({ protocols }: GitPlace): readonly string[] => (protocols === 'file' ? [RECEIVER] : []);

/** Whether the push failed because the ref was moved meanwhile; other errors are reported to the person. */
export function wasMoved(text: string): boolean {
  return /\[rejected\]|cannot lock ref|failed to update ref|incorrect old value|reference already exists/.test(text);
}

export type ReachOptions = Pick<ProgramOptions, 'timeMs' | 'signal'>;

/**
 * Runs a git process that accesses another repository, in its own process group, so that no child process outlives it:
 * the remote may never answer.
 */
export async function reachRemote(
  { environment: base, programs }: { readonly environment: NodeJS.ProcessEnv; readonly programs: Programs },
  folder: string,
  at: GitPlace,
  args: readonly string[],
  options: ReachOptions,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const call: GitCall = { remote: true, protocols: at.protocols };
  const environment = gitEnvironment(base, call);
  const answer = await programs.run('git', gitWords(args, call), { cwd: folder, environment, ...options });
  if (answer.end === 'missing') throw new TroupeError('git_missing');
  const late = answer.end === 'exited' ? '' : ` It was ended after ${answer.durationMs} ms.`;
  return { ok: answer.code === 0, text: `${answer.output}${late}` };
}

/** Error for an unreachable or rejecting remote, with git's message. */
export function unreachable({ address }: GitPlace, why: string, hint?: string): TroupeError {
  return new TroupeError('remote_unreachable', {
    what: `git cannot read or write ${inSentence(address)}.`,
    why: cut(redact(why).replace(/\/\/[^/\s]*@/g, '//…@'), 400),
    ...(hint === undefined ? {} : { hint }),
  });
}

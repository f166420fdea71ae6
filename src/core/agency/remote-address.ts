// Addresses of git repositories: which are taken, and how they are reached.
import { TroupeError } from '#kernel/errors.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { cut, inert } from '#kernel/text.js';

/** A repository as git is told of it, with the protocols it may be reached by. */
export interface GitPlace {
  readonly address: string;
  readonly protocols: 'file' | 'https:ssh';
}

/** The branch an agency has for itself in a repository of others, unless somebody says another one. */
export const AGENCY_BRANCH = 'troupe/agency';

/**
 * What an address means. Errors: `bad_input` for protocols that could start a program or that everybody can read along, for
 * whatever git could take for an option, and for addresses that hold a secret.
 */
export function gitPlaceOf(text: string): GitPlace {
  const shown = cut(inert(hidden(text)), 120);
  const refuse = (why: string, hint: string) => new TroupeError('bad_input', { what: `${shown} ${why}.`, hint });
  if (text.length > AGENCY_LIMITS.remoteAddressCharacters || /[\s\u0000-\u001f\u007f]/.test(text))
    throw refuse('is not an address', FORMS);
  const short = /^([^/\\:@]+)@([^/\\:@]+):(.+)$/.exec(text);
  if (short && !text.includes('://') && !text.includes('::')) {
    if (short.slice(1).some((part) => part.startsWith('-'))) throw refuse('has a part that starts with a dash', FORMS);
    return { address: text, protocols: 'https:ssh' };
  }
  const [, scheme = ''] = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text) ?? [];
  if (!['https', 'ssh', 'file'].includes(scheme)) throw refuse('uses an unsupported protocol', FORMS);
  const url = urlOf(text);
  if (!url) throw refuse('is not an address', FORMS);
  if (scheme === 'file') {
    if (url.hostname !== '') throw refuse('names a file on another machine', FORMS);
    return { address: text, protocols: 'file' };
  }
  if (url.password !== '' || (scheme === 'https' && (url.username !== '' || url.search !== '' || url.hash !== '')))
    throw refuse('contains credentials', 'Remove them: git asks your credential helper (`git help credentials`).');
  if (url.hostname === '' || url.hostname.startsWith('-') || decodeURIComponent(url.username).startsWith('-'))
    throw refuse('names no host', FORMS);
  return { address: text, protocols: 'https:ssh' };
}

const FORMS = 'Use https://…, ssh://…, user@host:path, file:///… or the path of a folder.';

function urlOf(text: string): URL | undefined {
  try {
    const url = new URL(text);
    decodeURIComponent(url.username); // refuses what is no text
    return url;
  } catch {
    return undefined; // said by the caller
  }
}

/** Without whatever stands where a password could. */
function hidden(text: string): string {
  return text.replace(/\/\/[^/]*@/, '//…@').replace(/[?#].*$/s, '…');
}

/** A name for a branch that git takes too; what else it refuses, it says itself. Errors: `bad_input`. */
export function branchName(text: string): string {
  const isName =
    text.length <= AGENCY_LIMITS.remoteBranchCharacters &&
    /^[A-Za-z0-9][A-Za-z0-9._/-]*$/.test(text) &&
    !/\.\.|\/\/|\/\.|\.lock(?:\/|$)|[./]$/.test(text);
  if (isName) return text;
  throw new TroupeError('bad_input', {
    what: `Not a branch: ${JSON.stringify(cut(inert(text), 60))}`,
    hint: 'Use the name of a branch, such as main or troupe/agency.',
  });
}

// Addresses of git repositories: validation, and protocols allowed for them.
import { TroupeError } from '#kernel/errors.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { cut, inert } from '#kernel/text.js';

/** Address of a repository as passed to git, with its allowed protocols. */
export interface GitPlace {
  readonly address: string;
  readonly protocols: 'file' | 'https:ssh';
}

/** Default branch of an agency within a shared repository. */
export const AGENCY_BRANCH = 'troupe/agency';

/**
 * Parses an address. Errors: `bad_input` for protocols that could start a program or are not encrypted, for text that
 * git could parse as an option, and for addresses that contain a secret.
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
    decodeURIComponent(url.username); // throws on invalid escapes
    return url;
  } catch {
    return undefined; // reported by the caller
  }
}

/** Hides the parts of an address that could hold a password. */
function hidden(text: string): string {
  return text.replace(/\/\/[^/]*@/, '//…@').replace(/[?#].*$/s, '…');
}

/** Validates a branch name; further restrictions are left to git. Errors: `bad_input`. */
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

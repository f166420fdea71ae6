import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import type { Agency } from './agency.js';
import { type Entity, type Kind, shortId } from './entities.js';

/** As `find`, of what may be used: refuses with `not_accepted` what came from elsewhere and waits. */
export function acceptedIn<K extends Kind>(agency: Agency, kind: K, word: string): Extract<Entity, { kind: K }> {
  const entity = agency.find(kind, word);
  const [waiting] = agency.waitingIn(entity);
  if (!waiting) return entity;
  const short = shortId(waiting.id);
  throw new TroupeError('not_accepted', {
    what: `The ${waiting.kind} ${inert(waiting.name)} came from elsewhere, and nobody here has accepted it.`,
    hint: `Look at it with \`troupe ${waiting.kind} show ${short}\`, then \`troupe ${waiting.kind} trust ${short}\`.`,
    details: { kind: waiting.kind, id: waiting.id },
  });
}

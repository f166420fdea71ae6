import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import type { Agency } from './agency.js';
import { awaitedDecision, type Entity, type Kind, shortId } from './entities.js';

/**
 * Like `find`, but only for entities that may be used. Errors: those of `find`, `not_accepted` if it or one of its
 * parts awaits a decision.
 */
export function acceptedIn<K extends Kind>(agency: Agency, kind: K, word: string): Extract<Entity, { kind: K }> {
  const entity = agency.find(kind, word);
  const [waiting] = agency.waitingIn(entity);
  if (!waiting) return entity;
  throw notAccepted(waiting);
}

/** Error that tells how to decide about an entity that waits. */
export function notAccepted(waiting: Entity): TroupeError {
  const { kind, id, name } = waiting;
  const short = shortId(id);
  const isOurs = awaitedDecision(waiting) === 'review';
  return new TroupeError('not_accepted', {
    what: isOurs
      ? `The ${kind} ${inert(name)} was not shown to be better than its original, and awaits a decision.`
      : `The ${kind} ${inert(name)} comes from elsewhere and has not been accepted here.`,
    hint: isOurs
      ? 'Review it with `troupe evolve review`, then `troupe evolve review ID --approve`.'
      : `Review it with \`troupe agency show ${kind} ${short}\`, then \`troupe agency trust ${kind} ${short}\`.`,
    details: { kind, id },
  });
}

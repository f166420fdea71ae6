import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { cut, inert } from '#kernel/text.js';

/**
 * `staged`: awaits a review. `current`: accepted, or submitted without a review. `orphan`: rejected, or replaced by an
 * accepted one.
 */
export const ARTIFACT_STATES = ['staged', 'current', 'orphan'] as const;
export type ArtifactState = (typeof ARTIFACT_STATES)[number];

/** Metadata of a team's artifact. Times are milliseconds since 1970, sizes bytes. */
export interface ArtifactMetadata {
  readonly id: string;
  readonly teamId: string;
  /** The task and the claim it was submitted under. */
  readonly taskId: string | null;
  readonly attempt: number | null;
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
  readonly sha256: string;
  readonly state: ArtifactState;
  readonly createdBy: string;
  readonly createdAt: number;
}

export interface Artifact extends ArtifactMetadata {
  readonly content: Uint8Array;
}

/**
 * State change of a task's artifacts. `orphan` drops all that were not accepted; `current` replaces the previous ones.
 */
export type ArtifactTransition =
  | { readonly task: string; readonly to: 'orphan' }
  | { readonly task: string; readonly to: 'staged' | 'current'; readonly artifact: string };

/** State of an artifact after a move; undefined if the move does not affect it. */
export function stateAfter(
  { id, taskId, state }: ArtifactMetadata,
  move: ArtifactTransition,
): ArtifactState | undefined {
  if (taskId !== move.task) return undefined;
  if (move.to === 'orphan') return state === 'staged' ? 'orphan' : undefined;
  if (id === move.artifact) return move.to;
  return move.to === 'current' ? 'orphan' : undefined;
}

/** Type and subtype as in RFC 6838, without parameters: the value goes into a header. */
const CONTENT_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,62}$/;

/**
 * Validates a new artifact and adds size and digest. Errors: `artifact_too_large`, `bad_input` for an invalid name or
 * content type.
 */
export function newArtifact(wish: Omit<Artifact, 'size' | 'sha256'>): Artifact {
  const { content } = wish;
  const most = TEAM_LIMITS.deliverableBytes;
  if (content.byteLength > most) {
    throw new TroupeError('artifact_too_large', {
      what: `${cut(inert(wish.name), 60)} has ${content.byteLength} bytes; the limit is ${most}.`,
      details: { limit: most },
    });
  }
  const name = wish.name.trim();
  if (name === '' || name.length > WORK_LIMITS.titleCharacters || /\p{C}/u.test(name)) {
    throw new TroupeError('bad_input', {
      what: `The name of a deliverable must have 1 to ${WORK_LIMITS.titleCharacters} visible characters.`,
    });
  }
  const contentType = wish.contentType.trim().toLowerCase();
  if (!CONTENT_TYPE.test(contentType)) {
    throw new TroupeError('bad_input', {
      what: `Not a content type: ${cut(inert(wish.contentType), 60)}`,
      hint: 'Use one such as text/markdown.',
    });
  }
  return { ...wish, name, contentType, size: content.byteLength, sha256: sha256(content) };
}

/** Returns a stored artifact after checking its size and digest. Errors: `artifact_corrupt`. */
export function checkedArtifact(artifact: Artifact): Artifact {
  const { id, content, size } = artifact;
  if (content.byteLength === size && sha256(content) === artifact.sha256) return artifact;
  throw new TroupeError('artifact_corrupt', { what: `Artifact ${id} is damaged: its hash differs.` });
}

const BY_ENDING: Readonly<Record<string, string>> = {
  md: 'text/markdown',
  txt: 'text/plain',
  csv: 'text/csv',
  html: 'text/html',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  svg: 'image/svg+xml',
  zip: 'application/zip',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/** Default content type by file extension; `text/markdown` for a text without a file. */
export function contentTypeOf(path: string | undefined): string {
  if (path === undefined) return 'text/markdown';
  return BY_ENDING[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
}

export function labelOf({ content: _content, ...label }: Artifact): ArtifactMetadata {
  return label;
}

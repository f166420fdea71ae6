import type { Columns } from '#adapters/teams-database/columns.js';
import { perform, type Statements } from '#adapters/teams-database/statement.js';
import { corrupt, known } from '#adapters/teams-database/words.js';
import {
  ARTIFACT_STATES,
  type Artifact,
  type ArtifactMetadata,
  type ArtifactTransition,
  checkedArtifact,
  stateAfter,
} from '#core/teams/artifacts.js';
import {
  ADD_ARTIFACT,
  ARTIFACT,
  ARTIFACTS,
  ARTIFACTS_OF_TASK,
  FOLLOW,
  FOLLOWED,
  HANDED_IN_BY,
  MOVE_ARTIFACT,
} from './artifact-statements.js';

/** Writes artifacts with their content. */
export function* writeArtifacts(artifacts: readonly Artifact[]): Statements<void> {
  for (const artifact of artifacts) yield* perform(ADD_ARTIFACT, artifact);
}

export function* artifactOf(id: string): Statements<Artifact | undefined> {
  const [row] = yield* perform(ARTIFACT, { id });
  if (!row) return undefined;
  const content: unknown = row.content;
  if (!(content instanceof Uint8Array)) throw corrupt('artifacts', id, 'content', content);
  return checkedArtifact({ ...labelOf(row), content });
}

/** Newest first. */
export function* artifactsOf(
  team: string,
  { task, limit }: { readonly task?: string; readonly limit: number },
): Statements<readonly ArtifactMetadata[]> {
  const rows =
    task === undefined ? perform(ARTIFACTS, { team, limit }) : perform(ARTIFACTS_OF_TASK, { team, task, limit });
  return (yield* rows).map(labelOf);
}

function labelOf(row: Omit<Columns['artifacts'], 'rowid' | 'content'>): ArtifactMetadata {
  return {
    id: row.id,
    teamId: row.team_id,
    taskId: row.task_id,
    attempt: row.attempt,
    name: row.name,
    contentType: row.content_type,
    size: row.size,
    sha256: row.sha256,
    state: known(ARTIFACT_STATES, row.state, 'artifacts', row.id, 'state'),
    createdBy: row.created_by,
    createdAt: row.created_at,
  };
}

/** Updates artifact states according to `stateAfter`. */
export function* moveArtifacts(moves: readonly ArtifactTransition[]): Statements<void> {
  for (const move of moves) {
    for (const label of (yield* perform(HANDED_IN_BY, { task: move.task })).map(labelOf)) {
      const state = stateAfter(label, move);
      if (state !== undefined) yield* perform(MOVE_ARTIFACT, { id: label.id, state });
    }
  }
}

/** `seq` of the last graph entry processed. */
export function* followed(): Statements<number | undefined> {
  return (yield* perform(FOLLOWED, {}))[0]?.seq;
}

export function* writeFollowed(seq: number | undefined): Statements<void> {
  if (seq !== undefined) yield* perform(FOLLOW, { seq });
}

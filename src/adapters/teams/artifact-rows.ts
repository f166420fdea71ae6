import { corrupt, type Database, type Row } from '#adapters/teams-database/database.js';
import {
  ARTIFACT_STATES,
  type Artifact,
  type ArtifactLabel,
  type ArtifactMove,
  checkedArtifact,
  stateAfter,
} from '#core/teams/artifacts.js';
import { closedWord, numberOrNull, textOrNull } from './columns.js';

const LABEL = 'id, team_id, task_id, attempt, name, content_type, size, sha256, state, created_by, created_at';

/** With the bytes as they are given. */
export function writeArtifacts(database: Database, artifacts: readonly Artifact[]): void {
  for (const one of artifacts) {
    database.run(
      `INSERT INTO artifacts (${LABEL}, content) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[one.id, one.teamId, one.taskId, one.attempt, one.name, one.contentType, one.size, one.sha256, one.state],
      ...[one.createdBy, one.createdAt, one.content],
    );
  }
}

export function artifactIn(database: Database, id: string): Artifact | undefined {
  const [row] = database.all(`SELECT ${LABEL}, content FROM artifacts WHERE id = ?`, id);
  if (!row) return undefined;
  // One of the libraries hands out bytes, the other what holds them.
  const content = row['content'] instanceof ArrayBuffer ? new Uint8Array(row['content']) : row['content'];
  if (!(content instanceof Uint8Array)) throw corrupt('artifacts', id, 'content', content);
  return checkedArtifact({ ...labelIn(row), content });
}

/** The latest first. */
export function artifactsIn(
  database: Database,
  teamId: string,
  { task, limit }: { readonly task?: string; readonly limit: number },
): ArtifactLabel[] {
  const where = task === undefined ? '' : 'AND task_id = ?';
  const sql = `SELECT ${LABEL} FROM artifacts WHERE team_id = ? ${where} ORDER BY created_at DESC, rowid DESC LIMIT ?`;
  return database.all(sql, ...[teamId, ...(task === undefined ? [] : [task]), limit]).map(labelIn);
}

function labelIn(row: Row): ArtifactLabel {
  return {
    ...{ id: String(row['id']), teamId: String(row['team_id']) },
    ...{ taskId: textOrNull(row['task_id']), attempt: numberOrNull(row['attempt']), name: String(row['name']) },
    ...{ contentType: String(row['content_type']), size: Number(row['size']), sha256: String(row['sha256']) },
    state: closedWord(ARTIFACT_STATES, 'artifacts', row, 'state'),
    ...{ createdBy: String(row['created_by']), createdAt: Number(row['created_at']) },
  };
}

/** As `stateAfter` has it. */
export function moveArtifacts(database: Database, moves: readonly ArtifactMove[]): void {
  for (const move of moves) {
    const rows = database.all(`SELECT ${LABEL} FROM artifacts WHERE task_id = ?`, move.task).map(labelIn);
    for (const label of rows) {
      const state = stateAfter(label, move);
      if (state !== undefined) database.run('UPDATE artifacts SET state = ? WHERE id = ?', state, label.id);
    }
  }
}

/** Up to which entry the log of the graph was followed. */
export function followedIn(database: Database): number | undefined {
  const seq = database.all('SELECT seq FROM graph_cursor')[0]?.['seq'];
  return seq === undefined ? undefined : Number(seq);
}

export function writeFollowed(database: Database, seq: number | undefined): void {
  if (seq === undefined) return;
  database.run('INSERT INTO graph_cursor VALUES (1, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq', seq);
}

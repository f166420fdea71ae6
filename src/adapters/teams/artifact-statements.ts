import { db, statement } from '#adapters/teams-database/building.js';
import type { Artifact } from '#core/teams/artifacts.js';

const labels = db
  .selectFrom('artifacts')
  .select(['id', 'team_id', 'task_id', 'attempt', 'name', 'content_type', 'size', 'sha256', 'state'])
  .select(['created_by', 'created_at']);

export const ADD_ARTIFACT = statement((one: Artifact) =>
  db.insertInto('artifacts').values({
    id: one.id,
    team_id: one.teamId,
    task_id: one.taskId,
    attempt: one.attempt,
    name: one.name,
    content_type: one.contentType,
    size: one.size,
    sha256: one.sha256,
    content: one.content,
    state: one.state,
    created_by: one.createdBy,
    created_at: one.createdAt,
  }),
);

export const ARTIFACT = statement(({ id }: { id: string }) => labels.select('content').where('id', '=', id));

const ofTeam = ({ team, limit }: { team: string; limit: number }) =>
  labels.where('team_id', '=', team).orderBy('created_at', 'desc').orderBy('rowid', 'desc').limit(limit);

export const ARTIFACTS = statement(ofTeam);

export const ARTIFACTS_OF_TASK = statement((values: { team: string; task: string; limit: number }) =>
  ofTeam(values).where('task_id', '=', values.task),
);

/** Artifacts of a task, of all teams. */
export const HANDED_IN_BY = statement(({ task }: { task: string }) => labels.where('task_id', '=', task));

export const MOVE_ARTIFACT = statement(({ id, state }: { id: string; state: string }) =>
  db.updateTable('artifacts').set({ state }).where('id', '=', id),
);

export const FOLLOWED = statement(() => db.selectFrom('graph_cursor').select('seq'));

export const FOLLOW = statement(({ seq }: { seq: number }) =>
  db
    .insertInto('graph_cursor')
    .values({ one: 1, seq })
    .onConflict((conflict) => conflict.column('one').doUpdateSet({ seq })),
);

import type { Output } from '#operations/map.js';
import type { SyncDiffAnswer } from '#surfaces/http/contract.js';
import type { ProjectRoute } from '#surfaces/http/project-routes.js';
import { renamed } from '#surfaces/http/renamed.js';

const TEAM = '/api/projects/:project/team';

/** The commits of a project's team. */
export const TEAM_ROUTES: readonly ProjectRoute[] = [
  { method: 'GET', path: `${TEAM}/sync`, plan: () => ({ name: 'squad.sync', input: {} }) },
  {
    method: 'GET',
    path: `${TEAM}/sync/diff`,
    plan: () => ({ name: 'squad.sync', input: { diff: true } }),
    shape: ({ diff = '', diff_cut = false }: Output<'squad.sync'>): SyncDiffAnswer => ({ diff, diff_cut }),
  },
  {
    method: 'POST',
    path: `${TEAM}/sync`,
    status: 201,
    plan: ({ body }) => {
      const fields = { expected_change_set_hash: 'expect', message: 'message' };
      return { name: 'squad.sync', input: { ...renamed(body, fields), commit: true } };
    },
    shape: ({ commit_id }: Output<'squad.sync'>) => ({ commit_id }),
  },
];

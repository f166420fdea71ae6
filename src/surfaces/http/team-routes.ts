import type { ProjectRoute } from '#surfaces/http/project-routes.js';
import { renamed } from '#surfaces/http/renamed.js';

const TEAM = '/api/projects/:project/team';

interface Synced {
  readonly diff?: string;
  readonly diff_cut?: boolean;
  readonly commit_id?: string;
}

/** The commits of a project's team. */
export const TEAM_ROUTES: readonly ProjectRoute[] = [
  { method: 'GET', path: `${TEAM}/sync`, plan: () => ({ name: 'squad.sync', input: {} }) },
  {
    method: 'GET',
    path: `${TEAM}/sync/diff`,
    plan: () => ({ name: 'squad.sync', input: { diff: true } }),
    shape: (answer) => {
      const { diff = '', diff_cut = false } = answer as Synced;
      return { diff, diff_cut };
    },
  },
  {
    method: 'POST',
    path: `${TEAM}/sync`,
    status: 201,
    plan: ({ body }) => {
      const fields = { expected_change_set_hash: 'expect', message: 'message' };
      return { name: 'squad.sync', input: { ...renamed(body, fields), commit: true } };
    },
    shape: (answer) => ({ commit_id: (answer as Synced).commit_id }),
  },
];

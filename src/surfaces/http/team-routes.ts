import { TroupeError } from '#kernel/errors.js';
import type { Output } from '#operations/map.js';
import type { CastTeam, SyncDiffAnswer } from './contract.js';
import { renamed, snake } from './field-names.js';
import type { Planned, ProjectRoute, RouteRequest } from './project-routes.js';

const TEAM = '/api/projects/:project/team';
const MEMBERS = `${TEAM}/members`;
const MEMBER = `${MEMBERS}/:member`;

/** The team and its members as resources of a project. */
export const MEMBER_ROUTES: readonly ProjectRoute[] = [
  { method: 'GET', path: TEAM, plan: () => ({ name: 'team.show', input: {} }), shape: snake },
  {
    method: 'GET',
    path: MEMBERS,
    plan: () => ({ name: 'team.show', input: {} }),
    shape: (answer: CastTeam) => ({ members: snake(answer.members) }),
  },
  {
    method: 'POST',
    path: MEMBERS,
    status: 201,
    plan: ({ body }) => ({ name: 'member.add', input: renamed(body, ROLE) }),
    shape: snake,
  },
  { method: 'GET', path: MEMBER, plan: (request) => ({ name: 'member.show', input: named(request) }), shape: snake },
  { method: 'PATCH', path: MEMBER, plan: changing, shape: snake },
  {
    method: 'DELETE',
    path: MEMBER,
    status: 204,
    plan: (request) => ({
      name: 'member.retire',
      input: { ...renamed(request.body, { leader: 'leader' }), ...named(request) },
    }),
  },
  ...(['charter', 'history'] as const).map(
    (part): ProjectRoute => ({
      method: 'GET',
      path: `${MEMBER}/${part}`,
      plan: (request) => ({ name: 'member.show', input: named(request) }),
      shape: (answer: Output<'member.show'>) => {
        const text = answer[part];
        if (text === null) throw new TroupeError('not_found', { what: `The member has no ${part}.` });
        return { [part]: text };
      },
    }),
  ),
];

const ROLE = { archetype_id: 'archetype', role_id: 'archetype' };

const named = ({ params }: RouteRequest) => ({ member: params['member'] });

/** One thing at a time: another role, another name, or back on the team. */
function changing(request: RouteRequest): Planned {
  const { name, status } = request.body;
  if (name !== undefined)
    return { name: 'member.rename', input: { ...renamed(request.body, { name: 'name' }), ...named(request) } };
  if (status === undefined)
    return { name: 'member.rerole', input: { ...renamed(request.body, ROLE), ...named(request) } };
  if (status !== 'Active' || Object.keys(request.body).length > 1) {
    throw new TroupeError('bad_input', {
      what: 'A status can only be set to Active, and alone.',
      hint: 'DELETE lets a member go.',
      details: { field: 'status' },
    });
  }
  return { name: 'member.restore', input: named(request) };
}

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

/** What waits to be landed, and landing the very commit that was shown. */
export const LANDING_ROUTES: readonly ProjectRoute[] = [
  { method: 'GET', path: '/api/worktree/landing', plan: () => ({ name: 'worktree.landing', input: {} }) },
  {
    method: 'POST',
    path: '/api/worktree/land',
    plan: ({ body }) => ({ name: 'worktree.land', input: renamed(body, { to: 'to' }) }),
  },
];

import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import type { Output } from '#operations/map.js';
import type { CastTeamAnswer, OrganisationAnswer, SyncDiffAnswer } from './contract.js';
import { renamed } from './field-names.js';
import type { Planned, ProjectRoute, RouteRequest } from './project-routes.js';

const TEAM = '/api/projects/:project/team';
const MEMBERS = `${TEAM}/members`;
const MEMBER = `${MEMBERS}/:member`;

/** Routes for the team and its members as resources of a project. */
export const MEMBER_ROUTES: readonly ProjectRoute[] = [
  { method: 'GET', path: TEAM, summary: 'The team as it was cast.', plan: () => ({ name: 'team.show', input: {} }) },
  {
    method: 'GET',
    path: MEMBERS,
    summary: 'Its members.',
    plan: () => ({ name: 'team.show', input: {} }),
    shape: (answer: CastTeamAnswer) => ({ members: answer.members }),
  },
  {
    method: 'POST',
    path: MEMBERS,
    summary: 'Adds a member.',
    status: 201,
    plan: ({ body }) => ({ name: 'member.add', input: renamed(body, ROLE) }),
  },
  {
    method: 'GET',
    path: MEMBER,
    summary: 'One member, with charter, diary and memories.',
    plan: (request) => ({ name: 'member.show', input: named(request) }),
  },
  { method: 'PATCH', path: MEMBER, summary: 'Changes the role or name of a member, or restores one.', plan: changing },
  {
    method: 'DELETE',
    path: MEMBER,
    summary: 'Retires a member.',
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
      summary: `The ${part} of a member.`,
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

/** Changes one thing at a time: the role, the name, or the status of a retired member. */
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

/** Routes for uncommitted changes of the team's files, and for their commits. */
export const TEAM_ROUTES: readonly ProjectRoute[] = [
  {
    method: 'GET',
    path: `${TEAM}/sync`,
    summary: 'The uncommitted changes in `.squad/`.',
    plan: () => ({ name: 'squad.sync', input: {} }),
  },
  {
    method: 'GET',
    path: `${TEAM}/sync/diff`,
    summary: 'The difference, as text.',
    plan: () => ({ name: 'squad.sync', input: { diff: true } }),
    shape: ({ diff = '', diff_cut = false }: Output<'squad.sync'>): SyncDiffAnswer => ({ diff, diff_cut }),
  },
  {
    method: 'POST',
    path: `${TEAM}/sync`,
    summary: 'Commits `.squad/`.',
    status: 201,
    plan: ({ body }) => {
      const fields = { expected_change_set_hash: 'expect', message: 'message' };
      return { name: 'squad.sync', input: { ...renamed(body, fields), commit: true } };
    },
    shape: ({ commit_id }: Output<'squad.sync'>) => ({ commit_id }),
  },
];

/** Routes that list results waiting to be landed, and land exactly the commit that was shown. */
export const LANDING_ROUTES: readonly ProjectRoute[] = [
  {
    method: 'GET',
    path: '/api/worktree/landing',
    summary: 'The work that is ready to land on your branch.',
    plan: () => ({ name: 'worktree.landing', input: {} }),
  },
  {
    method: 'POST',
    path: '/api/worktree/land',
    summary: 'Lands it on your branch.',
    plan: ({ body }) => ({ name: 'worktree.land', input: renamed(body, { to: 'to' }) }),
  },
];

/**
 * Routes for all participants of the configuration around the project and the agents each leads; empty without a
 * configuration.
 */
export const ORGANISATION_ROUTES: readonly ProjectRoute[] = [
  {
    method: 'GET',
    path: '/api/organisation',
    summary: 'The roster configuration: everyone, whom they lead, and its problems.',
    plan: () => ({ name: 'roster.check', input: {} }),
    shape: ({ agents, problems }: Output<'roster.check'>): OrganisationAnswer => ({
      agents: agents.slice(0, LIMITS.organisationRows),
      more: Math.max(0, agents.length - LIMITS.organisationRows),
      problems: problems.length,
    }),
    absent: ({ code }) => (code === 'config_not_found' ? { agents: [], more: 0, problems: 0 } : undefined),
  },
];

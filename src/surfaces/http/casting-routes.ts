import { TroupeError } from '#kernel/errors.js';
import type { JsonObject } from '#kernel/json.js';
import type { OperationName, Output } from '#operations/map.js';
import type { ProjectRoute, RouteRequest } from '#surfaces/http/project-routes.js';
import { renamed } from './field-names.js';

const PROPOSALS = '/api/projects/:project/casting/proposals';
const PROPOSAL = `${PROPOSALS}/:proposal`;

/** Mode of a proposal → the operation that makes it, and the operation's names for the fields of that mode. */
const MODES: Readonly<Record<string, { name: OperationName; fields: Readonly<Record<string, string>> }>> = {
  scenario: { name: 'casting.scenario', fields: { scenario_id: 'scenario', template_id: 'scenario' } },
  manual: { name: 'casting.manual', fields: { archetype_ids: 'archetypes', role_ids: 'archetypes' } },
  free_text: { name: 'casting.goal', fields: { goal: 'goal', team_size: 'size', offline: 'offline' } },
  analysis: { name: 'casting.analyze', fields: { team_size: 'size', offline: 'offline' } },
};
const WISHES = { universe: 'universe', seed: 'seed', intent: 'intent' };

/** Routes for proposals as resources of a project. */
export const CASTING_ROUTES: readonly ProjectRoute[] = [
  {
    method: 'GET',
    path: PROPOSALS,
    summary: 'The pending proposal, as a list of one or none.',
    plan: () => ({ name: 'casting.show', input: {} }),
    shape: (proposal) => ({ proposals: [proposal] }),
    absent: (error) => (error.code === 'no_proposal' ? { proposals: [] } : undefined),
  },
  {
    method: 'POST',
    path: PROPOSALS,
    summary: 'Proposes a team: `mode` scenario, manual, free_text or analysis, and the fields of that mode.',
    status: 201,
    plan: ({ body }) => proposing(body),
  },
  {
    method: 'GET',
    path: PROPOSAL,
    summary: 'The proposal.',
    plan: (request) => ({ name: 'casting.show', input: named(request) }),
  },
  {
    method: 'PATCH',
    path: PROPOSAL,
    summary: 'Changes the members, names or universe of the proposal.',
    plan: (request) => {
      const fields = { universe: 'universe', members: 'members', revision: 'revision' };
      return { name: 'casting.amend', input: { ...renamed(request.body, fields), ...named(request) } };
    },
  },
  {
    method: 'DELETE',
    path: PROPOSAL,
    summary: 'Discards the proposal.',
    status: 204,
    plan: (request) => ({ name: 'casting.reject', input: { ...renamed(request.body, {}), ...named(request) } }),
  },
  {
    method: 'POST',
    path: `${PROPOSAL}/confirm`,
    summary: 'Makes the proposal the team, or part of it.',
    plan: (request) => {
      const fields = { intent: 'intent', leader: 'leader', revision: 'revision', clients: 'clients' };
      return { name: 'casting.confirm', input: { ...renamed(request.body, fields), ...named(request) } };
    },
  },
  {
    method: 'PUT',
    path: '/api/projects/:project/team/members/:name/charter',
    summary: 'Sets the charter of a member.',
    plan: ({ body, params }) => ({
      name: 'member.charter',
      input: { ...renamed(body, { charter: 'charter' }), member: params['name'] },
    }),
  },
  ...(['archetypes', 'groupings', 'universes', 'workflows'] as const).flatMap((kind): ProjectRoute[] => [
    {
      method: 'GET',
      path: `/api/catalog/${kind}`,
      summary: 'All entries of this kind, shipped and of the project.',
      plan: () => ({ name: 'catalog.show', input: { kind } }),
    },
    {
      method: 'GET',
      path: `/api/catalog/${kind}/:id`,
      summary: 'One entry of the catalog.',
      plan: ({ params }) => ({ name: 'catalog.show', input: { kind, id: params['id'] } }),
      shape: ({ entries }: Output<'catalog.show'>) => entries[0],
    },
  ]),
];

function proposing({ mode, ...body }: JsonObject) {
  const way = typeof mode === 'string' && Object.hasOwn(MODES, mode) ? MODES[mode] : undefined;
  if (way === undefined) {
    throw new TroupeError('bad_input', {
      what: 'mode is not valid.',
      hint: `Use one of these modes: ${Object.keys(MODES).join(', ')}.`,
      details: { field: 'mode' },
    });
  }
  return { name: way.name, input: renamed(body, { ...way.fields, ...WISHES }) };
}

const named = ({ params }: RouteRequest) => ({ proposal_id: params['proposal'] });

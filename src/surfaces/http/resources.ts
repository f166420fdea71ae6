import type { Input, OperationName } from '#operations/map.js';
import type { ResourceAddress } from '#operations/resource-address.js';

/** Fields of all members of a union of inputs. */
type FieldOf<Given> = Given extends unknown ? keyof Given & string : never;

const PROJECT = '/api/projects/:project';
const PROPOSALS = `${PROJECT}/casting/proposals`;
const PROPOSAL = `${PROPOSALS}/:proposal`;
const MEMBERS = `${PROJECT}/team/members`;
const MEMBER = `${MEMBERS}/:member`;
const SYNC = `${PROJECT}/team/sync`;
const DECISIONS = `${PROJECT}/decisions`;
const INBOX = `${DECISIONS}/inbox`;
const MEMORY = `${PROJECT}/memory`;
const SESSIONS = `${PROJECT}/sessions`;

/** Fields of every proposal. */
const WISHES = ['universe', 'seed', 'intent'] as const;
const OF_PROPOSAL = [['proposal', 'proposal_id']] as const;
const ROLE = [
  ['archetype_id', 'archetype'],
  ['role_id', 'archetype'],
] as const;
/** Fields that select a blueprint. No file path: an HTTP client sends the blueprint itself. */
const WHICH = [['blueprint_id', 'id'], 'blueprint'] as const;

const catalogOf = <const Kind extends string>(kind: Kind) =>
  [
    {
      method: 'GET',
      path: `/api/catalog/${kind}`,
      summary: 'All entries of this kind, shipped and of the project.',
      set: { kind },
    },
    {
      method: 'GET',
      path: `/api/catalog/${kind}/:id`,
      summary: 'One entry of the catalog.',
      set: { kind },
      params: ['id'],
      answer: { first: 'entries' },
    },
  ] as const;

const textOf = <const Part extends 'charter' | 'history'>(part: Part) =>
  ({
    method: 'GET',
    path: `${MEMBER}/${part}`,
    summary: `The ${part} of a member.`,
    params: ['member'],
    answer: { pick: [part], missing: `The member has no ${part}.` },
  }) as const;

/**
 * Resource addresses of each operation: the field `resource` of its declaration. They have names of their own for
 * fields, and for `bad_input` the code `bad_request`.
 */
export const RESOURCES = {
  'casting.show': [
    {
      method: 'GET',
      path: PROPOSALS,
      summary: 'The pending proposal, as a list of one or none.',
      answer: { wrap: 'proposals', none: 'no_proposal' },
    },
    { method: 'GET', path: PROPOSAL, summary: 'The proposal.', params: OF_PROPOSAL },
  ],
  'casting.scenario': [
    {
      method: 'POST',
      path: PROPOSALS,
      summary: 'Proposes a team by a scenario: `mode` scenario.',
      status: 201,
      when: { field: 'mode', value: 'scenario' },
      fields: [['scenario_id', 'scenario'], ['template_id', 'scenario'], ...WISHES],
    },
  ],
  'casting.manual': [
    {
      method: 'POST',
      path: PROPOSALS,
      summary: 'Proposes a team of these archetypes: `mode` manual.',
      status: 201,
      when: { field: 'mode', value: 'manual' },
      fields: [['archetype_ids', 'archetypes'], ['role_ids', 'archetypes'], ...WISHES],
    },
  ],
  'casting.goal': [
    {
      method: 'POST',
      path: PROPOSALS,
      summary: 'Proposes a team for a goal: `mode` free_text.',
      status: 201,
      when: { field: 'mode', value: 'free_text' },
      fields: ['goal', ['team_size', 'size'], 'offline', ...WISHES],
    },
  ],
  'casting.analyze': [
    {
      method: 'POST',
      path: PROPOSALS,
      summary: 'Proposes a team for the repository: `mode` analysis.',
      status: 201,
      when: { field: 'mode', value: 'analysis' },
      fields: [['team_size', 'size'], 'offline', ...WISHES],
    },
  ],
  'casting.amend': [
    {
      method: 'PATCH',
      path: PROPOSAL,
      summary: 'Changes the members, names or universe of the proposal.',
      params: OF_PROPOSAL,
      fields: ['universe', 'members', 'revision'],
    },
  ],
  'casting.reject': [
    { method: 'DELETE', path: PROPOSAL, summary: 'Discards the proposal.', status: 204, params: OF_PROPOSAL },
  ],
  'casting.confirm': [
    {
      method: 'POST',
      path: `${PROPOSAL}/confirm`,
      summary: 'Makes the proposal the team, or part of it.',
      params: OF_PROPOSAL,
      fields: ['intent', 'leader', 'revision', 'clients'],
    },
  ],
  'catalog.show': [
    ...catalogOf('archetypes'),
    ...catalogOf('groupings'),
    ...catalogOf('universes'),
    ...catalogOf('workflows'),
  ],
  'team.show': [
    { method: 'GET', path: `${PROJECT}/team`, summary: 'The team as it was cast.' },
    { method: 'GET', path: MEMBERS, summary: 'Its members.', answer: { pick: ['members'] } },
  ],
  'member.add': [{ method: 'POST', path: MEMBERS, summary: 'Adds a member.', status: 201, fields: ROLE }],
  'member.show': [
    {
      method: 'GET',
      path: MEMBER,
      summary: 'One member, with charter, diary and memories.',
      params: ['member'],
    },
    textOf('charter'),
    textOf('history'),
  ],
  'member.charter': [
    {
      method: 'PUT',
      path: `${MEMBER}/charter`,
      summary: 'Sets the charter of a member.',
      params: ['member'],
      fields: ['charter'],
    },
  ],
  'member.rename': [
    {
      method: 'PATCH',
      path: MEMBER,
      summary: 'Renames a member, if the body has a `name`.',
      params: ['member'],
      when: { field: 'name' },
      fields: ['name'],
    },
  ],
  'member.restore': [
    {
      method: 'PATCH',
      path: MEMBER,
      summary: 'Restores a retired member, by the `status` Active.',
      params: ['member'],
      when: { field: 'status' },
      only: {
        field: 'status',
        value: 'Active',
        what: 'A status can only be set to Active, and alone.',
        hint: 'DELETE lets a member go.',
      },
    },
  ],
  'member.rerole': [
    { method: 'PATCH', path: MEMBER, summary: 'Changes the role of a member.', params: ['member'], fields: ROLE },
  ],
  'member.retire': [
    {
      method: 'DELETE',
      path: MEMBER,
      summary: 'Retires a member.',
      status: 204,
      params: ['member'],
      fields: ['leader'],
    },
  ],
  'squad.sync': [
    { method: 'GET', path: SYNC, summary: 'The uncommitted changes in `.squad/`.' },
    {
      method: 'GET',
      path: `${SYNC}/diff`,
      summary: 'The difference, as text.',
      set: { diff: true },
      answer: { pick: ['diff', 'diff_cut'], defaults: { diff: '', diff_cut: false } },
    },
    {
      method: 'POST',
      path: SYNC,
      summary: 'Commits `.squad/`.',
      status: 201,
      set: { commit: true },
      fields: [['expected_change_set_hash', 'expect'], 'message'],
      answer: { pick: ['commit_id'] },
    },
  ],
  'blueprint.list': [{ method: 'GET', path: '/api/catalog/blueprints', summary: 'The blueprints.' }],
  'blueprint.show': [{ method: 'GET', path: '/api/catalog/blueprints/:id', summary: 'One blueprint.', params: ['id'] }],
  'blueprint.generate': [
    {
      method: 'POST',
      path: '/api/blueprints/generate',
      summary: 'Generates a blueprint from a description; nothing is stored.',
      fields: ['description', ['team_size', 'size'], 'offline'],
    },
  ],
  'blueprint.validate': [
    {
      method: 'POST',
      path: '/api/blueprints/validate',
      summary: 'Whether a blueprint is valid, with all errors.',
      fields: WHICH,
    },
  ],
  'blueprint.apply': [
    {
      method: 'POST',
      path: `${PROJECT}/blueprint`,
      summary: 'Applies a blueprint: its team, workflow and rules.',
      status: 201,
      fields: [...WHICH, 'intent', 'universe', 'seed'],
    },
  ],
  'decision.list': [
    { method: 'GET', path: DECISIONS, summary: 'The decisions of the team.', fields: ['limit', 'status'] },
  ],
  'decision.add': [
    {
      method: 'POST',
      path: DECISIONS,
      summary: 'Records a decision.',
      status: 201,
      fields: ['title', 'type', 'content', 'rationale', 'agent', 'supersedes'],
    },
  ],
  // A decision can otherwise end only by another decision that supersedes it.
  'decision.archive': [
    {
      method: 'PUT',
      path: `${DECISIONS}/:number`,
      summary: 'Archives a decision.',
      params: ['number'],
      numbers: ['number'],
      only: {
        field: 'status',
        value: 'archived',
        what: 'Of a decision only the status can be set, to archived.',
        hint: 'POST one with supersedes to replace it.',
      },
    },
  ],
  'inbox.list': [
    {
      method: 'GET',
      path: INBOX,
      summary: 'The inbox: proposed decisions and memories.',
      fields: ['limit', 'status'],
    },
  ],
  'inbox.add': [
    {
      method: 'POST',
      path: INBOX,
      summary: 'Proposes a decision.',
      status: 201,
      fields: ['agent', 'title', 'slug', 'type', 'content', 'rationale'],
    },
  ],
  'inbox.merge': [
    {
      method: 'POST',
      path: `${INBOX}/:number/merge`,
      summary: 'Accepts an entry of the inbox.',
      params: ['number'],
      numbers: ['number'],
    },
  ],
  'inbox.reject': [
    {
      method: 'POST',
      path: `${INBOX}/:number/reject`,
      summary: 'Rejects an entry of the inbox.',
      params: ['number'],
      numbers: ['number'],
      fields: ['reason'],
    },
  ],
  'memory.list': [
    { method: 'GET', path: MEMORY, summary: 'The memories of the team.', fields: ['limit', 'agent', 'type'] },
  ],
  'memory.add': [
    {
      method: 'POST',
      path: MEMORY,
      summary: 'Adds a memory.',
      status: 201,
      fields: ['agent', 'content', 'type', 'importance'],
    },
  ],
  'memory.import': [{ method: 'POST', path: `${MEMORY}/import`, summary: 'Imports the files of the inbox.' }],
  'memory.export': [{ method: 'POST', path: `${MEMORY}/export`, summary: 'Writes the team memory to its files.' }],
  'teamsession.list': [{ method: 'GET', path: SESSIONS, summary: 'The sessions of the team.', fields: ['limit'] }],
  'teamsession.start': [
    { method: 'POST', path: SESSIONS, summary: 'Starts a session.', status: 201, fields: ['focus', 'context'] },
  ],
  'teamsession.show': [
    {
      method: 'GET',
      path: `${SESSIONS}/current`,
      summary: 'The session that is open.',
      answer: { part: 'session', missing: 'No session of the team is open.' },
    },
  ],
  'teamsession.change': [
    {
      method: 'PUT',
      path: `${SESSIONS}/current`,
      summary: 'Changes or ends the session that is open.',
      fields: ['focus', 'context', 'end'],
    },
  ],
  'worktree.landing': [
    { method: 'GET', path: '/api/worktree/landing', summary: 'The work that is ready to land on your branch.' },
  ],
  'worktree.land': [
    { method: 'POST', path: '/api/worktree/land', summary: 'Lands it on your branch.', fields: ['to'] },
  ],
  'roster.check': [
    {
      method: 'GET',
      path: '/api/organisation',
      summary: 'The roster configuration: everyone, whom they lead, and its problems.',
      answer: { shape: 'organisation' },
    },
  ],
} as const satisfies { readonly [Name in OperationName]?: readonly ResourceAddress<FieldOf<Input<Name>>>[] };

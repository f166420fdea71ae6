// Addresses over HTTP and their fields that several operations share. Resources have names of their own for fields.
export const PROJECT_PATH = '/api/projects/:project';
export const PROPOSALS_PATH = `${PROJECT_PATH}/casting/proposals`;
export const PROPOSAL_PATH = `${PROPOSALS_PATH}/:proposal`;
export const MEMBERS_PATH = `${PROJECT_PATH}/team/members`;
export const MEMBER_PATH = `${MEMBERS_PATH}/:member`;
export const SYNC_PATH = `${PROJECT_PATH}/team/sync`;
export const DECISIONS_PATH = `${PROJECT_PATH}/decisions`;
export const INBOX_PATH = `${DECISIONS_PATH}/inbox`;
export const MEMORY_PATH = `${PROJECT_PATH}/memory`;
export const SESSIONS_PATH = `${PROJECT_PATH}/sessions`;

/** Fields of every proposal. */
export const WISH_FIELDS = ['universe', 'seed', 'intent'] as const;
export const PROPOSAL_PARAMS = [['proposal', 'proposal_id']] as const;
export const ROLE_FIELDS = [
  ['archetype_id', 'archetype'],
  ['role_id', 'archetype'],
] as const;
/** Fields that select a blueprint. No file path: an HTTP client sends the blueprint itself. */
export const BLUEPRINT_FIELDS = [['blueprint_id', 'id'], 'blueprint'] as const;

export const catalogAddresses = <const Kind extends string>(kind: Kind) =>
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

export const textAddress = <const Part extends 'charter' | 'history'>(part: Part) =>
  ({
    method: 'GET',
    path: `${MEMBER_PATH}/${part}`,
    summary: `The ${part} of a member.`,
    params: ['member'],
    answer: { pick: [part], missing: `The member has no ${part}.` },
  }) as const;

import { TroupeError } from '#kernel/errors.js';
import type { Output } from '#operations/map.js';
import type { ProjectRoute, RouteRequest } from '#surfaces/http/project-routes.js';
import { renamed } from './field-names.js';

const PROJECT = '/api/projects/:project';
const DECISIONS = `${PROJECT}/decisions`;
const INBOX = `${DECISIONS}/inbox`;
const MEMORY = `${PROJECT}/memory`;
const SESSIONS = `${PROJECT}/sessions`;

/** Routes for a team's memory as resources of a project. */
export const MEMORY_ROUTES: readonly ProjectRoute[] = [
  {
    method: 'GET',
    path: DECISIONS,
    summary: 'The decisions of the team.',
    plan: ({ query }) => ({ name: 'decision.list', input: listed(query, ['status']) }),
  },
  {
    method: 'POST',
    path: DECISIONS,
    summary: 'Records a decision.',
    status: 201,
    plan: ({ body }) => ({
      name: 'decision.add',
      input: renamed(body, same('title', 'type', 'content', 'rationale', 'agent', 'supersedes')),
    }),
  },
  {
    method: 'PUT',
    path: `${DECISIONS}/:number`,
    summary: 'Archives a decision.',
    plan: (request) => {
      // A decision can otherwise end only by another decision that supersedes it.
      if (request.body['status'] !== 'archived' || Object.keys(request.body).length > 1)
        throw new TroupeError('bad_input', {
          what: 'Of a decision only the status can be set, to archived.',
          hint: 'POST one with supersedes to replace it.',
          details: { field: 'status' },
        });
      return { name: 'decision.archive', input: numbered(request) };
    },
  },
  {
    method: 'GET',
    path: INBOX,
    summary: 'The inbox: proposed decisions and memories.',
    plan: ({ query }) => ({ name: 'inbox.list', input: listed(query, ['status']) }),
  },
  {
    method: 'POST',
    path: INBOX,
    summary: 'Proposes a decision.',
    status: 201,
    plan: ({ body }) => ({
      name: 'inbox.add',
      input: renamed(body, same('agent', 'title', 'slug', 'type', 'content', 'rationale')),
    }),
  },
  {
    method: 'POST',
    path: `${INBOX}/:number/merge`,
    summary: 'Accepts an entry of the inbox.',
    plan: (request) => ({ name: 'inbox.merge', input: { ...renamed(request.body, {}), ...numbered(request) } }),
  },
  {
    method: 'POST',
    path: `${INBOX}/:number/reject`,
    summary: 'Rejects an entry of the inbox.',
    plan: (request) => ({
      name: 'inbox.reject',
      input: { ...renamed(request.body, same('reason')), ...numbered(request) },
    }),
  },
  {
    method: 'GET',
    path: MEMORY,
    summary: 'The memories of the team.',
    plan: ({ query }) => ({ name: 'memory.list', input: listed(query, ['agent', 'type']) }),
  },
  {
    method: 'POST',
    path: MEMORY,
    summary: 'Adds a memory.',
    status: 201,
    plan: ({ body }) => ({ name: 'memory.add', input: renamed(body, same('agent', 'content', 'type', 'importance')) }),
  },
  {
    method: 'POST',
    path: `${MEMORY}/import`,
    summary: 'Imports the files of the inbox.',
    plan: ({ body }) => ({ name: 'memory.import', input: renamed(body, {}) }),
  },
  {
    method: 'POST',
    path: `${MEMORY}/export`,
    summary: 'Writes the team memory to its files.',
    plan: ({ body }) => ({ name: 'memory.export', input: renamed(body, {}) }),
  },
  {
    method: 'GET',
    path: SESSIONS,
    summary: 'The sessions of the team.',
    plan: ({ query }) => ({ name: 'teamsession.list', input: listed(query, []) }),
  },
  {
    method: 'POST',
    path: SESSIONS,
    summary: 'Starts a session.',
    status: 201,
    plan: ({ body }) => ({ name: 'teamsession.start', input: renamed(body, same('focus', 'context')) }),
  },
  {
    method: 'GET',
    path: `${SESSIONS}/current`,
    summary: 'The session that is open.',
    plan: () => ({ name: 'teamsession.show', input: {} }),
    shape: ({ session }: Output<'teamsession.show'>) => {
      if (session === null) throw new TroupeError('not_found', { what: 'No session of the team is open.' });
      return session;
    },
  },
  {
    method: 'PUT',
    path: `${SESSIONS}/current`,
    summary: 'Changes or ends the session that is open.',
    plan: ({ body }) => ({ name: 'teamsession.change', input: renamed(body, same('focus', 'context', 'end')) }),
  },
];

const same = (...fields: string[]) => Object.fromEntries(fields.map((field) => [field, field]));

/** Converts the query parameters that a list supports; `limit` is parsed as a number. */
function listed(query: RouteRequest['query'], fields: readonly string[]) {
  const { limit, ...rest } = renamed(query, same('limit', ...fields));
  return { ...rest, ...(limit === undefined ? {} : { limit: Number(limit) }) };
}

/** Parses the number in an address; other text matches nothing. */
function numbered({ params }: RouteRequest) {
  const { number = '' } = params;
  if (!/^[1-9]\d{0,8}$/.test(number)) throw new TroupeError('not_found', { what: 'There is no such number.' });
  return { number: Number(number) };
}

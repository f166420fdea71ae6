import { OPERATIONS, UNLISTED } from '#operations/table.js';
import type { ResourceRoute } from './resource-routes.js';

/** Addresses that the server handles itself, for the reference; `server.ts` has a handler for each. */
export const SERVER_ADDRESSES = [
  {
    method: 'POST',
    path: '/api/session',
    summary: 'Redeems a one-time link: `{"code"}` in, a session cookie out. For browsers only.',
  },
  {
    method: 'DELETE',
    path: '/api/session',
    summary: 'Logs this browser out. `troupe dashboard --logout` logs out all.',
  },
  {
    method: 'GET',
    path: '/api/project',
    summary: 'The project’s name and folder, and the number of active runs.',
  },
  { method: 'GET', path: '/api/artifacts/:id', summary: 'An artifact of a team, byte for byte, as an attachment.' },
  { method: 'GET', path: '/api/openapi.json', summary: 'This API as an OpenAPI 3.1 document.' },
  {
    method: 'GET',
    path: '/api/events',
    summary:
      'Server-sent events, one for each entry of the log from `from` on: `{"seq", "op", "task_id"}`. `Last-Event-ID` resumes.',
  },
] as const;

/** Resource addresses, from the field `resource` of the operations. */
export const RESOURCE_ROUTES: readonly ResourceRoute[] = [...OPERATIONS, ...UNLISTED].flatMap(
  ({ name: operation, resource = [] }) => resource.map((address) => ({ ...address, operation })),
);

import type { JsonObject } from '#kernel/json.js';

const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });
const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});
const whole = { type: 'integer', minimum: 0 };
const engine = object({
  state: { type: 'string', enum: ['running', 'paused', 'stopping', 'stopped'] },
  running: whole,
  cap: whole,
  away: whole,
});
const project = object({
  project: object({ name: { type: 'string' }, folder: { type: 'string' } }),
  engine,
  visitor: { type: 'string', enum: ['person', 'leader', 'member', 'observer', 'run'] },
});
const inPath = (name: string, schema: JsonObject, description: string): JsonObject => ({
  ...{ name, in: 'path', required: true, description, schema },
});

/** Parts of the OpenAPI document for the addresses that the server handles itself, by method and path. */
export const SERVER_OPERATIONS: Readonly<Record<string, JsonObject>> = {
  'POST /api/session': {
    security: [],
    parameters: [
      {
        ...{ name: 'Origin', in: 'header', required: true, schema: { type: 'string' } },
        description: 'The address of this server: a login is for pages only.',
      },
    ],
    requestBody: { required: true, content: json(object({ code: { type: 'string', minLength: 1 } })) },
    responses: {
      204: {
        description: 'Logged in.',
        headers: { 'Set-Cookie': { description: 'The session cookie.', schema: { type: 'string' } } },
      },
    },
  },
  'DELETE /api/session': { responses: { 204: { description: 'Logged out.' } } },
  'GET /api/project': { responses: { 200: { description: 'The project.', content: json(project) } } },
  'GET /api/artifacts/:id': {
    parameters: [inPath('id', { type: 'string', minLength: 1 }, 'The artifact.')],
    responses: { 200: { description: 'The bytes, in the type they were stored with.', content: { '*/*': {} } } },
  },
  'GET /api/openapi.json': {
    responses: { 200: { description: 'This document.', content: json({ type: 'object' }) } },
  },
  'GET /api/events': {
    parameters: [
      {
        ...{ name: 'from', in: 'query', schema: { type: 'integer', minimum: 0, maximum: 999_999_999_999_999 } },
        description: 'The first entry wanted. Needed without Last-Event-ID.',
      },
      {
        ...{ name: 'Last-Event-ID', in: 'header', schema: { type: 'string', pattern: '^[0-9]{1,15}$' } },
        description: 'The last event that was read: the stream goes on after it.',
      },
    ],
    responses: {
      200: {
        description:
          'Each event has the `seq` as its id and `{"seq", "op", "task_id"}` as its data. An event of the type `end` has a refusal as its data: the secret expired or was revoked.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
    },
  },
};

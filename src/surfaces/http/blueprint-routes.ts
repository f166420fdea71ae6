import type { ProjectRoute } from '#surfaces/http/project-routes.js';
import { renamed } from './field-names.js';

/** Fields that select a blueprint. No file path: an HTTP client sends the blueprint itself. */
const WHICH = { blueprint_id: 'id', blueprint: 'blueprint' };

/** Routes that draft a blueprint from text, show blueprints, and start a project with one. */
export const BLUEPRINT_ROUTES: readonly ProjectRoute[] = [
  {
    method: 'GET',
    path: '/api/catalog/blueprints',
    summary: 'The blueprints.',
    plan: () => ({ name: 'blueprint.list', input: {} }),
  },
  {
    method: 'GET',
    path: '/api/catalog/blueprints/:id',
    summary: 'One blueprint.',
    plan: ({ params }) => ({ name: 'blueprint.show', input: { id: params['id'] } }),
  },
  {
    method: 'POST',
    path: '/api/blueprints/generate',
    summary: 'Generates a blueprint from a description; nothing is stored.',
    plan: ({ body }) => {
      const fields = { description: 'description', team_size: 'size', offline: 'offline' };
      return { name: 'blueprint.generate', input: renamed(body, fields) };
    },
  },
  {
    method: 'POST',
    path: '/api/blueprints/validate',
    summary: 'Whether a blueprint is valid, with all errors.',
    plan: ({ body }) => ({ name: 'blueprint.validate', input: renamed(body, WHICH) }),
  },
  {
    method: 'POST',
    path: '/api/projects/:project/blueprint',
    summary: 'Applies a blueprint: its team, workflow and rules.',
    status: 201,
    plan: ({ body }) => {
      const fields = { ...WHICH, intent: 'intent', universe: 'universe', seed: 'seed' };
      return { name: 'blueprint.apply', input: renamed(body, fields) };
    },
  },
];

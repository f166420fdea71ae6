import { faces } from '#operations/face.js';

/** What files look like, as seen from outside. */
export const FORMAT_FACES = faces([
  {
    name: 'format.schema',
    command: 'schema',
    group: 'Data',
    kind: 'read',
    where: 'caller',
    place: 'here',
    summary: 'Show the JSON Schema of a kind of file, or which kinds there are',
    arguments: [{ field: 'name', summary: 'Which; without it they are listed' }],
    examples: ['troupe schema', 'troupe schema task --json'],
    load: () => import('./schema.js').then((module) => module.schema),
  },
]);

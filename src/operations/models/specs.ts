import { operationSpecs } from '#operations/operation-spec.js';

export const MODEL_SPECS = operationSpecs([
  {
    name: 'model.who',
    command: 'model who',
    group: 'Settings',
    kind: 'read',
    where: 'caller',
    graphless: true,
    summary: 'Show which model would be asked for a purpose, without asking it',
    arguments: [{ field: 'purpose', summary: 'casting, evaluator, assigner, triage, placing …', required: true }],
    options: [
      { flag: 'provider', field: 'provider', type: 'text', value: 'NAME', summary: 'Assume this provider' },
      { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'Assume this model' },
    ],
    examples: ['troupe model who casting', 'troupe model who evaluator --json'],
    load: () => import('./ask.js').then((module) => module.modelWho),
  },
]);

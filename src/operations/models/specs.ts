import { operationSpecs } from '#operations/operation-spec.js';

export const MODEL_SPECS = operationSpecs([
  {
    name: 'model.who',
    command: 'model who',
    group: 'Settings',
    kind: 'read',
    where: 'caller',
    graphless: true,
    summary: 'Say which model Troupe would ask for a purpose; nothing is asked',
    arguments: [{ field: 'purpose', summary: 'casting, evaluator, assigner, triage, placing …', required: true }],
    options: [
      { flag: 'provider', field: 'provider', type: 'text', value: 'NAME', summary: 'As if this provider were named' },
      { flag: 'model', field: 'model', type: 'text', value: 'MODEL', summary: 'As if this model were named' },
    ],
    examples: ['troupe model who casting', 'troupe model who evaluator --json'],
    load: () => import('./ask.js').then((module) => module.modelWho),
  },
]);

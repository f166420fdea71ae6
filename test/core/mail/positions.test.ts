import { expect } from 'vitest';
import { humansIn, slug } from '#core/mail/config-tree.js';
import { deriveProjectRoster, deriveWorkgroupRoster } from '#core/mail/derive.js';
import { effectiveRoster } from '#core/mail/effective.js';
import { verifies } from '../../verifies.js';
import { catalogued, project, workgroup } from './tree.js';

verifies('roster.humans', 'both forms of people are one list: the decider, then advisors, then those informed', () => {
  const list = [
    { name: 'Ida', role: 'informed' },
    { name: 'Ann', role: 'decider' },
  ] as const;
  expect([null, undefined, [], [...list]].map(humansIn)).toEqual([[], [], [], list]);
  expect(humansIn({ inform: ['Ida', 'Bo'], advisors: ['Pia'], decider: 'Ann' })).toEqual([
    { name: 'Ann', role: 'decider' },
    { name: 'Pia', role: 'advisor' },
    { name: 'Ida', role: 'informed' },
    { name: 'Bo', role: 'informed' },
  ]);
  expect(humansIn({ decider: null, advisors: null })).toEqual([]);
  expect(humansIn({ advisors: ['Pia'] })).toEqual([{ name: 'Pia', role: 'advisor' }]);
});

verifies('roster.requestor.inject', 'the position of a requestor follows from its id', () => {
  const derived = deriveWorkgroupRoster(workgroup('W'), 'P');
  const position = (id: string) =>
    effectiveRoster({ derived, listener: true, requestor: { name: 'asks', id }, humans: [] }).get('asks')?.position;
  expect(['om', 'om/auditor', 'p/lead', 'p/w/lead', 'p/w/developer', 'human/ann'].map(position)).toEqual([
    { kind: 'agent', scope: '' },
    { kind: 'agent', scope: 'om' },
    { kind: 'project-lead', scope: 'p' },
    { kind: 'workgroup-lead', scope: 'p/w' },
    { kind: 'agent', scope: 'p/w' },
    { kind: 'agent', scope: 'human' },
  ]);
});

verifies('roster.project.members', 'a workgroup lead has the prompt of its agent file, if it has one', () => {
  const agentFiles = new Map([['keeper', { description: 'Keeps.', prompt: 'Keep it.' }]]);
  const workgroups = [
    workgroup('Doors', { lead: 'keeper', agentFiles, description: 'All doors.' }),
    workgroup('Roof', { lead: 'thatcher', agentFiles, ref: 'top' }),
  ];
  const { owner, roster, warnings } = deriveProjectRoster(
    project('House', { catalogue: workgroups.map((one) => catalogued(one)), memberWorkgroups: ['doors', ' Top '] }),
  );
  expect([owner, warnings, [...roster]]).toEqual([
    'house/lead',
    [],
    [
      [
        'keeper',
        {
          description: 'All doors.',
          position: { kind: 'workgroup-lead', scope: 'house/doors' },
          prompt: 'Keep it.',
        },
      ],
      ['thatcher', { description: 'Roof', position: { kind: 'workgroup-lead', scope: 'house/top' } }],
    ],
  ]);
  expect(() => slug('a/b')).toThrow(expect.objectContaining({ code: 'config_invalid' }));
});

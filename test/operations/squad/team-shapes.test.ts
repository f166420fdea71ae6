import { expect } from 'vitest';
import type { CastMember } from '#core/squad/team.js';
import { memberAnswer } from '#operations/squad/team-shapes.js';
import { verifies } from '../../verifies.js';

verifies('test.bites', 'a member is answered with its model and its agent where it has them', () => {
  const member: CastMember = {
    name: 'Ripley',
    slug: 'ripley',
    memberId: 'm-1',
    archetypeId: 'lead-architect',
    roleTitle: 'Lead',
    status: 'Active',
    builtIn: false,
    charterPath: '.squad/agents/ripley/charter.md',
  };
  const answer = {
    ...{ name: 'Ripley', slug: 'ripley', member_id: 'm-1', archetype_id: 'lead-architect', role_title: 'Lead' },
    ...{ status: 'Active', built_in: false, charter_path: '.squad/agents/ripley/charter.md' },
  };
  expect(memberAnswer(member)).toEqual(answer);
  expect(Object.keys(memberAnswer(member))).toEqual(Object.keys(answer));
  expect(memberAnswer({ ...member, defaultModel: 'opus' })).toEqual({ ...answer, default_model: 'opus' });
  expect(memberAnswer({ ...member, agentId: 'a-1' })).toEqual({ ...answer, agent_id: 'a-1' });
});

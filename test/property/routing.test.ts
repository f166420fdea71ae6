import fc from 'fast-check';
import { expect } from 'vitest';
import { type Conversation, MAIL_VIEW, type MailAnswers } from '#core/mail/conversation.js';
import { participantId } from '#core/mail/derive.js';
import { directoryOf, rosterOf } from '#core/mail/directory.js';
import { send } from '#core/mail/send.js';
import { standingsOf } from '#core/mail/standings.js';
import { TroupeError } from '#kernel/errors.js';
import { answered } from '../answered.js';
import { catalogued, project, tree, workgroup } from '../core/mail/tree.js';
import { mass } from '../mass.js';
import { verifies } from '../verifies.js';

const NAMES = ['ada', 'bo', 'cy', 'di', 'eve'];
const name = fc.constantFrom(...NAMES);
const names = fc.uniqueArray(name, { maxLength: 4 });

const workgroups = fc.array(fc.record({ lead: name, agents: names, member: fc.boolean() }), { maxLength: 3 });
const organisation = fc.record({
  agents: names,
  projects: fc.array(fc.record({ lead: name, groups: workgroups }), { maxLength: 3 }),
  decider: fc.option(fc.constantFrom('Ann', 'Bo'), { nil: undefined }),
});
const teams = fc.array(fc.record({ mesh: fc.boolean(), members: fc.uniqueArray(name, { minLength: 1 }) }), {
  maxLength: 2,
});

function directoryFrom(
  { agents, projects, decider }: typeof organisation extends fc.Arbitrary<infer Of> ? Of : never,
  kept: typeof teams extends fc.Arbitrary<infer Of> ? Of : never,
) {
  const standings = standingsOf(
    tree({
      humans: decider === undefined ? [] : [{ name: decider, role: 'decider' }],
      memberAgents: agents,
      projects: projects.map(({ lead, groups }, index) => {
        const catalogue = groups.map((group, at) =>
          workgroup(`group-${at}`, { lead: group.lead, agents: group.agents }),
        );
        const memberWorkgroups = catalogue.filter((_, at) => groups[at]?.member).map((group) => group.name);
        const of = { lead, catalogue: catalogue.map((group) => catalogued(group)), memberWorkgroups };
        return { name: `p${index}`, project: project(`p${index}`, of) };
      }),
    }),
  );
  return directoryOf(
    standings,
    kept.map(({ mesh, members }, index) => ({
      ...{ id: undefined, name: `Team ${index}`, leader: members[0] ?? '', mesh, people: [], humans: [] },
      members: members.map((slug) => ({ slug, name: slug, roleTitle: '', charter: undefined })),
    })),
  );
}

verifies(
  ['roster.one-source', 'roster.listener', 'sec.mail'],
  'whoever is in the roster that prompts and clients are given can be sent to, and nobody else',
  () => {
    let [accepted, refused] = [0, 0];
    const property = fc.property(organisation, teams, (of, kept) => {
      const directory = directoryFrom(of, kept);
      for (const from of directory.values()) {
        for (const requestor of [undefined, 'human/zoe', ...directory.keys()].slice(0, 5)) {
          const roster = rosterOf(directory, from, requestor);
          expect(from.listener || roster.size === 0).toBe(true);
          const reachable = new Set([...roster].map(([key, entry]) => participantId(key, entry)));
          const view = asked(from.id, requestor);
          for (const to of [...directory.keys(), 'human/ann', 'human/bo', 'nobody/at-all']) {
            const [why, expected] = [sent(view, from.id, to), reachable.has(to) ? 'queued' : undefined];
            if (expected) accepted++;
            else refused++;
            if (expected) expect(why, `${from.id} to ${to}`).toBe(expected);
            else expect(['no_listener', 'routing_refused', 'unresolved_member'], `${from.id} to ${to}`).toContain(why);
          }
        }
      }
      function sent(answers: MailAnswers, from: string, to: string): string {
        const speaker = { id: from, by: 'run', task: 'a', fence: 1 };
        const call = { directory, at: 1, messageId: 'm', text: 'x', conversation: undefined, most: 3 };
        try {
          answered(send(MAIL_VIEW, { ...call, speaker, to, uuid: '0' }), answers);
          return 'queued';
        } catch (error) {
          if (!(error instanceof TroupeError)) throw error;
          return error.code;
        }
      }
    });
    fc.assert(property, { seed: 13, numRuns: mass(12, 200) });
    expect(Math.min(accepted, refused)).toBeGreaterThan(100);
  },
);

/** A run of this agent, whose work somebody asked for. */
function asked(recipient: string, initiator: string | undefined): MailAnswers {
  const own: Conversation | undefined =
    initiator === undefined
      ? undefined
      : {
          ...{ id: 'agent:own', teamId: null, parentId: null, initiator, recipient, kind: 'work', openedBy: 'b' },
          ...{ taskId: 'a', state: 'active', round: 1, depth: 1, turn: 1, createdAt: 1 },
        };
  return {
    ...{ conversation: () => undefined, ofTask: () => own, openedBy: () => [], latestRound: () => 0 },
    unreadAtLeast: () => undefined,
    ...{ unreadTalk: () => 0, message: () => undefined, lastNumber: () => 0, teamStatus: () => 'active' as const },
  };
}

import { type Closed, reply } from '#core/mail/close.js';
import { type MailPlan, type MailView, OWN_CONVERSATION } from '#core/mail/conversation.js';
import { type Directory, directoryOf } from '#core/mail/directory.js';
import { type Sent, type Speaker, send } from '#core/mail/send.js';
import { standingsOf } from '#core/mail/standings.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Queried } from '#kernel/query.js';
import { seedTree } from './tree.js';

/**
 * The organisation of the seed, with Ann as decider, Ben as advisor, and a stored team whose members may all write to
 * each other.
 */
export const DIRECTORY: Directory = directoryOf(
  standingsOf({
    ...seedTree(),
    humans: [
      { name: 'Ann', role: 'decider' },
      { name: 'Ben', role: 'advisor' },
    ],
  }),
  [
    {
      ...{ id: 't-1', name: 'Airlock', leader: 'ripley', mesh: true, humans: [] },
      members: ['ripley', 'hicks', 'drake', 'vasquez'].map((slug) => ({
        slug,
        name: slug,
        roleTitle: '',
        charter: undefined,
      })),
      people: [{ slug: 'vasquez', agent: undefined, person: undefined, paused: true }],
    },
  ],
);

export const PERSON: Speaker = { id: 'human/ann', by: 'ann', task: undefined, fence: undefined };

export function run(id: string, task: string, fence = 1): Speaker {
  return { id, by: `run-of-${task}`, task, fence };
}

/** Calls of one test, each with its own id and time. */
export class Calls {
  private made = 0;
  readonly directory: Directory;

  constructor(directory: Directory = DIRECTORY) {
    this.directory = directory;
  }

  next() {
    this.made++;
    return { directory: this.directory, at: 1_000 + this.made, messageId: `m-${this.made}` };
  }

  send(speaker: Speaker, to: string, more: { text?: string; conversation?: string; most?: number } = {}) {
    const { text = 'do it', conversation, most = TEAM_LIMITS.conversationsOpen } = more;
    const call = this.next();
    // A task is named by the first twelve digits.
    const uuid = `${String(this.made).padStart(8, '0')}-0000-4000-8000-000000000000`;
    return (view: MailView): Queried<MailPlan<Sent>> =>
      send(view, { ...call, speaker, to, text, conversation, uuid, most });
  }

  reply(speaker: Speaker, text = 'done', conversation = OWN_CONVERSATION) {
    const call = this.next();
    return (view: MailView): Queried<MailPlan<Closed>> =>
      reply(view, { ...call, speaker, text, conversation, type: 'reply' });
  }
}

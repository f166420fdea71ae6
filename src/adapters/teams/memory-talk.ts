import type { Recipient, TeamMessage } from '#core/teams/mail.js';
import type { Session } from '#core/teams/session.js';
import type { Strata } from '#core/teams/strata.js';
import type { MailRead, TalkRows, TalkView, WakeUp } from '#core/teams/talk.js';

/** What teams said and planned, as long as this process lives. */
export class MemoryTalk {
  private readonly strataRows: Strata[] = [];
  private readonly messages: TeamMessage[] = [];
  private readonly wakeUps: WakeUp[] = [];
  private readonly used = new Map<string, string>();
  private readonly sessionRows = new Map<string, Session>();

  view(teamId: string): TalkView {
    const { wakeUps } = this;
    return {
      strata: this.strata(teamId),
      last: this.chat(teamId).length,
      message: (id) => this.messages.find((message) => message.id === id),
      threadLength: (thread) => this.messages.filter((message) => message.thread === thread).length,
      wakeUp: (task) => wakeUps.find((one) => one.task === task),
      wakeUpsOf: (origin) => wakeUps.filter((one) => one.origin === origin).length,
      wakeUpsBy: (cause) => wakeUps.filter((one) => one.cause === cause).length,
      latestTurn: (member) => this.turns(teamId, member)[0]?.task,
      session: (id) => this.sessions(teamId).find((session) => session.id === id),
    };
  }

  write({ strata, messages, wakeUps, sessions, reads, inUse }: TalkRows): void {
    for (const row of strata) {
      const at = this.strataRows.findIndex(({ teamId, version }) => teamId === row.teamId && version === row.version);
      this.strataRows.splice(at === -1 ? this.strataRows.length : at, 1, row);
    }
    for (const message of messages) this.messages.push({ ...message, number: this.chat(message.teamId).length + 1 });
    this.wakeUps.push(...wakeUps);
    for (const session of sessions) this.sessionRows.set(session.id, session);
    for (const read of reads)
      this.messages.forEach((message, place) => {
        this.messages[place] = withRead(message, read);
      });
    for (const { person, teamId } of inUse) this.used.set(person, teamId);
  }

  inUse(person: string): string | undefined {
    return this.used.get(person);
  }

  strata(teamId: string): readonly Strata[] {
    return this.strataRows.filter((row) => row.teamId === teamId);
  }

  chat(teamId: string): readonly TeamMessage[] {
    return this.messages.filter((message) => message.teamId === teamId);
  }

  mail(teamId: string, member: string): readonly TeamMessage[] {
    return this.chat(teamId).filter(({ recipients }) => recipients.some((one) => one.member === member));
  }

  /** The latest first. */
  turns(teamId: string, member: string): readonly WakeUp[] {
    return this.wakeUps.filter((one) => one.teamId === teamId && one.member === member).reverse();
  }

  /** The latest first. */
  sessions(teamId: string): readonly Session[] {
    return [...this.sessionRows.values()].filter((session) => session.teamId === teamId).reverse();
  }
}

function withRead(message: TeamMessage, { teamId, member, until, at }: MailRead): TeamMessage {
  if (message.teamId !== teamId || message.createdAt > until) return message;
  const read = (one: Recipient) => (one.member === member && one.readAt === null ? { ...one, readAt: at } : one);
  return { ...message, recipients: message.recipients.map(read) };
}

import { MemoryAnswers } from '#adapters/teams-database/memory-answers.js';
import type { MemoryOutbox } from '#adapters/teams-database/memory-outbox.js';
import {
  type BusMessage,
  type BusPlan,
  type BusView,
  type Conversation,
  isAwaited,
  isOpen,
} from '#core/bus/conversation.js';
import type { TeamStatus } from '#core/teams/team.js';
import type { KnownRequest } from '#kernel/request.js';
import type { BusStore, Mail, TaskMail, Undelivered, UnreadMail } from '#ports/bus-store.js';

interface Kept {
  readonly message: BusMessage & { readonly number: number };
  shownTo: number | null;
  read: boolean;
}

/** Conversations as long as this process lives. */
export class MemoryBusStore implements BusStore {
  private readonly answers = new MemoryAnswers();
  private readonly all = new Map<string, Conversation>();
  private readonly kept = new Map<string, Kept>();
  private readonly cursors = new Map<string, number>();
  private readonly outbox: MemoryOutbox;
  private readonly teamStatus: (id: string) => TeamStatus | undefined;

  constructor(outbox: MemoryOutbox, teamStatus: (id: string) => TeamStatus | undefined) {
    this.outbox = outbox;
    this.teamStatus = teamStatus;
  }

  changeOnce<Result>(request: KnownRequest, decide: (view: BusView) => BusPlan<Result>): Promise<Result> {
    return this.answers.once(request, () => this.change(decide));
  }

  async change<Result>(decide: (view: BusView) => BusPlan<Result>): Promise<Result> {
    const { conversations, messages, cursors, outbox, result } = decide(this.view());
    for (const conversation of conversations) this.all.set(conversation.id, conversation);
    for (const message of messages) {
      const number = this.of(message.conversation).length + 1;
      this.kept.set(message.id, { message: { ...message, number }, shownTo: null, read: false });
    }
    for (const { reader, conversation, to } of cursors) this.move(reader, conversation, to);
    this.outbox.write(outbox);
    return result;
  }

  async conversation(id: string): Promise<Conversation | undefined> {
    return this.all.get(id);
  }

  async ofTask(task: string): Promise<Conversation | undefined> {
    return this.view().ofTask(task);
  }

  async conversations(member: string | undefined, limit: number): Promise<readonly Conversation[]> {
    const mine = [...this.all.values()].filter(
      ({ initiator, recipient }) => member === undefined || [initiator, recipient].includes(member),
    );
    const latest = mine.reverse().sort((left, right) => right.createdAt - left.createdAt);
    return [...latest.filter(isOpen), ...latest.filter((one) => !isOpen(one))].slice(0, limit);
  }

  async open(): Promise<readonly Conversation[]> {
    return [...this.all.values()].filter(isOpen);
  }

  async inbox(member: string, { task, limit }: { readonly task?: string; readonly limit: number }) {
    return this.unread()
      .filter(({ message }) => message.to === member && (task === undefined || message.toTask === task))
      .slice(0, limit)
      .map((kept) => this.mailOf(kept));
  }

  async messages(conversation: string, { after, limit }: { readonly after: number; readonly limit: number }) {
    return this.of(conversation)
      .filter(({ message }) => message.number > after)
      .slice(0, limit)
      .map((kept) => this.mailOf(kept));
  }

  async cursor(reader: string, conversation: string): Promise<number> {
    return this.cursors.get(`${reader} ${conversation}`) ?? 0;
  }

  async show(task: string, fence: number, messages: readonly string[]): Promise<void> {
    for (const id of messages) {
      const kept = this.kept.get(id);
      if (kept?.message.toTask === task) kept.shownTo = fence;
    }
  }

  async commitTurn(task: string, fence: number): Promise<void> {
    for (const { message } of this.unread().filter((kept) => kept.message.toTask === task && kept.shownTo === fence))
      this.move(message.to, message.conversation, message.number);
  }

  async taskMail(): Promise<readonly TaskMail[]> {
    const mail = new Map<string, { open: number; unread: UnreadMail[] }>();
    const of = (task: string) => {
      const entry = mail.get(task) ?? { open: 0, unread: [] };
      mail.set(task, entry);
      return entry;
    };
    for (const one of this.all.values())
      if (one.openedBy !== null && isOpen(one) && isAwaited(one)) of(one.openedBy).open++;
    for (const { message, shownTo } of this.unread()) {
      if (message.toTask === null) continue;
      const isQuestion = this.all.get(message.conversation)?.kind === 'question';
      of(message.toTask).unread.push({
        shownTo,
        asked: message.type === 'message' && (isQuestion || message.number > 1),
      });
    }
    return [...mail].map(([task, entry]) => ({ task, ...entry }));
  }

  async undelivered(limit: number): Promise<readonly Undelivered[]> {
    return this.unread()
      .slice(0, limit)
      .map(({ message: { id, conversation, to, toTask, created_at: at } }) => {
        const state = this.all.get(conversation)?.state ?? 'closed';
        return { message: id, conversation, member: to, task: toTask, state, at, quarantined: false };
      });
  }

  async close(): Promise<void> {
    this.all.clear();
    this.kept.clear();
  }

  private view(): BusView {
    const all = [...this.all.values()];
    return {
      conversation: (id) => this.all.get(id),
      ofTask: (task) => all.find(({ kind, taskId }) => kind === 'work' && taskId === task),
      openedBy: (task) => all.filter((one) => one.openedBy === task && isOpen(one)),
      latestRound: (task) => Math.max(0, ...all.filter((one) => one.openedBy === task).map(({ round }) => round)),
      unread: (member) => this.unread().filter(({ message }) => message.to === member).length,
      message: (id) => {
        const message = this.kept.get(id)?.message;
        return message && { ...message, to: [message.to] };
      },
      lastNumber: (id) => this.of(id).length,
      teamStatus: this.teamStatus,
    };
  }

  private of(conversation: string): Kept[] {
    return [...this.kept.values()].filter(({ message }) => message.conversation === conversation);
  }

  private unread(): Kept[] {
    return [...this.kept.values()].filter(({ read }) => !read);
  }

  private move(reader: string, conversation: string, to: number): void {
    const key = `${reader} ${conversation}`;
    this.cursors.set(key, Math.max(to, this.cursors.get(key) ?? 0));
    for (const kept of this.of(conversation))
      if (kept.message.to === reader && kept.message.number <= to) kept.read = true;
  }

  private mailOf({ message }: Kept): Mail {
    const { to: _to, toTask: _toTask, ...mail } = message;
    return { ...mail, kind: this.all.get(message.conversation)?.kind ?? 'work' };
  }
}

import { MemoryAnswers } from '#adapters/teams-database/memory-answers.js';
import type { MemoryOutbox } from '#adapters/teams-database/memory-outbox.js';
import { type Artifact, checkedArtifact, labelOf, stateAfter } from '#core/teams/artifacts.js';
import type { TeamPlan, TeamsView } from '#core/teams/changes.js';
import type { Session } from '#core/teams/session.js';
import type { Strata } from '#core/teams/strata.js';
import { summaryOf, type Team, type TeamLabel, type TeamStatus, type TeamSummary } from '#core/teams/team.js';
import type { TeamEvent } from '#core/teams/team-events.js';
import { compareText } from '#kernel/order.js';
import type { KnownRequest } from '#kernel/request.js';
import type { TeamStore } from '#ports/team-store.js';
import { MemoryTalk } from './memory-talk.js';

/** Teams as long as this process lives. */
export class MemoryTeamStore implements TeamStore {
  private readonly answers = new MemoryAnswers();
  private readonly teams = new Map<string, Team>();
  private readonly log: TeamEvent[] = [];
  private readonly talk = new MemoryTalk();
  private cursor: number | undefined;
  private readonly kept = new Map<string, Artifact>();
  private readonly outbox: MemoryOutbox;

  constructor(outbox: MemoryOutbox) {
    this.outbox = outbox;
  }

  changeOnce<Result>(request: KnownRequest, decide: (view: TeamsView) => TeamPlan<Result>): Promise<Result> {
    return this.answers.once(request, () => this.change(decide));
  }

  async change<Result>(decide: (view: TeamsView) => TeamPlan<Result>): Promise<Result> {
    const { team, events, outbox, talk, artifacts, moves, followed, result } = decide({
      labels: this.all(),
      team: (id) => this.teams.get(id),
      talk: (id) => this.talk.view(id),
      followed: this.cursor,
    });
    if (team) this.teams.set(team.id, team);
    this.talk.write(talk);
    for (const event of events) this.log.push({ ...event, seq: this.log.length + 1 });
    for (const artifact of artifacts) this.kept.set(artifact.id, artifact);
    for (const move of moves) {
      for (const one of this.kept.values())
        this.kept.set(one.id, { ...one, state: stateAfter(one, move) ?? one.state });
    }
    this.cursor = followed ?? this.cursor;
    this.outbox.write(outbox);
    return result;
  }

  async getTeam(id: string): Promise<Team | undefined> {
    return this.teams.get(id);
  }

  async labels(): Promise<readonly TeamLabel[]> {
    return this.all();
  }

  async listTeams(limit: number): Promise<readonly TeamSummary[]> {
    const ended = ({ status }: Team) => Number(status !== 'active');
    const spoke = ({ id }: Team) => this.talk.chat(id).at(-1)?.createdAt ?? 0;
    const sorted = [...this.teams.values()].sort(
      (left, right) =>
        ended(left) - ended(right) ||
        spoke(right) - spoke(left) ||
        right.createdAt - left.createdAt ||
        compareText(left.id, right.id),
    );
    return sorted.slice(0, limit).map(summaryOf);
  }

  async events(teamId: string, options: { readonly after?: number; readonly limit: number }) {
    const { after, limit } = options;
    const events = this.log.filter((event) => event.teamId === teamId && event.seq > (after ?? 0));
    return after === undefined ? events.slice(-limit) : events.slice(0, limit);
  }

  async strata(teamId: string): Promise<readonly Strata[]> {
    return this.talk.strata(teamId);
  }

  async chat(teamId: string, options: { readonly after?: number; readonly limit: number }) {
    const { after, limit } = options;
    const messages = this.talk.chat(teamId).filter(({ number }) => number > (after ?? 0));
    return after === undefined ? messages.slice(-limit) : messages.slice(0, limit);
  }

  async mail(teamId: string, member: string, limit: number) {
    const messages = this.talk.mail(teamId, member).slice(-limit);
    return { messages, turns: this.talk.turns(teamId, member).slice(0, limit) };
  }

  async sessions(teamId: string, limit: number): Promise<readonly Session[]> {
    return this.talk.sessions(teamId).slice(0, limit);
  }

  async inUse(person: string): Promise<string | undefined> {
    return this.talk.inUse(person);
  }

  async followed(): Promise<number | undefined> {
    return this.cursor;
  }

  async artifact(id: string): Promise<Artifact | undefined> {
    const artifact = this.kept.get(id);
    return artifact && checkedArtifact(artifact);
  }

  async artifacts(teamId: string, options: { readonly task?: string; readonly limit: number }) {
    const { task, limit } = options;
    const all = [...this.kept.values()].filter((one) => one.teamId === teamId && (task ?? one.taskId) === one.taskId);
    return all.reverse().slice(0, limit).map(labelOf);
  }

  /** For those who decide in one step with it. */
  statusOf(id: string): TeamStatus | undefined {
    return this.teams.get(id)?.status;
  }

  private all(): readonly Team[] {
    return [...this.teams.values()];
  }

  async fault(): Promise<undefined> {
    return undefined;
  }

  async restore(): Promise<readonly string[]> {
    return [];
  }

  async close(): Promise<void> {
    this.teams.clear();
  }
}

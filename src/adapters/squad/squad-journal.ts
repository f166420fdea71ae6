import path from 'node:path';
import {
  ChangeJournal,
  type ChangeOutcome,
  type Commitment,
  type Turn,
  type WriteChange,
} from '#adapters/disk/change-journal.js';
import type { StepHook } from '#adapters/disk/recorded-files.js';
import { SeenFiles } from '#adapters/disk/seen-files.js';
import type { SquadTexts } from '#core/squad/file-change.js';
import { isSquadFile, REGISTRY_EVENTS } from '#core/squad/squad-paths.js';
import { type TeamChange, teamChangeOf } from '#core/squad/team-change.js';
import type { Clock } from '#kernel/clock.js';
import type { FileChange } from '#kernel/file-change.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import type { Processes } from '#ports/processes.js';
import type { TeamCommits, TeamFollower, TeamNews } from '#ports/squad-files.js';
import { readTexts } from './squad-reader.js';

export interface SquadParts {
  readonly clock: Clock;
  /** Called before every step of a write, so that tests can stop one there. */
  readonly step: StepHook;
  /** The log that commits changes of the team; where it has no end, their own records do. */
  readonly log: () => Promise<TeamCommits>;
  /** Those who keep something of the team elsewhere. They are made when a write is under way, not before. */
  readonly followers: () => Promise<readonly TeamFollower[]>;
}

/** The journal of the files of a squad, with what belongs to their changes elsewhere. */
export class SquadJournal {
  private readonly project: string;
  private readonly journal: ChangeJournal;
  private readonly clock: Clock;
  private readonly log: () => Promise<TeamCommits>;
  private readonly followers: () => Promise<readonly TeamFollower[]>;
  private readonly outcome: ChangeOutcome;

  /** `project` is absolute. */
  constructor(project: string, processes: Processes, parts: SquadParts) {
    this.project = project;
    const service = () => ({ root: project, folder: FROM_PROJECT.service });
    const place = { base: project, service, name: 'squad', modeOf: () => 0o666, mayWrite: isSquadFile };
    this.journal = new ChangeJournal(place, { processes, step: parts.step, clock: parts.clock });
    this.clock = parts.clock;
    this.log = parts.log;
    this.followers = parts.followers;
    this.outcome = {
      committed: async (name, from) => await (await this.log()).has(name, from),
      follow: (files) => this.follow(files),
    };
  }

  /** Every file casting looks at, as it is now. */
  async texts(): Promise<SquadTexts> {
    return await readTexts(this.project, new SeenFiles(this.clock));
  }

  isPending(): Promise<boolean> {
    return this.journal.isPending();
  }

  /** Runs `body` while nobody else, in this process or another, writes files of the squad. */
  locked<Result>(body: () => Promise<Result>): Promise<Result> {
    return this.journal.locked(body);
  }

  alone<Result>(turn: Turn, work: (write: WriteChange) => Promise<Result>): Promise<Result> {
    return this.journal.alone(this.outcome, turn, work);
  }

  /** Before anything is written: what commits the change. Whoever could not follow it refuses now. */
  async commitmentOf(
    changes: readonly FileChange[],
    onNews: (news: TeamNews) => void = () => undefined,
  ): Promise<Commitment> {
    const planned = teamChangeOf('', new Map(), changes);
    if (planned === undefined) return null;
    for (const follower of await this.followers()) await follower.prepare();
    const log = await this.log();
    const from = planned.snapshot === undefined ? undefined : await log.end();
    if (from === undefined) return null;
    const commit = async (name: string) => {
      const change = await this.teamChange(changes);
      if (change) onNews(await log.enter(change, name));
      return true;
    };
    return { from, commit };
  }

  /** The team as it stands, for those who lost what they had of it. It is told of no change. */
  async retell(): Promise<void> {
    await this.follow([{ kind: 'append', path: REGISTRY_EVENTS, idField: 'eventId', lines: [] }]);
  }

  private async follow(changes: readonly FileChange[]): Promise<void> {
    if (teamChangeOf('', new Map(), changes) === undefined) return;
    const change = await this.teamChange(changes);
    if (change) for (const follower of await this.followers()) await follower.follow(change);
  }

  /** From the files as they are after it. */
  private async teamChange(changes: readonly FileChange[]): Promise<TeamChange | undefined> {
    return teamChangeOf(path.basename(this.project), await this.texts(), changes);
  }
}

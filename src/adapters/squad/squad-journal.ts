import path from 'node:path';
import {
  ChangeJournal,
  type ChangeOutcome,
  type Commitment,
  type JournalLockMode,
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
import type { TeamCommits, TeamConsequences, TeamFollower } from '#ports/squad-files.js';
import { readTexts } from './squad-reader.js';

export interface SquadParts {
  readonly clock: Clock;
  /** Called before every step of a write; tests stop a process there. */
  readonly step: StepHook;
  /** Log that commits team changes; without a log end, the journal's records commit them. */
  readonly log: () => Promise<TeamCommits>;
  /** Followers that store team data elsewhere, created only for a write. */
  readonly followers: () => Promise<readonly TeamFollower[]>;
}

/** Journal of the squad's files and of related changes elsewhere. */
export class SquadJournal {
  private readonly project: string;
  private readonly journal: ChangeJournal;
  private readonly clock: Clock;
  private readonly log: () => Promise<TeamCommits>;
  private readonly followers: () => Promise<readonly TeamFollower[]>;
  private readonly outcome: ChangeOutcome;

  /** `project`: absolute path. */
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

  /** Present texts of all files used by casting. */
  async texts(): Promise<SquadTexts> {
    return await readTexts(this.project, new SeenFiles(this.clock));
  }

  isPending(): Promise<boolean> {
    return this.journal.isPending();
  }

  /** Runs `body` while no other caller or process writes files of the squad. */
  locked<Result>(body: () => Promise<Result>): Promise<Result> {
    return this.journal.locked(body);
  }

  alone<Result>(turn: JournalLockMode, work: (write: WriteChange) => Promise<Result>): Promise<Result> {
    return this.journal.alone(this.outcome, turn, work);
  }

  /** Prepares the commit of a change before anything is written. Throws if a follower cannot follow it. */
  async commitmentOf(
    changes: readonly FileChange[],
    onNews: (news: TeamConsequences) => void = () => undefined,
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

  /** Sends the present team to followers that lost their data, without a change. */
  async retell(): Promise<void> {
    await this.follow([{ kind: 'append', path: REGISTRY_EVENTS, idField: 'eventId', lines: [] }]);
  }

  private async follow(changes: readonly FileChange[]): Promise<void> {
    if (teamChangeOf('', new Map(), changes) === undefined) return;
    const change = await this.teamChange(changes);
    if (change) for (const follower of await this.followers()) await follower.follow(change);
  }

  /** Derives the team change from the files after it. */
  private async teamChange(changes: readonly FileChange[]): Promise<TeamChange | undefined> {
    return teamChangeOf(path.basename(this.project), await this.texts(), changes);
  }
}

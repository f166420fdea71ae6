/**
 * `.squad/` on disk: one writer, atomic changes, safe paths; memory files change in the same transaction.
 * @packageDocumentation
 */

import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { safePath } from '#adapters/disk/safe-path.js';
import { SeenFiles } from '#adapters/disk/seen-files.js';
import { type Proposal, parseProposal, serializeProposal } from '#core/casting/proposal.js';
import { folderSlug } from '#core/catalog/member-slug.js';
import type { SquadPlan, SquadTexts } from '#core/squad/file-change.js';
import { readSquadState, refuseWrites, type SquadState } from '#core/squad/squad-state.js';
import { type CastTeam, teamOf } from '#core/squad/team.js';
import { projectName } from '#core/squad/team-file.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Processes } from '#ports/processes.js';
import type { SquadDecision, SquadFiles, TeamConsequences } from '#ports/squad-files.js';
import { ledgerReader } from './ledger-reader.js';
import { SquadJournal, type SquadParts } from './squad-journal.js';
import { fingerprint, readCharter, readSmall, readTexts } from './squad-reader.js';

/** Team in `.squad/` of one project, with its proposal and lock in `.workgraph/service/`. */
export class SquadFolder implements SquadFiles {
  private readonly project: string;
  private readonly journal: SquadJournal;
  private readonly clock: Clock;
  /** Last read state, with the versions of its files. */
  private latest: { readonly seen: SeenFiles; readonly state: SquadState } | undefined;

  /** `project`: absolute path. */
  constructor(project: string, processes: Processes, parts: SquadParts) {
    this.project = project;
    this.journal = new SquadJournal(project, processes, parts);
    this.clock = parts.clock;
  }

  async read(): Promise<SquadState> {
    if (this.latest?.seen.isUnchanged() && !(await this.journal.isPending())) return this.latest.state;
    const seen = new SeenFiles(this.clock);
    const state = readSquadState(await this.textsSeen(seen));
    this.latest = { seen, state };
    return state;
  }

  async texts(): Promise<SquadTexts> {
    return await this.textsSeen(new SeenFiles(this.clock));
  }

  private async textsSeen(seen: SeenFiles): Promise<SquadTexts> {
    for (let attempt = 0; attempt < TEAM_LIMITS.squadReadAttempts; attempt++) {
      if (await this.journal.isPending()) break;
      const before = await fingerprint(this.project);
      const texts = await readTexts(this.project, seen);
      // A write during the read would leave files of two different states.
      if ((await fingerprint(this.project)) === before && !(await this.journal.isPending())) return texts;
    }
    return await this.journal.alone('reading', () => readTexts(this.project, seen));
  }

  async readTeam(): Promise<CastTeam | undefined> {
    const { registry, history, teamFile } = await this.read();
    return teamOf(projectName(teamFile, path.basename(this.project)), registry, history);
  }

  async charter(name: string): Promise<string | undefined> {
    const slug = folderSlug(name);
    return slug === undefined ? undefined : await readCharter(this.project, slug);
  }

  async apply<Result>(decide: SquadDecision<Result>, onNews?: (news: TeamConsequences) => void): Promise<Result> {
    return await this.journal.alone('writing', async (write) => {
      const state = readSquadState(await this.journal.texts());
      const { changes, result } = await decide(state, await this.proposal(), ledgerReader(this.project, this.clock));
      if (changes.length === 0) return result;
      refuseWrites(state);
      await write(changes, await this.journal.commitmentOf(changes, onNews));
      return result;
    });
  }

  async repairTexts<Result>(decide: (texts: SquadTexts) => SquadPlan<Result>): Promise<Result> {
    return await this.journal.alone('writing', async (write) => {
      const { changes, result } = decide(await this.journal.texts());
      if (changes.length > 0) await write(changes, await this.journal.commitmentOf(changes));
      return result;
    });
  }

  async notifyFollowers(): Promise<void> {
    await this.journal.alone('writing', () => this.journal.retell());
  }

  async proposal(): Promise<Proposal | undefined> {
    const text = await readSmall(this.project, FROM_PROJECT.proposal);
    return text === undefined ? undefined : parseProposal(text);
  }

  async saveProposal(proposal: Proposal, requestedAt: number): Promise<void> {
    await this.journal.locked(async () => {
      const stored = await this.proposal();
      if (stored && Date.parse(stored.created_at) > requestedAt) throw new TroupeError('proposal_superseded');
      await this.putProposal(proposal);
    });
  }

  async amendProposal(decide: (state: SquadState, proposal: Proposal | undefined) => Proposal): Promise<Proposal> {
    return await this.journal.alone('writing', async () => {
      const amended = decide(readSquadState(await this.journal.texts()), await this.proposal());
      await this.putProposal(amended);
      return amended;
    });
  }

  async dropProposal(proposalId: string): Promise<boolean> {
    return await this.journal.locked(async () => {
      if ((await this.proposal())?.proposal_id !== proposalId) return false;
      await rm(await safePath(this.project, FROM_PROJECT.proposal), { force: true });
      return true;
    });
  }

  /** Replaces the proposal atomically. Requires the lock. */
  private async putProposal(proposal: Proposal): Promise<void> {
    const target = await safePath(this.project, FROM_PROJECT.proposal);
    const part = `${target}.${randomUUID()}`;
    try {
      await writeFile(part, serializeProposal(proposal), { mode: PRIVATE_FILE, flag: 'wx' });
      await rename(part, target);
    } finally {
      await rm(part, { force: true });
    }
  }
}

/**
 * `.claude/roles/`, the logs of lanes, the proposals, and the run folders of crews, panels and sweeps: read without following
 * links, changed atomically, and only if unchanged since they were read.
 * @packageDocumentation
 */
import path from 'node:path';
import { ChangeJournal, type ChangeOutcome, type JournalLockMode } from '#adapters/disk/change-journal.js';
import { makePersonalFolder } from '#adapters/disk/personal-folder.js';
import { FileConflict, type StepHook } from '#adapters/disk/recorded-files.js';
import { UnreadableData } from '#adapters/disk/unreadable-data.js';
import { refuseWrite } from '#core/roles/judge-write.js';
import { LANES } from '#core/roles/lane.js';
import { logFile, ROLES_FOLDER } from '#core/roles/role-paths.js';
import type { RoleWriter } from '#core/roles/writers.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { FileChange } from '#kernel/file-change.js';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import { FROM_PROJECT } from '#kernel/graph-folder.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Processes } from '#ports/processes.js';
import type {
  PresentRoles,
  RoleFiles,
  RoleFolder,
  RoleOutcome,
  RoleProposalRecord,
  RoleProposals,
  RoleUpdate,
  WriteRoles,
} from '#ports/role-files.js';
import { PROPOSALS, proposalId, proposalRecord, readProposals, readRoleFolder } from './role-reader.js';

export interface RoleFolderPlace {
  /** The root of the repository, as an absolute path. Files outside it are neither read nor written. */
  readonly project: string;
  /**
   * Absolute path. Holds the lock and the journal if the repository has no graph, because all of `.claude/` is in
   * version control.
   */
  readonly personal: string;
  holdsGraph(): boolean;
}

export interface RoleParts {
  readonly processes: Processes;
  readonly clock: Clock;
  /** Called before each step of a write; tests use it to stop there. */
  readonly step: StepHook;
  readonly outcome: RoleOutcome;
}

type Work<Result> = (now: PresentRoles, write: WriteRoles) => Promise<Result>;

/** Implements the RoleFiles port on the local disk. Nothing is cached. */
export class ClaudeRoleFolder implements RoleFiles {
  private readonly place: RoleFolderPlace;
  private readonly journal: ChangeJournal;
  private readonly outcome: ChangeOutcome;

  constructor(place: RoleFolderPlace, { processes, clock, step, outcome }: RoleParts) {
    const { project } = place;
    this.place = place;
    const journal = {
      base: project,
      name: 'roles',
      service: () => this.service(),
      modeOf: (file: string) => (isRoleFile(file) ? 0o666 : PRIVATE_FILE),
      mayWrite: (file: string) => isRoleFile(file) || proposalIn(file) !== undefined,
    };
    this.journal = new ChangeJournal(journal, { processes, clock, step });
    this.outcome = {
      committed: (name, from) => outcome.committed(name, from),
      follow: async (files) => {
        const written = (await Promise.all(files.map(recordIn))).filter((record) => record !== undefined);
        if (written.length > 0) await outcome.follow(written, (await readRoleFolder(project)).texts);
      },
    };
  }

  async read(): Promise<RoleFolder> {
    const { project } = this.place;
    if (!(await this.journal.isPending())) return await readRoleFolder(project);
    return await this.journal.alone(this.outcome, 'reading', () => readRoleFolder(project));
  }

  async proposals(): Promise<RoleProposals> {
    return await readProposals(this.place.project);
  }

  async change<Result>(writer: RoleWriter, work: Work<Result>): Promise<Result> {
    return await this.changeIn('writing', writer, work);
  }

  async changeUnlessBusy<Result>(writer: RoleWriter, work: Work<Result>): Promise<Result> {
    return await this.changeIn('unless-busy', writer, work);
  }

  /**
   * Excludes other processes of Troupe by a lock. Editors and git may still change files: if they did, the change is
   * retried.
   */
  private async changeIn<Result>(turn: JournalLockMode, writer: RoleWriter, work: Work<Result>): Promise<Result> {
    const { project, personal } = this.place;
    if (!this.place.holdsGraph()) makePersonalFolder(path.dirname(personal));
    for (let attempt = 0; attempt < TEAM_LIMITS.roleWriteTries; attempt++) {
      try {
        return await this.journal.alone(this.outcome, turn, async (write) => {
          const folder = await readRoleFolder(project);
          const now = { texts: folder.texts, proposals: () => readProposals(project) };
          return await work(now, async (wanted, from, commit) => {
            const changes = changesOf(writer, folder, wanted);
            if (changes.length === 0) await commit('');
            else await write(changes, from === undefined ? null : { from, commit });
          });
        });
      } catch (error) {
        if (!(error instanceof FileConflict)) throw error;
      }
    }
    throw new TroupeError('roles_conflict');
  }

  private service() {
    const { project, personal } = this.place;
    if (this.place.holdsGraph()) return { root: project, folder: FROM_PROJECT.service };
    return { root: path.dirname(personal), folder: path.basename(personal) };
  }
}

function changesOf(writer: RoleWriter, { texts, problems }: RoleFolder, wanted: RoleUpdate): FileChange[] {
  const changed = [...wanted.texts].filter(([file, text]) => texts.get(file) !== text);
  const files = changed.map(([file, text]): FileChange => {
    const unread = problems.find((each) => each.file === file || file.startsWith(`${each.file}/`));
    if (unread) throw new TroupeError('unsafe_path', { what: `${unread.file} ${unread.text} Nothing was changed.` });
    const before = texts.get(file);
    refuseWrite(writer, file, before, text);
    return { kind: 'replace', path: file, was: before === undefined ? null : sha256(before), text };
  });
  const proposals = [...wanted.proposals].map(
    ([id, text]): FileChange => ({ kind: 'write', path: `${PROPOSALS}/${id}.yaml`, text }),
  );
  return [...files, ...proposals];
}

function isRoleFile(file: string): boolean {
  const isLog = LANES.some((lane) => logFile(lane) === file);
  return isLog || (path.posix.dirname(file) === ROLES_FOLDER && file.endsWith('.md'));
}

/** File name of a proposal, from its path in the project; undefined for other paths. */
function proposalIn(file: string): string | undefined {
  const name = path.posix.basename(file);
  return path.posix.dirname(file) === PROPOSALS && proposalId(name) !== undefined ? name : undefined;
}

/** The proposal that a change writes; undefined for other files and for unparsable ones. */
async function recordIn(change: FileChange): Promise<RoleProposalRecord | undefined> {
  const name = proposalIn(change.path);
  if (name === undefined || change.kind !== 'write') return undefined;
  try {
    return await proposalRecord(name, change.text);
  } catch (error) {
    if (error instanceof UnreadableData) return undefined;
    throw error;
  }
}

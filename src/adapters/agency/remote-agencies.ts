import { readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isPlainFolder } from '#adapters/disk/plain-files.js';
import { UnreadableData } from '#adapters/disk/unreadable-data.js';
import { ownRecord } from '#core/agency/record-text.js';
import { AGENCY_BRANCH, gitPlaceOf } from '#core/agency/remote-address.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { FROM_PROJECT, GRAPH_FOLDER, layoutOf } from '#kernel/graph-folder.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { isAddress } from '#kernel/paths.js';
import { cut, inert, inSentence } from '#kernel/text.js';
import type {
  AgencyRemotes,
  RemoteContents,
  RemoteEvaluations,
  RemoteFiles,
  RemotePlace,
  RemoteProject,
} from '#ports/agency-remotes.js';
import type { GitRemotes, GitSnapshot } from '#ports/git-remotes.js';
import type { Processes } from '#ports/processes.js';
import { AgencyBranch } from './agency-branch.js';
import { AgencyFolder } from './agency-folder.js';
import { CommitTree } from './commit-tree.js';
import { type FileTree, FolderTree, parseRecord, type ReadingRules, readAgency } from './records.js';

const PARTS = ['roles', 'tradeoffs', 'motivations', 'agents', 'evaluations', 'cache', 'primitives'];
type Repository = Extract<RemotePlace, { kind: 'git' }>;

/** Agencies of other projects: folders on this machine, or branches of git repositories. */
export class RemoteAgencies implements AgencyRemotes {
  private readonly processes: Processes;
  private readonly clock: Clock;
  private readonly git: () => Promise<GitRemotes>;
  readonly call: AgencyRemotes['call'];

  /** `call` sends a request to another project. */
  constructor(parts: {
    processes: Processes;
    clock: Clock;
    git: () => Promise<GitRemotes>;
    call: AgencyRemotes['call'];
  }) {
    this.call = parts.call;
    this.processes = parts.processes;
    this.clock = parts.clock;
    this.git = parts.git;
  }

  async locate(named: string, branch: string | undefined): Promise<RemotePlace> {
    const rest = { branch: branch ?? AGENCY_BRANCH, project: branch };
    if (isAddress(named)) return { kind: 'git', path: named, at: gitPlaceOf(named), ...rest };
    let folder: string;
    try {
      folder = await realpath(named);
      if (branch === undefined) {
        if (path.basename(folder) === GRAPH_FOLDER) return { kind: 'project', path: path.dirname(folder) };
        if (await isPlainFolder(layoutOf(folder).folder)) return { kind: 'project', path: folder };
      }
      const names = await readdir(folder);
      const isBare = ['HEAD', 'objects', 'refs'].every((name) => names.includes(name));
      if (branch !== undefined || isBare)
        return { kind: 'git', path: folder, at: { address: folder, protocols: 'file' }, ...rest };
      const project = path.dirname(path.dirname(folder));
      if (layoutOf(project).agency === folder) return { kind: 'project', path: project };
      if (PARTS.some((part) => names.includes(part))) return { kind: 'folder', path: folder };
    } catch (error) {
      if (error instanceof TroupeError) throw error;
      throw unreachable(named, 'cannot be read');
    }
    throw unreachable(named, 'contains neither a project nor an agency');
  }

  async read(place: RemotePlace): Promise<RemoteContents> {
    if (place.kind === 'git') {
      const snapshot = await (await this.git()).snapshot(place.at, place.branch);
      if (!snapshot) throw withoutBranch(place);
      return { ...(await readAll(await agencyIn(snapshot, place), place.path)), commit: snapshot.commit };
    }
    const top = folderOf(place);
    await this.locate(place.path, undefined);
    if (!(await isPlainFolder(top))) return { ...EMPTY_AGENCY, commit: undefined };
    const contents = await readAll(new FolderTree(top), place.path);
    if (!(await isPlainFolder(top))) throw changedWhileRead(place.path, 'the agency');
    return { ...contents, commit: undefined };
  }

  async holds(place: RemotePlace, commit: string): Promise<boolean> {
    return place.kind !== 'git' || (await (await this.git()).holds(place.at, place.branch, commit));
  }

  async files(place: RemotePlace): Promise<RemoteFiles> {
    if (place.kind === 'git') {
      const readTree = async (snapshot: GitSnapshot | undefined) =>
        snapshot ? await readAll(await requireAgencyOnly(snapshot, place), place.path) : EMPTY_AGENCY;
      return new AgencyBranch({ git: await this.git(), at: place.at, branch: place.branch, read: readTree });
    }
    const { processes, clock } = this;
    const folder = new AgencyFolder({ top: folderOf(place), shipped: '', processes, clock });
    return {
      read: (committed) => folder.read(committed),
      change: (committed, work) => folder.change(committed, work),
      evaluations: async () => (await (await this.read(place)).evaluations.records(new Set())).records,
      commit: () => undefined,
    };
  }

  async project(place: RemotePlace): Promise<RemoteProject> {
    if (place.kind !== 'git') return projectIn(new FolderTree(place.path));
    const snapshot = await (await this.git()).snapshot(place.at, place.project);
    if (!snapshot) throw unreachable(place.path, 'holds nothing yet');
    return projectIn(new CommitTree(snapshot, ''));
  }
}

function projectIn(tree: FileTree): RemoteProject {
  return {
    names: (folder) => tree.names(folder),
    async text(file, most) {
      const parts = file.split('/').filter((part) => part !== '' && part !== '.');
      const name = parts.pop();
      if (name === undefined || [...parts, name].includes('..') || path.isAbsolute(file) || /[\0\\]/.test(file))
        throw new TroupeError('unsafe_path', { what: `${inSentence(file)} is outside the project there.` });
      const folder = parts.join('/');
      await tree.names(folder); // checks that no part of the path is a link
      for await (const { text } of tree.texts(folder, [name], most)) {
        if (text instanceof TroupeError) throw text;
        return text;
      }
      return undefined;
    },
  };
}

function folderOf({ kind, path: folder }: RemotePlace): string {
  return kind === 'project' ? layoutOf(folder).agency : folder;
}

/** Finds the agency in a commit: either the commit is an agency, or it is a project that contains one. */
async function agencyIn(snapshot: GitSnapshot, place: Repository): Promise<FileTree> {
  const names = await new CommitTree(snapshot, '').names('');
  if (names.includes(GRAPH_FOLDER)) return new CommitTree(snapshot, FROM_PROJECT.agency);
  if (names.length === 0 || PARTS.some((part) => names.includes(part))) return new CommitTree(snapshot, '');
  throw unreachable(place.path, `contains neither a project nor an agency on ${place.branch}`);
}

/**
 * Finds an agency that may be written to. Refuses a project, because only its own program may change it, and a branch
 * with other contents.
 */
async function requireAgencyOnly(snapshot: GitSnapshot, place: Repository): Promise<FileTree> {
  const names = await new CommitTree(snapshot, '').names('');
  if (names.length === 0 || (!names.includes(GRAPH_FOLDER) && PARTS.some((part) => names.includes(part))))
    return new CommitTree(snapshot, '');
  throw new TroupeError('bad_input', {
    what: `The branch ${inert(place.branch)} contains other things than an agency.`,
    hint: `Add the remote with a branch of its own, such as --ref ${AGENCY_BRANCH}.`,
  });
}

async function readAll(tree: FileTree, place: string): Promise<Omit<RemoteContents, 'commit'>> {
  let [bytes, foreign] = [0, 0];
  const reading: RemoteReading = {
    weigh: (text) => {
      bytes += text.length;
      if (bytes > TEAM_LIMITS.pulledBytes) throw tooLarge(place);
    },
    understand: async (text) => {
      const own = ownRecord(text);
      if (own) return own;
      foreign += text.length;
      if (foreign > TEAM_LIMITS.agencyFileBytes) throw tooLarge(place); // parsing foreign texts is slow
      return await parseRecord(text);
    },
    parse: async (text) => {
      reading.weigh(text);
      return await reading.understand(text);
    },
    gone: (what, why) => {
      if (why?.code === 'unsafe_path') throw why;
      throw changedWhileRead(place, what);
    },
  };
  const { records, warnings } = await readAgency(tree, reading);
  const evaluations = await readEvaluations(tree, place, reading);
  return { records, evaluations, warnings: [...warnings, ...evaluations.warnings] };
}

/** Reading rules with an upper bound for all texts of a remote together. */
interface RemoteReading extends ReadingRules {
  /** Adds a text to the total size. Errors: `too_large` if the total exceeds the limit. */
  weigh(text: string): void;
  /** Same as `parse`, for a text that has been counted already. */
  understand(text: string): Promise<unknown>;
}

/** Contents of a remote without an agency. */
const EMPTY_AGENCY: Omit<RemoteContents, 'commit'> = {
  records: [],
  evaluations: { texts: new Map(), records: async () => ({ records: new Map(), warnings: [] }) },
  warnings: [],
};

async function readEvaluations(tree: FileTree, place: string, reading: RemoteReading) {
  const texts = new Map<string, string>();
  const files = new Map<string, string>();
  const warnings: string[] = [];
  const names = (await tree.names('evaluations'))
    .filter((name) => /^[A-Za-z][A-Za-z0-9._-]{0,180}\.(?:yaml|json)$/.test(name))
    .sort();
  if (names.length > TEAM_LIMITS.traceRecordFiles) throw tooLarge(place);
  let count = 0;
  for await (const { name, text } of tree.texts('evaluations', names, TEAM_LIMITS.pulledEntityBytes)) {
    count++;
    if (text instanceof TroupeError) warnings.push(warning(name, text.message));
    else if (typeof text === 'number')
      warnings.push(warning(name, `larger than ${TEAM_LIMITS.pulledEntityBytes} bytes`));
    else {
      reading.weigh(text);
      const id = name.slice(0, name.lastIndexOf('.'));
      texts.set(id, text);
      files.set(id, name);
    }
  }
  if (count < names.length) reading.gone('an evaluation');
  const records: RemoteEvaluations['records'] = async (except) => {
    const said = new Map<string, JsonObject>();
    const unread: string[] = [];
    for (const [id, text] of texts) {
      if (except.has(id)) continue;
      const record = await recordIn(text, reading);
      if (typeof record === 'string') unread.push(warning(files.get(id) ?? id, record));
      else said.set(id, record);
    }
    return { records: said, warnings: unread };
  };
  return { texts, records, warnings };
}

function warning(name: string, why: string): string {
  return `evaluations/${name}: ${inSentence(why)}`;
}

async function recordIn(text: string, reading: RemoteReading): Promise<JsonObject | string> {
  try {
    const value = await reading.understand(text);
    return isJsonObject(value) ? value : 'not a record';
  } catch (error) {
    if (error instanceof UnreadableData) return error.message;
    throw error;
  }
}

function changedWhileRead(place: string, what: string): TroupeError {
  return unreachable(place, `changed while it was read: ${cut(inert(what), 120)} is gone`);
}

function withoutBranch({ path: place, branch }: Repository): TroupeError {
  return new TroupeError('unreadable', {
    what: `${inSentence(place)} has no branch ${inert(branch)}.`,
    hint: '`troupe agency push NAME` creates it; choose another with `troupe agency remote add NAME PATH --ref BRANCH`.',
  });
}

function unreachable(place: string, why: string): TroupeError {
  return new TroupeError('unreadable', {
    what: `${inSentence(place)} ${why}.`,
    hint: 'Check the path; `troupe agency remote show` shows those of remotes.',
  });
}

function tooLarge(place: string): TroupeError {
  const most = TEAM_LIMITS.pulledBytes / 1024 / 1024;
  return new TroupeError('too_large', {
    what: `${inSentence(place)} exceeds the limit for remotes, ${most} MB and ${TEAM_LIMITS.traceRecordFiles} evaluations: nothing was read.`,
    hint: 'Nothing was changed. Ask its owner to retire or archive unused entries.',
  });
}

import path from 'node:path';
import type * as z from 'zod/mini';
import { SeenFiles } from '#adapters/disk/seen-files.js';
import type {
  AgentFile,
  CataloguedProject,
  CataloguedWorkgroup,
  ConfigTree,
  RosterProject,
  RosterWarning,
  Workgroup,
} from '#core/mail/config-tree.js';
import {
  agentHead,
  externalProjectsFile,
  humansIn,
  officeFile,
  projectFile,
  slug,
  workgroupFile,
} from '#core/mail/config-tree.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { RosterConfig, RosterPlace } from '#ports/roster-config.js';
import { configAt, frontMatterOf, type ReadText, type RosterConfigFile } from './config-file.js';

interface Around {
  readonly clock: Clock;
  /** Replacement for `~`. */
  readonly homeFolder: string;
  readonly readText: ReadText;
}

/** Search scope of the configuration: real paths must be below `root`. */
interface Scope {
  readonly root: string;
  readonly folders: readonly string[];
}

const PROJECT = ['.teaparty', 'project'];

/** A home folder: its own files, and those of the repository around it. */
interface Home {
  readonly folder: string;
  readonly repository: string;
}

/** The files below `.teaparty/`. A tree is cached until one of its files changes. */
export class ConfigFolder implements RosterConfig {
  private readonly around: Around;
  /** Cached trees, by place. */
  private readonly trees = new Map<string, { readonly seen: SeenFiles; readonly tree: ConfigTree }>();

  constructor(around: Around) {
    this.around = around;
  }

  async tree(place: RosterPlace): Promise<ConfigTree> {
    const key = JSON.stringify([place.home, place.from]);
    const known = this.trees.get(key);
    if (known?.seen.isUnchanged()) return known.tree;
    const seen = new SeenFiles(this.around.clock);
    const readText: ReadText = async (file, most, inside) => {
      seen.see(inside ?? path.dirname(file), file);
      return await this.around.readText(file, most, inside);
    };
    const tree = await new ConfigFolder({ ...this.around, readText }).freshTree(place);
    this.trees.set(key, { seen, tree });
    return tree;
  }

  private async freshTree(place: RosterPlace): Promise<ConfigTree> {
    const home = await this.home(place);
    const office = home && (await this.officeAt(home));
    if (!home || !office) throw noConfig(place.home ?? path.join(place.from, '.teaparty'));
    const { value, folder } = office;
    const reader = new TreeReader(this.around, home);
    const management = { root: home.repository, folders: [folder] };
    const memberAgents = value.members?.agents ?? [];
    const catalogue: CataloguedWorkgroup[] = [];
    for (const entry of value.workgroups ?? []) catalogue.push(await reader.catalogued(entry, [management], undefined));
    const external = await this.read(
      externalProjectsFile,
      path.join(folder, 'external-projects.yaml'),
      home.repository,
    );
    const projects: CataloguedProject[] = [];
    for (const entry of [...(value.projects ?? []), ...(external?.value ?? [])])
      projects.push({
        name: entry.name,
        project: await reader.projectOr(this.projectFolder(entry.path, home), entry.config),
      });
    return {
      name: value.name,
      description: value.description || undefined,
      lead: value.lead ?? undefined,
      humans: humansIn(value.humans),
      projects,
      memberProjects: value.members?.projects ?? undefined,
      memberAgents,
      memberWorkgroups: value.members?.workgroups ?? [],
      catalogue,
      agentFiles: await reader.agentFiles([...memberAgents, ...(value.lead ? [value.lead] : [])], undefined),
      warnings: reader.warnings,
    };
  }

  async project(folder: string, place: RosterPlace): Promise<RosterProject> {
    return await new TreeReader(this.around, await this.home(place)).project(folder, undefined);
  }

  async workgroup(file: string, place: RosterPlace): Promise<Workgroup> {
    const home = await this.home(place);
    const reader = new TreeReader(this.around, home);
    const there = path.dirname(file);
    const roots = [
      { root: there, folder: path.join(there, ...PROJECT) },
      { root: there, folder: path.join(there, '.teaparty.local') },
      ...(home ? [{ root: home.repository, folder: path.join(home.folder, 'management') }] : []),
      ...(home ? [{ root: home.repository, folder: home.folder }] : []),
    ];
    const named = roots.map(({ root, folder }) => ({
      root,
      file: path.join(folder, 'workgroups', path.basename(file)),
    }));
    for (const { root, file: candidate } of [{ root: there, file }, ...named]) {
      const of = { ref: undefined, project: projectAround(candidate) };
      const workgroup = await reader.workgroupOrNone(candidate, root, of);
      if (workgroup) return workgroup;
    }
    throw noConfig(file);
  }

  /** The named folder, otherwise the nearest `.teaparty` that has an office, otherwise the nearest one. */
  private async home({ home, from }: RosterPlace): Promise<Home | undefined> {
    if (home !== undefined) return { folder: home, repository: path.dirname(home) };
    let nearest: Home | undefined;
    let folder = from;
    for (let up = 0; up < TEAM_LIMITS.rosterFoldersUp; up++) {
      const candidate = { folder: path.join(folder, '.teaparty'), repository: folder };
      if (await this.officeAt(candidate)) return candidate;
      nearest ??= candidate;
      if (path.dirname(folder) === folder) break;
      folder = path.dirname(folder);
    }
    return nearest;
  }

  private async officeAt({ folder, repository }: Home) {
    for (const place of [path.join(folder, 'management'), folder]) {
      const office = await this.read(officeFile, path.join(place, 'teaparty.yaml'), repository);
      if (office) return { ...office, folder: place };
    }
    return undefined;
  }

  private read<Schema extends z.core.$ZodType>(schema: Schema, file: string, root: string) {
    return configAt(this.around.readText, { schema, file, root });
  }

  private projectFolder(named: string, { repository }: Home): string {
    const expanded =
      named === '~' || named.startsWith('~/') ? path.join(this.around.homeFolder, named.slice(1)) : named;
    return path.resolve(repository, expanded);
  }
}

/** Reads one tree, and records warnings about what it skips. */
class TreeReader {
  readonly warnings: RosterWarning[] = [];
  private readonly around: Around;
  private readonly home: Home | undefined;

  constructor(around: Around, home: Home | undefined) {
    this.around = around;
    this.home = home;
  }

  /** A project, or the error of reading it: one invalid project does not affect the others. */
  async projectOr(folder: string, config: string | null | undefined): Promise<RosterProject | TroupeError> {
    try {
      return await this.project(folder, config ?? undefined);
    } catch (error) {
      if (error instanceof TroupeError) return error;
      throw error;
    }
  }

  async project(folder: string, config: string | undefined): Promise<RosterProject> {
    const files = config === undefined ? [path.join(...PROJECT, 'project.yaml')] : [config];
    const places = [...files, path.join('.teaparty.local', 'project.yaml')].map((name) => path.join(folder, name));
    const file = await this.firstOf(projectFile, places, folder);
    if (!file) throw noConfig(places[0] ?? folder);
    const { value } = file;
    const scopes = this.scopesOf(folder);
    const catalogue: CataloguedWorkgroup[] = [];
    for (const entry of value.workgroups ?? []) {
      const named = typeof entry === 'string' ? { ref: entry } : entry;
      catalogue.push(await this.catalogued(named, scopes, folder));
    }
    const memberWorkgroups = value.members?.workgroups ?? [];
    for (const member of memberWorkgroups) {
      const uncatalogued = await this.uncatalogued(member, catalogue, scopes, folder);
      if (uncatalogued) catalogue.push(uncatalogued);
    }
    return {
      name: value.name,
      description: value.description || undefined,
      lead: value.lead ?? undefined,
      humans: humansIn(value.humans),
      catalogue,
      memberWorkgroups,
      escalation: value.escalation ?? {},
      agentFiles: await this.agentFiles(value.lead ? [value.lead] : [], folder),
    };
  }

  /** A workgroup by its reference or path, or the error of reading it. */
  async catalogued(
    entry:
      | { ref: string; status?: string | null | undefined }
      | { name: string; config: string; status?: string | null | undefined },
    scopes: readonly Scope[],
    project: string | undefined,
  ): Promise<CataloguedWorkgroup> {
    const ref = 'ref' in entry ? entry.ref : undefined;
    const name = 'name' in entry ? entry.name : undefined;
    const active = (entry.status ?? 'active').trim().toLowerCase() === 'active';
    try {
      const places = 'ref' in entry ? placesOfReference(entry.ref, scopes) : placesOfConfig(entry.config, scopes);
      for (const { file, root } of places) {
        const workgroup = await this.workgroupOrNone(file, root, { ref, project });
        if (workgroup) return { ref, name, active, workgroup };
      }
      throw new TroupeError('workgroup_ref_not_found', {
        what: `The workgroup ${ref ?? name} is in none of: ${places.map(({ file }) => file).join(', ')}.`,
        details: { paths: places.map(({ file }) => file) },
      });
    } catch (error) {
      if (error instanceof TroupeError) return { ref, name, active, workgroup: error };
      throw error;
    }
  }

  async workgroup(
    file: string,
    root: string,
    of: { ref: string | undefined; project: string | undefined },
  ): Promise<Workgroup> {
    const workgroup = await this.workgroupOrNone(file, root, of);
    if (workgroup) return workgroup;
    throw noConfig(file);
  }

  /** Agent files in order of precedence: those of the project, of its client, of the office, of the office's client. */
  async agentFiles(names: readonly string[], project: string | undefined): Promise<ReadonlyMap<string, AgentFile>> {
    const files = new Map<string, AgentFile>();
    for (const name of names) {
      const agent = isFileName(name) ? await this.agentFile(name, project) : undefined;
      if (agent) files.set(name, agent);
    }
    return files;
  }

  private async agentFile(name: string, project: string | undefined): Promise<AgentFile | undefined> {
    const client = path.join('.claude', 'agents', `${name}.md`);
    const own = path.join('agents', name, 'agent.md');
    const inProject = project === undefined ? [] : [path.join(project, ...PROJECT, own), path.join(project, client)];
    const atHome = this.home
      ? [path.join(this.home.folder, 'management', own), path.join(this.home.repository, client)]
      : [];
    const places = [
      ...inProject.map((file) => ({ file, root: project ?? '' })),
      ...atHome.map((file) => ({ file, root: this.home?.repository ?? '' })),
    ];
    for (const { file, root } of places) {
      try {
        const head = await frontMatterOf(this.around.readText, { schema: agentHead, file, root });
        if (head) return { description: head.value.description?.trim() || undefined, prompt: head.body };
      } catch (error) {
        if (!(error instanceof TroupeError)) throw error;
        this.warnings.push({ code: 'agent_file_invalid', text: error.message });
      }
    }
    return undefined;
  }

  /** The workgroup of a file; undefined if there is none. */
  async workgroupOrNone(
    file: string,
    root: string,
    { ref, project }: { ref: string | undefined; project: string | undefined },
  ): Promise<Workgroup | undefined> {
    const found = await configAt(this.around.readText, { schema: workgroupFile, file, root });
    if (!found) return undefined;
    const { value } = found;
    const agents = value.members?.agents ?? [];
    return {
      name: value.name,
      ref,
      description: value.description || undefined,
      lead: value.lead ?? undefined,
      agents,
      humans: humansIn(value.humans),
      agentFiles: await this.agentFiles([...agents, ...(value.lead ? [value.lead] : [])], project),
    };
  }

  /** A member that no catalogue lists may still have a file, named by the slug of its name. */
  private async uncatalogued(
    member: string,
    catalogue: readonly CataloguedWorkgroup[],
    scopes: readonly Scope[],
    project: string,
  ): Promise<CataloguedWorkgroup | undefined> {
    const own = slug(member);
    const isNamed = ({ ref, name, workgroup }: CataloguedWorkgroup) =>
      [ref, name, workgroup instanceof TroupeError ? undefined : workgroup.name].some(
        (one) => one !== undefined && slug(one) === own,
      );
    if (catalogue.some(isNamed)) return undefined;
    const entry = await this.catalogued({ ref: own }, scopes, project);
    return entry.workgroup instanceof TroupeError && entry.workgroup.code === 'workgroup_ref_not_found'
      ? undefined
      : entry;
  }

  private async firstOf<Schema extends z.core.$ZodType>(
    schema: Schema,
    files: readonly string[],
    root: string,
  ): Promise<RosterConfigFile<Schema> | undefined> {
    for (const file of files) {
      const found = await configAt(this.around.readText, { schema, file, root });
      if (found) return found;
    }
    return undefined;
  }

  private scopesOf(project: string): Scope[] {
    const own = { root: project, folders: [path.join(project, ...PROJECT), path.join(project, '.teaparty.local')] };
    const { home } = this;
    return home ? [own, { root: home.repository, folders: [path.join(home.folder, 'management')] }] : [own];
  }
}

interface Candidate {
  readonly file: string;
  readonly root: string;
}

/**
 * Candidate files of a reference: as written, then as a slug, because file names are often in lower case where
 * references are not.
 */
function placesOfReference(ref: string, scopes: readonly Scope[]): Candidate[] {
  const names = [...new Set([ref.trim(), slug(ref)])].filter(isFileName);
  return scopes.flatMap(({ root, folders }) =>
    folders.flatMap((folder) => names.map((name) => ({ file: path.join(folder, 'workgroups', `${name}.yaml`), root }))),
  );
}

function placesOfConfig(config: string, scopes: readonly Scope[]): Candidate[] {
  return scopes.flatMap(({ root, folders }) => folders.map((folder) => ({ file: path.resolve(folder, config), root })));
}

/** Whether a name stays in its folder. */
function isFileName(name: string): boolean {
  return name !== '' && !/[/\\\0]/.test(name) && name !== '.' && name !== '..';
}

/** The folder of the project that contains this file. */
function projectAround(file: string): string | undefined {
  const parts = file.split(path.sep);
  const at = Math.max(parts.lastIndexOf('.teaparty'), parts.lastIndexOf('.teaparty.local'));
  const isProjects = parts[at + 1] === 'project' || parts[at] === '.teaparty.local';
  return at > 0 && isProjects ? parts.slice(0, at).join(path.sep) || path.sep : undefined;
}

function noConfig(file: string): TroupeError {
  return new TroupeError('config_not_found', { what: `There is no roster configuration at ${file}.` });
}

import { TroupeError } from '#kernel/errors.js';
import {
  type AgentFile,
  type CataloguedWorkgroup,
  type ConfigTree,
  type RosterProject,
  type RosterWarning,
  slug,
  type Workgroup,
} from './config-tree.js';

/** Place of a participant in the tree. Its id derives from this and from its name. */
export interface Position {
  readonly kind: 'project-lead' | 'workgroup-lead' | 'agent' | 'member' | 'human';
  /** Id of the unit it belongs to: `teaparty`, `teaparty/coding`, `om`, or the slug of a cast team. */
  readonly scope: string;
}

/** A participant that can receive messages. */
export interface RosterEntry {
  readonly description: string;
  readonly type?: 'requestor' | 'human';
  readonly position: Position;
  /** Prompt for a client that plays the participant. */
  readonly prompt?: string;
}

export type Roster = ReadonlyMap<string, RosterEntry>;

/** The roster of one agent, in the order of the configuration. */
export interface Derived {
  /** Id of the agent that the roster belongs to. */
  readonly owner: string;
  readonly roster: Roster;
  readonly warnings: readonly RosterWarning[];
}

/** Id of the office manager, and scope of the office. */
export const OFFICE = 'om';

/** A member of a cast team, described by its charter and its role. */
export interface RosterMember {
  readonly slug: string;
  readonly name: string;
  readonly roleTitle: string;
  readonly charter: string | undefined;
}

/** A cast team without the members who left. */
export interface RosterTeam {
  readonly name: string;
  /** Slug of the active leader. */
  readonly leader: string;
  readonly members: readonly RosterMember[];
  /** Whether members may write to each other and to the leader. */
  readonly mesh: boolean;
}

/** Derives the roster of the office manager: the lead of each member project, then each member agent. */
export function deriveOfficeRoster(tree: ConfigTree): Derived {
  const list = new EntryList(OFFICE, tree.lead);
  const byName = new Map(tree.projects.map((entry) => [labelOf(entry.name), entry]));
  for (const member of tree.memberProjects ?? tree.projects.map((entry) => entry.name)) {
    const project = byName.get(labelOf(member))?.project;
    if (project === undefined) list.warn('project_unknown', `${member} is a member, but in no project catalogue`);
    else if (project instanceof TroupeError) list.warn('project_unloadable', `${member}: ${project.message}`);
    else if (project.lead === undefined) list.warn('project_leadless', `${member} names no lead`);
    else list.add(project.lead, projectLead(project));
  }
  for (const agent of tree.memberAgents) list.add(agent, agentEntry(agent, OFFICE, tree.agentFiles.get(agent)));
  for (const member of tree.memberWorkgroups) {
    const workgroup = workgroupsOf(tree.catalogue).find((one) => answersTo(one, member));
    const lead = workgroup?.workgroup.lead;
    if (workgroup === undefined) list.warn('workgroup_unknown', `${member} is a member, but in no workgroup catalogue`);
    else if (lead !== undefined && !tree.memberAgents.includes(lead))
      list.warn('lead_unreachable', `${lead} leads ${member}, but is not in members.agents: no one can write to it`);
  }
  return list.derived();
}

/**
 * Derives the roster of a project lead: the lead of each active member workgroup. Throws the error of the first
 * catalogued workgroup that cannot be read.
 */
export function deriveProjectRoster(project: RosterProject): Derived {
  const list = new EntryList(`${slug(project.name)}/lead`, undefined);
  const catalogue = workgroupsOf(project.catalogue);
  for (const member of project.memberWorkgroups) {
    const entry = catalogue.find((one) => answersTo(one, member));
    if (entry === undefined) list.warn('workgroup_unknown', `${member} is a member, but in no workgroup catalogue`);
    else if (entry.active) {
      const { workgroup } = entry;
      if (workgroup.lead === undefined) list.warn('workgroup_leadless', `${member} names no lead`);
      else list.add(workgroup.lead, workgroupLead(workgroup, project.name));
    }
  }
  return list.derived();
}

/**
 * Derives the roster of a workgroup lead: each member agent. Without `projectName`, the workgroup belongs to the
 * office.
 */
export function deriveWorkgroupRoster(workgroup: Workgroup, projectName: string | undefined): Derived {
  const scope = workgroupScope(workgroup, projectName);
  const list = new EntryList(`${scope}/lead`, workgroup.lead);
  for (const agent of workgroup.agents) list.add(agent, agentEntry(agent, scope, workgroup.agentFiles.get(agent)));
  return list.derived();
}

/**
 * Derives the roster of a team member. The leader gets all other active members; a member gets them in a mesh,
 * otherwise an empty roster.
 */
export function deriveTeamRoster(team: RosterTeam, memberId: string): Derived {
  const scope = slug(team.name);
  const isLeader = memberId === team.leader;
  const list = new EntryList(`${scope}/${isLeader ? 'lead' : slug(memberId)}`, memberId);
  const others = isLeader || team.mesh ? team.members.filter((member) => member.slug !== memberId) : [];
  for (const member of others) {
    const position: Position = { kind: member.slug === team.leader ? 'project-lead' : 'member', scope };
    const description = firstLine(member.charter) ?? (member.roleTitle || member.name);
    list.add(member.slug, {
      description,
      position,
      ...(member.charter === undefined ? {} : { prompt: member.charter }),
    });
  }
  return list.derived();
}

/** Joins several rosters of one agent, in order: the agent leads in each of them. */
export function joinedRosters(owner: string, name: string, parts: readonly Derived[]): Derived {
  const list = new EntryList(owner, name);
  for (const { roster, warnings } of parts) {
    for (const [key, entry] of roster) list.add(key, entry);
    for (const { code, text } of warnings) list.warn(code, text);
  }
  return list.derived();
}

/**
 * Whether this agent leads others: as lead of a member project that has member workgroups, or of a catalogued active
 * workgroup that has agents. Its position decides, not its name. If it is not found and a part of the tree cannot be
 * read, throws the error of that part.
 */
export function hasSubRoster(agentName: string, tree: ConfigTree): boolean {
  if (leadersIn(tree).has(agentName)) return true;
  for (const error of unreadableParts(tree)) throw error;
  return false;
}

function* unreadableParts({ projects, catalogue }: ConfigTree): Iterable<TroupeError> {
  const all = [...catalogue];
  for (const { project } of projects)
    if (project instanceof TroupeError) yield project;
    else all.push(...project.catalogue);
  for (const { active, workgroup } of all) if (active && workgroup instanceof TroupeError) yield workgroup;
}

/** Names of all agents that lead others. */
export function leadersIn(tree: ConfigTree): ReadonlySet<string> {
  const members = tree.memberProjects && new Set(tree.memberProjects.map(labelOf));
  const leaders = new Set<string>();
  const workgroupLeads = (catalogue: readonly CataloguedWorkgroup[]) => {
    for (const { active, workgroup } of catalogue)
      if (active && !(workgroup instanceof TroupeError) && workgroup.lead !== undefined && workgroup.agents.length > 0)
        leaders.add(workgroup.lead);
  };
  workgroupLeads(tree.catalogue);
  for (const { name, project } of tree.projects) {
    if (project instanceof TroupeError) continue;
    const isMember = members?.has(labelOf(name)) ?? true;
    if (isMember && project.lead !== undefined && project.memberWorkgroups.length > 0) leaders.add(project.lead);
    workgroupLeads(project.catalogue);
  }
  return leaders;
}

/** Participant ids of a roster, keyed by the name that messages are addressed to. */
export function agentIdMap(roster: Roster): Record<string, string> {
  return Object.fromEntries([...roster].map(([key, entry]) => [key, participantId(key, entry)]));
}

/**
 * Returns the id of a participant. A key that contains `/` is already an id: its plain name belongs to another
 * participant.
 */
export function participantId(key: string, { position: { kind, scope } }: RosterEntry): string {
  if (key.includes('/')) return key;
  if (scope === '') return key; // the office itself, as requestor
  if (kind === 'project-lead' || kind === 'workgroup-lead') return `${scope}/lead`;
  return `${kind === 'human' ? 'human' : scope}/${slug(key)}`;
}

/**
 * Collects entries in order, without the owner. An entry whose name is in use is stored under its id; repeated ones are
 * dropped.
 */
class EntryList {
  private readonly owner: string;
  private readonly ownName: string | undefined;
  private readonly entries = new Map<string, RosterEntry>();
  private readonly warnings: RosterWarning[] = [];

  constructor(owner: string, ownName: string | undefined) {
    this.owner = owner;
    this.ownName = ownName;
  }

  add(name: string, entry: RosterEntry): void {
    const id = participantId(name, entry);
    if (id === this.owner || (name === this.ownName && entry.position.kind === 'agent')) {
      this.warn('self_entry', `${name} is in its own roster, and was left out`);
      return;
    }
    const present = this.entries.get(name);
    if (present === undefined) this.entries.set(name, entry);
    else if (participantId(name, present) !== id) {
      this.entries.set(id, entry);
      this.warn('name_shared', `${name} is ${participantId(name, present)} here; ${id} goes by its id`);
    }
  }

  warn(code: RosterWarning['code'], text: string): void {
    this.warnings.push({ code, text });
  }

  derived(): Derived {
    return { owner: this.owner, roster: this.entries, warnings: this.warnings };
  }
}

interface ReadableWorkgroup extends CataloguedWorkgroup {
  readonly workgroup: Workgroup;
}

/**
 * Returns the workgroups of a catalogue. Throws the error of the first one that cannot be read, because a broken
 * catalogue must be repaired first.
 */
function workgroupsOf(catalogue: readonly CataloguedWorkgroup[]): ReadableWorkgroup[] {
  return catalogue.map((entry) => {
    const { workgroup } = entry;
    if (workgroup instanceof TroupeError) throw workgroup;
    return { ...entry, workgroup };
  });
}

/** Matches the name or the reference, ignoring spacing and case. */
function answersTo({ ref, name, workgroup }: ReadableWorkgroup, member: string): boolean {
  const wanted = labelOf(member);
  const own = [ref, name, workgroup.name].flatMap((one) => (one === undefined ? [] : [labelOf(one)]));
  return own.includes(wanted) || (ref !== undefined && labelOf(ref) === wanted.replace(/\s+/g, '-'));
}

const labelOf = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

function projectLead({ name, description }: RosterProject): RosterEntry {
  return { description: description ?? name, position: { kind: 'project-lead', scope: slug(name) } };
}

function workgroupLead(workgroup: Workgroup, projectName: string): RosterEntry {
  const { name, description, lead = '' } = workgroup;
  const prompt = workgroup.agentFiles.get(lead)?.prompt;
  return {
    description: description ?? name,
    position: { kind: 'workgroup-lead', scope: workgroupScope(workgroup, projectName) },
    ...(prompt === undefined ? {} : { prompt }),
  };
}

function agentEntry(name: string, scope: string, file: AgentFile | undefined): RosterEntry {
  const position: Position = { kind: 'agent', scope };
  return { description: file?.description ?? name, position, ...(file === undefined ? {} : { prompt: file.prompt }) };
}

/** Scope of a workgroup: `teaparty/coding`, or `om/coding` if it belongs to the office. */
function workgroupScope({ ref, name }: Workgroup, projectName: string | undefined): string {
  return `${projectName === undefined ? OFFICE : slug(projectName)}/${slug(ref ?? name)}`;
}

/** First line of a charter that is not blank, a heading, a rule or a comment. */
function firstLine(charter: string | undefined): string | undefined {
  return charter
    ?.split('\n')
    .map((line) => line.replace(/^[\s>]+/, '').trim())
    .find((line) => line !== '' && !line.startsWith('#') && !line.startsWith('---') && !line.startsWith('<!--'));
}

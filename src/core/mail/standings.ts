import { TroupeError } from '#kernel/errors.js';
import {
  type AgentFile,
  type CataloguedWorkgroup,
  type ConfigTree,
  type Human,
  type RosterProject,
  type RosterWarning,
  slug,
  type Workgroup,
} from './config-tree.js';
import {
  type Derived,
  deriveOfficeRoster,
  deriveProjectRoster,
  deriveWorkgroupRoster,
  joinedRosters,
  leadersIn,
  OFFICE,
  participantId,
  type RosterEntry,
} from './derive.js';
import { unknownGates } from './gates.js';

/** Rights of one agent of a tree: its entries, whether it can start conversations, and the people of its level. */
export interface TreeStanding {
  readonly id: string;
  /** Name of its agent file. */
  readonly name: string;
  readonly derived: Derived;
  readonly listener: boolean;
  readonly humans: readonly Human[];
  /** Body of its agent file. */
  readonly prompt: string | undefined;
  /** `leads the workgroup Coding of TeaParty` */
  readonly does: string;
  /** Description from its agent file, or of the unit it leads. */
  readonly about: string | undefined;
  /** Scopes whose members have this agent as their lead: `teaparty/coding`, `om/audit`. */
  readonly leads: readonly string[];
}

/** A problem in the configuration; an error makes a part of it unusable. */
export interface RosterProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly text: string;
}

export interface Standings {
  /** Ordered by id, leads before the agents they lead. */
  readonly agents: ReadonlyMap<string, TreeStanding>;
  readonly problems: readonly RosterProblem[];
}

/** People of the first level that lists any, nearest level first. */
function nearest(...levels: readonly (readonly Human[])[]): readonly Human[] {
  return levels.find((humans) => humans.length > 0) ?? [];
}

/** Returns all agents of a tree and all its problems. A part that cannot be read does not affect the others. */
export function standingsOf(tree: ConfigTree): Standings {
  const everybody = new StandingsBuilder(tree);
  everybody.office();
  for (const { project } of tree.projects) everybody.project(project);
  return { agents: everybody.agents, problems: everybody.problems() };
}

/** A workgroup with the roster derived for its lead. */
interface LedWorkgroup {
  readonly workgroup: Workgroup;
  /** `the workgroup Coding of TeaParty` */
  readonly named: string;
  readonly derived: Derived;
  readonly humans: readonly Human[];
}

/** The office or a project: its workgroups, and the ids of agents by their names in its rosters. */
interface Part {
  readonly led: readonly LedWorkgroup[];
  readonly ids: ReadonlyMap<string, string>;
}

/** An agent's position, from which its standing is built. */
interface Seat {
  readonly part: Part;
  /** Roster of the position; undefined for an agent that is led. */
  readonly own: Derived | undefined;
  readonly humans: readonly Human[];
  readonly prompt: string | undefined;
  readonly listens: boolean;
  readonly leads: readonly string[];
  readonly does: string;
  readonly about: string | undefined;
}

/** Defaults of an agent that is led: it has no roster of its own. */
const LED = { own: undefined, listens: false, leads: [] } as const;

class StandingsBuilder {
  readonly agents = new Map<string, TreeStanding>();
  private readonly tree: ConfigTree;
  private readonly leaders: ReadonlySet<string>;
  private readonly officeIds = new Map<string, string>();
  private readonly errors: TroupeError[] = [];
  private readonly warnings: RosterWarning[];

  constructor(tree: ConfigTree) {
    this.tree = tree;
    this.leaders = leadersIn(tree);
    this.warnings = [...tree.warnings];
  }

  office(): void {
    const { tree } = this;
    const { humans, agentFiles, lead: name = 'office-manager' } = tree;
    const led = this.ledIn(tree.catalogue, undefined, humans);
    const ids = this.officeIds.set(name, OFFICE);
    const own = this.taken(() => deriveOfficeRoster(tree));
    if (own) {
      const agents = [...own.roster].filter(([, { position }]) => position.kind === 'agent');
      for (const [key, entry] of agents) ids.set(key, participantId(key, entry));
      this.seat(OFFICE, name, {
        part: { led, ids },
        own,
        humans,
        listens: true,
        leads: [],
        does: `manages ${tree.name}`,
        about: tree.description,
        prompt: promptOf(name, agentFiles),
      });
      // Agents of the office may also lead workgroups of a project.
      const part = { led: [...led, ...tree.projects.flatMap(({ project }) => this.ledOf(project))], ids };
      for (const [key, entry] of agents)
        this.seat(participantId(key, entry), key, {
          ...LED,
          ...selfOf(key, entry),
          part,
          humans,
          does: `works for ${tree.name}`,
        });
    }
    this.workgroups({ led, ids });
  }

  project(project: RosterProject | TroupeError): void {
    if (project instanceof TroupeError) {
      this.errors.push(project);
      return;
    }
    for (const text of unknownGates(project.name, project.escalation))
      this.warnings.push({ code: 'gate_unknown', text });
    const { lead } = project;
    const led = this.ledOf(project);
    const own = this.taken(() => deriveProjectRoster(project));
    const ids = new Map(this.officeIds);
    if (own && lead !== undefined) ids.set(lead, own.owner);
    for (const { workgroup, derived } of led)
      for (const [key, entry] of derived.roster) if (key !== workgroup.lead) ids.set(key, participantId(key, entry));
    for (const [key, entry] of own?.roster ?? []) ids.set(key, participantId(key, entry));
    const part = { led, ids };
    if (own && lead !== undefined)
      this.seat(own.owner, lead, {
        part,
        own,
        humans: nearest(project.humans, this.tree.humans),
        listens: this.leaders.has(lead),
        prompt: promptOf(lead, project.agentFiles, this.tree.agentFiles),
        leads: [slug(project.name)],
        does: `leads the project ${project.name}`,
        about: project.description,
      });
    this.workgroups(part);
  }

  problems(): RosterProblem[] {
    const errors = this.errors.map(({ code, message }): RosterProblem => ({ severity: 'error', code, text: message }));
    const warnings = this.warnings.map((warning): RosterProblem => ({ severity: 'warning', ...warning }));
    const once = new Map([...errors, ...warnings].map((problem) => [`${problem.code} ${problem.text}`, problem]));
    return [...once.values()];
  }

  private ledOf(project: RosterProject | TroupeError): LedWorkgroup[] {
    if (project instanceof TroupeError) return [];
    return this.ledIn(project.catalogue, project.name, nearest(project.humans, this.tree.humans));
  }

  /** Returns the active, readable workgroups of a catalogue; records the errors of the others. */
  private ledIn(
    catalogue: readonly CataloguedWorkgroup[],
    project: string | undefined,
    above: readonly Human[],
  ): LedWorkgroup[] {
    return catalogue.flatMap(({ workgroup, active }) => {
      if (!active) return [];
      if (workgroup instanceof TroupeError) {
        this.errors.push(workgroup);
        return [];
      }
      const derived = this.taken(() => deriveWorkgroupRoster(workgroup, project));
      const named = `the workgroup ${workgroup.name} of ${project ?? this.tree.name}`;
      return derived ? [{ workgroup, named, derived, humans: nearest(workgroup.humans, above) }] : [];
    });
  }

  /** Adds the leads that have no other id in their part, and the agents they lead. */
  private workgroups(part: Part): void {
    for (const { workgroup, named, derived, humans } of part.led) {
      const { lead, agentFiles, description: about } = workgroup;
      const { owner } = derived;
      if (lead !== undefined && (part.ids.get(lead) ?? owner) === owner) {
        const [listener, prompt] = [this.leaders.has(lead), promptOf(lead, agentFiles)];
        const leads = [scopeOf(derived)];
        this.add({ id: owner, name: lead, derived, listener, humans, prompt, leads, does: `leads ${named}`, about });
      }
      for (const [key, entry] of derived.roster)
        this.seat(participantId(key, entry), key, {
          ...LED,
          ...selfOf(key, entry),
          part,
          humans,
          does: `works in ${named}`,
        });
    }
  }

  /**
   * Adds the agent of a position. If it also leads workgroups, their agents join its roster. If its part has no other
   * id for the lead of such a workgroup, the agent is that lead under its own id.
   */
  private seat(id: string, name: string, { part, own, humans, prompt, listens, leads, does, about }: Seat): void {
    const isLead = part.ids.get(name) === id;
    const led = part.led.filter(
      ({ workgroup }) => workgroup.lead === name && workgroup.agents.length > 0 && (isLead || own === undefined),
    );
    const derived = joinedRosters(id, name, [...(own ? [own] : []), ...led.map((one) => one.derived)]);
    const [nearer = humans] = own ? [humans] : led.map((one) => one.humans);
    this.add({
      id,
      name,
      derived,
      humans: nearer,
      prompt,
      listener: listens || led.length > 0,
      about: about ?? led[0]?.workgroup.description,
      does: [does, ...led.map(({ named }) => `leads ${named}`)].join(', '),
      leads: [...leads, ...(isLead ? led.map((one) => scopeOf(one.derived)) : [])],
    });
  }

  private add(standing: TreeStanding): void {
    if (!this.agents.has(standing.id)) this.agents.set(standing.id, standing);
    this.warnings.push(...standing.derived.warnings);
  }

  /** Returns the result, or undefined after recording a TroupeError, so that the other parts are still read. */
  private taken<Result>(derive: () => Result): Result | undefined {
    try {
      return derive();
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      this.errors.push(error);
      return undefined;
    }
  }
}

/** Description of a led agent from its agent file. */
function selfOf(name: string, { prompt, description }: RosterEntry): Pick<Seat, 'prompt' | 'about'> {
  return { prompt, about: description === name ? undefined : description };
}

/** Prompt from the first of these sources that has a file for the agent. */
function promptOf(name: string, ...files: readonly ReadonlyMap<string, AgentFile>[]): string | undefined {
  return files.map((each) => each.get(name)).find((file) => file !== undefined)?.prompt;
}

/** `teaparty/coding/lead` → `teaparty/coding` */
const scopeOf = ({ owner }: Derived): string => owner.slice(0, owner.lastIndexOf('/'));

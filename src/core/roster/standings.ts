import { TroupeError } from '#kernel/errors.js';
import type { ConfigTree, Human, Project, Warning, Workgroup } from './config-tree.js';
import {
  type Derived,
  deriveOfficeRoster,
  deriveProjectRoster,
  deriveWorkgroupRoster,
  idOf,
  leadersIn,
  OFFICE,
} from './derive.js';
import { unknownGates } from './gates.js';

/** How one agent of a tree stands: whom it has, whether it can write at all, and the people of its level. */
export interface Standing {
  readonly id: string;
  /** As its agent file is called. */
  readonly name: string;
  readonly derived: Derived;
  readonly listener: boolean;
  readonly humans: readonly Human[];
}

/** Something in the configuration that should be mended; an error makes a part of it unusable. */
export interface RosterProblem {
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly text: string;
}

export interface Standings {
  /** By id, leads before those they lead. */
  readonly agents: ReadonlyMap<string, Standing>;
  readonly problems: readonly RosterProblem[];
}

/** The people of the nearest level that names any. */
function nearest(...levels: readonly (readonly Human[])[]): readonly Human[] {
  return levels.find((humans) => humans.length > 0) ?? [];
}

/** Everybody in a tree, and everything that is wrong with it. What cannot be read takes only its own part with it. */
export function standingsOf(tree: ConfigTree): Standings {
  const everybody = new Everybody(tree);
  everybody.office();
  for (const { project } of tree.projects) everybody.project(project);
  return { agents: everybody.agents, problems: everybody.problems() };
}

class Everybody {
  readonly agents = new Map<string, Standing>();
  private readonly tree: ConfigTree;
  private readonly leaders: ReadonlySet<string>;
  private readonly errors: TroupeError[] = [];
  private readonly warnings: Warning[];

  constructor(tree: ConfigTree) {
    this.tree = tree;
    this.leaders = leadersIn(tree);
    this.warnings = [...tree.warnings];
  }

  office(): void {
    const { tree } = this;
    const derived = this.taken(() => deriveOfficeRoster(tree));
    if (derived) {
      this.add({ id: OFFICE, name: tree.lead ?? 'office-manager', derived, listener: true, humans: tree.humans });
      for (const [key, entry] of derived.roster)
        if (entry.position.kind === 'agent') this.leaf(idOf(key, entry), key, tree.humans);
    }
    for (const { workgroup, active } of tree.catalogue) if (active) this.workgroup(workgroup, undefined, tree.humans);
  }

  project(project: Project | TroupeError): void {
    if (project instanceof TroupeError) {
      this.errors.push(project);
      return;
    }
    for (const text of unknownGates(project.name, project.escalation))
      this.warnings.push({ code: 'gate_unknown', text });
    const humans = nearest(project.humans, this.tree.humans);
    const derived = this.taken(() => deriveProjectRoster(project));
    if (derived && project.lead !== undefined) this.lead(project.lead, derived, humans);
    for (const { workgroup, active } of project.catalogue) if (active) this.workgroup(workgroup, project.name, humans);
  }

  problems(): RosterProblem[] {
    const errors = this.errors.map(({ code, message }): RosterProblem => ({ severity: 'error', code, text: message }));
    const warnings = this.warnings.map((warning): RosterProblem => ({ severity: 'warning', ...warning }));
    const once = new Map([...errors, ...warnings].map((problem) => [`${problem.code} ${problem.text}`, problem]));
    return [...once.values()];
  }

  private workgroup(workgroup: Workgroup | TroupeError, project: string | undefined, above: readonly Human[]): void {
    if (workgroup instanceof TroupeError) {
      this.errors.push(workgroup);
      return;
    }
    const humans = nearest(workgroup.humans, above);
    const derived = this.taken(() => deriveWorkgroupRoster(workgroup, project));
    if (!derived) return;
    if (workgroup.lead !== undefined) this.lead(workgroup.lead, derived, humans);
    for (const [key, entry] of derived.roster) this.leaf(idOf(key, entry), key, humans);
  }

  private lead(name: string, derived: Derived, humans: readonly Human[]): void {
    this.add({ id: derived.owner, name, derived, listener: this.leaders.has(name), humans });
  }

  /** One who is led; where it leads others elsewhere it is a lead there, under another id. */
  private leaf(id: string, name: string, humans: readonly Human[]): void {
    const derived: Derived = { owner: id, roster: new Map(), warnings: [] };
    this.add({ id, name, derived, listener: false, humans });
  }

  private add(standing: Standing): void {
    if (!this.agents.has(standing.id)) this.agents.set(standing.id, standing);
    this.warnings.push(...standing.derived.warnings);
  }

  /** An error in one part is noted, and the rest goes on. */
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

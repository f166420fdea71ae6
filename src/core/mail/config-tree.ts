import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { slugOf } from '#kernel/slug.js';
import { ESCALATION_MODES, type EscalationWords } from './gates.js';

const text = z.string().check(z.minLength(1), z.maxLength(TEAM_LIMITS.rosterTextCharacters));
const name = z.string().check(z.minLength(1), z.maxLength(WORK_LIMITS.idCharacters));
/** Optional in YAML: absent and empty (null) mean the same. */
const maybe = <Schema extends z.core.$ZodType>(schema: Schema) => z.nullish(schema);
/** Description in a file; a blank one counts as absent. */
const described = maybe(z.string().check(z.maxLength(TEAM_LIMITS.rosterTextCharacters)));
const names = maybe(z.array(name).check(z.maxLength(TEAM_LIMITS.rosterEntries)));

const people = z.union([
  z.object({ decider: maybe(name), advisors: names, inform: names }),
  z.array(z.object({ name, role: z.enum(['decider', 'advisor', 'informed']) })),
]);

const cataloguedFile = z.object({ name, config: text, status: maybe(name) });
const cataloguedReference = z.object({ ref: name, status: maybe(name) });
const cataloguedProject = z.object({ name, path: text, config: maybe(text) });

/** Schema of `teaparty.yaml`, the configuration of the office. */
export const officeFile = z.object({
  name,
  description: described,
  lead: maybe(name),
  humans: maybe(people),
  projects: maybe(z.array(cataloguedProject).check(z.maxLength(TEAM_LIMITS.rosterEntries))),
  members: maybe(z.object({ projects: names, agents: names, workgroups: names })),
  workgroups: maybe(z.array(cataloguedFile).check(z.maxLength(TEAM_LIMITS.rosterEntries))),
});

/** Schema of `external-projects.yaml`, which lists further projects. An empty file lists none. */
export const externalProjectsFile = maybe(z.array(cataloguedProject).check(z.maxLength(TEAM_LIMITS.rosterEntries)));

/** Schema of `project.yaml`. */
export const projectFile = z.object({
  name,
  description: described,
  lead: maybe(name),
  humans: maybe(people),
  workgroups: maybe(
    z.array(z.union([name, cataloguedReference, cataloguedFile])).check(z.maxLength(TEAM_LIMITS.rosterEntries)),
  ),
  members: maybe(z.object({ workgroups: names })),
  escalation: maybe(z.record(z.string(), z.enum(ESCALATION_MODES))),
});

/** Schema of a workgroup file. */
export const workgroupFile = z.object({
  name,
  description: described,
  lead: maybe(name),
  members: maybe(z.object({ agents: names })),
  humans: maybe(people),
});

/** The front matter of an agent file. */
export const agentHead = z.object({ name: maybe(name), description: maybe(z.string()) });

export interface Human {
  readonly name: string;
  readonly role: 'decider' | 'advisor' | 'informed';
}

export interface AgentFile {
  readonly description: string | undefined;
  /** Body of the file: the prompt of the agent. */
  readonly prompt: string;
}

export interface Workgroup {
  readonly name: string;
  /** Reference by which the catalogue lists it; undefined if it is listed by name, or named by a caller. */
  readonly ref: string | undefined;
  readonly description: string | undefined;
  readonly lead: string | undefined;
  readonly agents: readonly string[];
  readonly humans: readonly Human[];
  /** Agent files of the lead and the agents, by agent name; agents without a file are missing. */
  readonly agentFiles: ReadonlyMap<string, AgentFile>;
}

/** A workgroup in a catalogue: the workgroup, or the error that prevented reading it. */
export interface CataloguedWorkgroup {
  readonly ref: string | undefined;
  readonly name: string | undefined;
  readonly active: boolean;
  readonly workgroup: Workgroup | TroupeError;
}

export interface RosterProject {
  readonly name: string;
  readonly description: string | undefined;
  readonly lead: string | undefined;
  readonly humans: readonly Human[];
  readonly catalogue: readonly CataloguedWorkgroup[];
  readonly memberWorkgroups: readonly string[];
  readonly agentFiles: ReadonlyMap<string, AgentFile>;
  /** Escalation mode per gate, as configured. */
  readonly escalation: EscalationWords;
}

export interface CataloguedProject {
  readonly name: string;
  /** The project, or the error that prevented reading it. */
  readonly project: RosterProject | TroupeError;
}

/** The whole configuration: the office and everything below it. */
export interface ConfigTree {
  readonly name: string;
  readonly description: string | undefined;
  readonly lead: string | undefined;
  readonly humans: readonly Human[];
  readonly projects: readonly CataloguedProject[];
  /** Undefined if the file lacks the key: then every catalogued project is a member. */
  readonly memberProjects: readonly string[] | undefined;
  readonly memberAgents: readonly string[];
  readonly memberWorkgroups: readonly string[];
  readonly catalogue: readonly CataloguedWorkgroup[];
  readonly agentFiles: ReadonlyMap<string, AgentFile>;
  /** Problems found while reading, such as agent files with invalid front matter. */
  readonly warnings: readonly RosterWarning[];
}

/** An entry left out of a roster, and the reason. The remaining entries are unaffected. */
export interface RosterWarning {
  readonly code:
    | 'project_unknown'
    | 'project_unloadable'
    | 'project_leadless'
    | 'workgroup_unknown'
    | 'workgroup_leadless'
    | 'lead_unreachable'
    | 'gate_unknown'
    | 'self_entry'
    | 'name_shared'
    | 'agent_file_invalid';
  readonly text: string;
}

/**
 * Returns both forms of `humans` as one list. The object form lists the decider, then advisors, then informed people.
 */
export function humansIn(value: z.infer<typeof people> | null | undefined): Human[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return [...value];
  const as = (role: Human['role'], list: readonly string[] | null | undefined): Human[] =>
    (list ?? []).map((one) => ({ name: one, role }));
  const decider = value.decider ? [value.decider] : [];
  return [...as('decider', decider), ...as('advisor', value.advisors), ...as('informed', value.inform)];
}

/** Returns a name as part of an id: NFKC, lower case, blanks as `-`. Errors: `config_invalid`. */
export function slug(of: string): string {
  const made = slugOf(of);
  if (made !== undefined) return made;
  throw new TroupeError('config_invalid', {
    what: `${JSON.stringify(of.slice(0, WORK_LIMITS.idCharacters))} cannot be part of an id: it must not be empty or contain /, : or control characters.`,
  });
}

import type { OperationName } from '#operations/map.js';
import { specOf } from '#operations/named.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import { EVERYDAY, EVERYDAY_NAMES, PERSON_INSTRUCTIONS } from './everyday.js';

/** What a server offers, and what of it is left out. */
export interface Offer {
  readonly specs: readonly OperationSpec[];
  withheld(spec: OperationSpec, field: string): boolean;
  /** Why a field is withheld, for whoever says it all the same. */
  readonly because: string;
  /** The task that is meant where none is named; nobody's where it is undefined. */
  readonly ownTask?: string;
  /** What a model is told of a tool; undefined: the words of the command line. */
  about(spec: OperationSpec): string | undefined;
  /** Told once, when a client connects. */
  readonly instructions: string;
}

/** What an agent is offered, by the name of the operation: what it needs to see, and what is open to runs. */
const OF_RUNS = [
  ...['task.show', 'task.list', 'task.ready', 'task.context', 'task.why'],
  ...['task.done', 'task.fail', 'task.log', 'task.artifact', 'task.wait', 'task.checkpoint', 'task.add', 'task.edit'],
  ...[
    'task.add-dep',
    'task.commit',
    'msg.send',
    'msg.list',
    'msg.read',
    'msg.poll',
    'func.list',
    'func.show',
    'func.apply',
  ],
] as const satisfies readonly OperationName[];

/**
 * What the client of a person is offered on request, beside what one does all day: the team and all that makes it, its memory, plans of
 * work. What a person alone may agree to is no tool: commands of the project (`workflow trust`), and a team that is confirmed
 * unseen (`cast for`).
 */
export const PERSON_TIERS = {
  core: EVERYDAY_NAMES,
  team: [
    ...['casting.analyze', 'casting.goal', 'casting.scenario', 'casting.scenarios', 'casting.manual', 'casting.show'],
    ...['casting.amend', 'casting.confirm', 'casting.reject', 'casting.universes', 'casting.archetypes', 'team.show'],
    ...['member.show', 'member.add', 'member.rerole', 'member.charter', 'member.retire', 'member.restore'],
    ...['member.rename', 'squad.check', 'squad.render', 'squad.migrate', 'squad.sync', 'catalog.show', 'catalog.lint'],
  ],
  memory: [
    ...['memory.import', 'memory.export', 'memory.list', 'memory.add', 'decision.list', 'decision.add'],
    ...['decision.archive', 'inbox.list', 'inbox.add', 'inbox.merge', 'inbox.reject'],
    ...['teamsession.show', 'teamsession.list', 'teamsession.start', 'teamsession.change'],
  ],
  plans: [
    ...['blueprint.list', 'blueprint.show', 'blueprint.generate', 'blueprint.validate', 'blueprint.apply'],
    ...['workflow.list', 'workflow.show', 'workflow.check', 'workflow.run', 'workflow.status', 'workflow.close'],
  ],
} as const satisfies Record<string, readonly OperationName[]>;
export type PersonTier = keyof typeof PERSON_TIERS;
export const PERSON_TIER_NAMES = Object.keys(PERSON_TIERS) as readonly PersonTier[];

/** By these a person says who they are, vouches for something or names a file: no agent does. */
const WITHHELD = ['actor', 'from', 'force', 'trust', 'input_file', 'include_peers'];
/** The same of a person's client: whoever reads its answers reads no files by it, and goes round no rule of the project. */
const WITHHELD_OF_PERSONS = [...WITHHELD, 'override', 'dependenciesFrom'];

/** The tools of one run: its own task, what it made, nothing for people. */
export function offerToRun(taskId: string): Offer {
  return {
    specs: operationSpecs(OF_RUNS),
    withheld: (_face, field) => WITHHELD.includes(field),
    because: 'A run does not say it: it is itself, and vouches for nothing.',
    ownTask: taskId,
    about: () => undefined,
    instructions:
      'These tools report on your own task and show the graph around it. Without id they mean your own task.',
  };
}

/** The tools of the client a person works with: the same operations, and whatever they refuse they refuse here. */
export function offerToPerson(tiers: readonly PersonTier[]): Offer {
  return {
    specs: operationSpecs([...new Set<PersonTier>(['core', ...tiers])].flatMap((tier) => PERSON_TIERS[tier])),
    withheld: (spec, field) =>
      WITHHELD_OF_PERSONS.includes(field) ||
      EVERYDAY[spec.name]?.fields.includes(field) === false ||
      spec.options?.some((option) => option.field === field && option.path !== undefined) === true,
    because: 'It names a file, a command or goes round a rule: type the command yourself.',
    about: (spec) => EVERYDAY[spec.name]?.about,
    instructions: PERSON_INSTRUCTIONS,
  };
}

function operationSpecs(names: readonly OperationName[]): OperationSpec[] {
  return names.map(specOf);
}

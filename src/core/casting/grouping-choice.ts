import type { Catalog, Grouping } from '#core/catalog/catalog.js';
import { TroupeError } from '#kernel/errors.js';
import type { Warning } from './proposal.js';
import { readGoal } from './work-kinds.js';

/** Number of groupings offered for an unclear goal. */
const CHOICES = 3;

/** Grouping with its id in the catalog. */
interface GroupingChoice {
  readonly id: string;
  readonly grouping: Grouping;
}

/**
 * Returns the groupings closest to a goal, best first: scored by the share of each likely kind's team that they
 * contain.
 */
export function groupingsFor(catalog: Catalog, goal: string): readonly GroupingChoice[] {
  const { leaning } = readGoal(catalog, goal);
  const shareOf = ({ archetypes }: Grouping, team: readonly string[]) =>
    team.filter((id) => archetypes.includes(id)).length / team.length;
  return [...catalog.groupings]
    .map(([id, grouping]) => ({
      id,
      grouping,
      score: [...leaning].reduce((sum, [{ team }, odds]) => sum + odds * shareOf(grouping, team), 0),
    }))
    .sort((left, right) => right.score - left.score)
    .slice(0, CHOICES);
}

/**
 * Rejects a goal whose words do not make the kind of work clear, and lists groupings to choose from: `goal_unclear`.
 */
export function refuseUnclear(catalog: Catalog, goal: string, warnings: readonly Warning[]): never {
  const choices = groupingsFor(catalog, goal);
  const commands = choices.map(({ id, grouping }) => `\`troupe cast propose --scenario ${id}\` (${grouping.title})`);
  throw new TroupeError('goal_unclear', {
    what: [
      'The words of the goal do not say clearly enough what kind of work it is.',
      ...warnings.map(({ message }) => message),
    ].join(' '),
    hint: `Choose the nearest group: ${commands.join(', ')}. Or say in English what has to be built, found out or fixed.`,
    details: {
      groupings: choices.map(({ id, grouping: { title, description, archetypes } }) => ({
        id,
        title,
        description,
        archetypes,
      })),
    },
  });
}

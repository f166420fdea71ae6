import { freeAnswerId, plainLine } from '#core/casting/answer-text.js';
import { goalWords } from '#core/casting/goal-words.js';
import { pickByWords } from '#core/casting/ranking.js';
import type { GeneratedBlueprint, Library } from '#core/casting/read-answer.js';
import type { Workflow } from '#core/catalog/workflow.js';
import { BLUEPRINT_LIMITS } from '#kernel/limits/blueprints.js';
import { wordsOf } from '#kernel/words.js';

/** Weight of a keyword, which identifies a process; a match with a word of the name or description weighs 1. */
const KEYWORD = 4;
const NAME_WORDS = 6;

/** Generates a blueprint without a model: the team from the words of the description, the workflow by keywords. */
export function blueprintByWords(
  description: string,
  library: Library & { readonly processes: readonly Workflow[] },
  size: number | undefined,
): GeneratedBlueprint {
  const { picks, warnings } = pickByWords(library.catalog, description, size);
  const name = plainLine(description, BLUEPRINT_LIMITS.nameCharacters).split(' ').slice(0, NAME_WORDS).join(' ');
  const workflow = workflowByWords(description, library);
  return {
    blueprint: {
      id: freeAnswerId([name], 'blueprint', library.blueprints),
      name,
      description: plainLine(description, BLUEPRINT_LIMITS.descriptionCharacters),
      roster: picks.map((pick) => pick.archetypeId),
      workflows: [workflow ?? 'default'],
      review_policy: 'default',
      sandbox_profile: 'default',
    },
    warnings:
      workflow === undefined
        ? [...warnings, { code: 'default_workflow', message: 'No workflow matches: using “default”.' }]
        : warnings,
  };
}

/** Returns the workflow with the best score among those with a matching keyword; ties in library order. */
function workflowByWords(
  description: string,
  { catalog, processes }: Pick<Library, 'catalog'> & { readonly processes: readonly Workflow[] },
): string | undefined {
  const words = goalWords(description, catalog.lexicon);
  const scored = processes
    .filter((workflow) => workflow.id !== 'default')
    .map((workflow) => {
      const keywords = new Set((workflow.process?.keywords ?? []).flatMap(wordsOf));
      const others = new Set([workflow.name, workflow.description].flatMap(wordsOf));
      const hits = words.filter((word) => keywords.has(word)).length;
      return { id: workflow.id, hits, score: hits * KEYWORD + words.filter((word) => others.has(word)).length };
    })
    .filter(({ hits }) => hits > 0);
  return scored.reduce<(typeof scored)[number] | undefined>(
    (best, next) => (best && best.score >= next.score ? best : next),
    undefined,
  )?.id;
}

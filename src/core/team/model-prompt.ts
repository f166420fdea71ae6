import type { Archetype } from '#core/catalog/catalog.js';
import { oneLine } from '#kernel/fence.js';
import { LIMITS } from '#kernel/limits.js';
import type { Block } from '#kernel/question.js';

/** What the choice is made for: words of a person, or what a scan found. */
export interface ModelTopic {
  readonly label: 'goal' | 'repository';
  readonly text: string;
}

/**
 * What a model is shown when it chooses: the menu and the topic. Entries of the menu may come from the
 * project too, so it stands in a block of its own.
 */
export function choiceBlocks(menu: readonly Archetype[], topic: ModelTopic): Block[] {
  const line = (archetype: Archetype) =>
    [archetype.id, archetype.title, archetype.summary].map((part) => oneLine(part, LIMITS.modelTextsBytes)).join(' | ');
  const most = topic.label === 'goal' ? LIMITS.goalCharacters * 4 : LIMITS.analysisSummaryCharacters * 4;
  return [
    { label: 'menu', text: menu.map(line).join('\n'), most: LIMITS.modelTextsBytes },
    { label: topic.label, text: topic.text, most },
  ];
}

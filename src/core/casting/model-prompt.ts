import type { Archetype } from '#core/catalog/entries.js';
import { fenced, oneLine } from '#kernel/fence.js';
import { LIMITS } from '#kernel/limits.js';

/** What the choice is made for: words of a person, or what a scan found. */
export interface ModelTopic {
  readonly label: 'goal' | 'repository';
  readonly text: string;
}

/**
 * What a model is asked when it chooses: our words, the menu, and the topic as data. Entries of the menu may come from the
 * project too, so it stands in a block of its own.
 */
export function choicePrompt(words: string, nonce: string, menu: readonly Archetype[], topic: ModelTopic): string {
  const line = (archetype: Archetype) =>
    [archetype.id, archetype.title, archetype.summary].map((part) => oneLine(part, LIMITS.modelTextsBytes)).join(' | ');
  const most = topic.label === 'goal' ? LIMITS.goalCharacters * 4 : LIMITS.analysisSummaryCharacters * 4;
  const blocks = [
    fenced(nonce, 'menu', menu.map(line).join('\n'), LIMITS.modelTextsBytes),
    fenced(nonce, topic.label, topic.text, most),
  ];
  return `${[words, ...blocks.map((block) => block.text)].join('\n\n')}\n`;
}

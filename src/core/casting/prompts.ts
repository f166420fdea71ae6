import type { Archetype } from '#core/catalog/catalog.js';
import type { Blueprint } from '#core/catalog/policies.js';
import type { Workflow } from '#core/catalog/workflow.js';
import { oneLine } from '#kernel/fence.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Block } from '#kernel/question.js';

interface MenuOption {
  readonly id: string;
  readonly description?: string | undefined;
}

export interface BlueprintTopic {
  readonly description: string;
  readonly menu: readonly Archetype[];
  readonly workflows: readonly Workflow[];
  readonly policies: readonly MenuOption[];
  readonly profiles: readonly MenuOption[];
}

/** Returns the blocks shown to a model that generates a blueprint: all available choices, and the description. */
export function blueprintBlocks(topic: BlueprintTopic): Block[] {
  const described = ({ id, description = '' }: MenuOption) => row(id, description);
  return blocksOf([
    ['menu', topic.menu.map(({ id, title, summary }) => row(id, title, summary))],
    ['workflows', topic.workflows.map((flow) => row(flow.id, flow.process?.kind ?? 'general', flow.description))],
    ['policies', topic.policies.map(described)],
    ['profiles', topic.profiles.map(described)],
    ['description', [topic.description]],
  ]);
}

/** Returns the blocks shown to a model that drafts a workflow; the second attempt includes the problem of the first. */
export function draftBlocks(topic: {
  readonly description: string;
  readonly blueprint: Blueprint;
  readonly menu: readonly Archetype[];
  readonly problem?: string | undefined;
}): Block[] {
  const titles = new Map([
    ...topic.menu.map(({ id, title }) => [id, title] as const),
    ...(topic.blueprint.bespoke_roles ?? []).map(({ id, title }) => [id, title] as const),
  ]);
  return blocksOf([
    ['roster', topic.blueprint.roster.map((id) => row(id, titles.get(id) ?? ''))],
    ['description', [topic.description]],
    ...(topic.problem === undefined ? [] : ([['problem', [topic.problem]]] as const)),
  ]);
}

function row(...parts: readonly string[]): string {
  return parts.map((part) => oneLine(part, TEAM_LIMITS.modelTextsBytes)).join(' | ');
}

function blocksOf(blocks: readonly (readonly [string, readonly string[]])[]): Block[] {
  return blocks.map(([label, lines]) => ({ label, text: lines.join('\n'), most: TEAM_LIMITS.modelTextsBytes }));
}

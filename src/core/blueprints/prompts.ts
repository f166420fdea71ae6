import type { Archetype } from '#core/catalog/entries.js';
import type { Blueprint } from '#core/catalog/policies.js';
import type { Workflow } from '#core/catalog/workflow.js';
import { fenced, oneLine } from '#kernel/fence.js';
import { LIMITS } from '#kernel/limits.js';

interface Described {
  readonly id: string;
  readonly description?: string | undefined;
}

export interface BlueprintTopic {
  readonly description: string;
  readonly menu: readonly Archetype[];
  readonly workflows: readonly Workflow[];
  readonly policies: readonly Described[];
  readonly profiles: readonly Described[];
}

/** What a model is asked for a blueprint: our words, all it can choose from, and what somebody wants, each as data. */
export function blueprintPrompt(words: string, nonce: string, topic: BlueprintTopic): string {
  const described = ({ id, description = '' }: Described) => row(id, description);
  return asked(words, nonce, [
    ['menu', topic.menu.map(({ id, title, summary }) => row(id, title, summary))],
    ['workflows', topic.workflows.map((flow) => row(flow.id, flow.process?.kind ?? 'general', flow.description))],
    ['policies', topic.policies.map(described)],
    ['profiles', topic.profiles.map(described)],
    ['description', [topic.description]],
  ]);
}

/** What a model is asked for a workflow; the second time with what was wrong with its first. */
export function draftPrompt(
  words: string,
  nonce: string,
  topic: { description: string; blueprint: Blueprint; menu: readonly Archetype[]; problem?: string | undefined },
): string {
  const titles = new Map([
    ...topic.menu.map(({ id, title }) => [id, title] as const),
    ...(topic.blueprint.bespoke_roles ?? []).map(({ id, title }) => [id, title] as const),
  ]);
  return asked(words, nonce, [
    ['roster', topic.blueprint.roster.map((id) => row(id, titles.get(id) ?? ''))],
    ['description', [topic.description]],
    ...(topic.problem === undefined ? [] : ([['problem', [topic.problem]]] as const)),
  ]);
}

function row(...parts: readonly string[]): string {
  return parts.map((part) => oneLine(part, LIMITS.modelTextsBytes)).join(' | ');
}

function asked(words: string, nonce: string, blocks: readonly (readonly [string, readonly string[]])[]): string {
  const texts = blocks.map(([label, lines]) => fenced(nonce, label, lines.join('\n'), LIMITS.modelTextsBytes).text);
  return `${[words, ...texts].join('\n\n')}\n`;
}

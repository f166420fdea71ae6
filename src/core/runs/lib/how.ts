/**
 * What each section of a prompt says.
 * @packageDocumentation
 */

import { oneLine } from '#kernel/fence.js';
import { LIMITS } from '#kernel/limits.js';
import type { Section } from './section.js';
import { name, type PromptContext } from './section.js';

/** How an attempt says what it does. */
export function commands(section: Section, told: PromptContext): void {
  section.say(told.words('commands'));
  if (told.facts.mode === 'full') section.say(told.words('commands-files'));
}

/** Only for who may commit: the others change nothing, as the header has it. */
export function git(section: Section, told: PromptContext): void {
  const { mode, tree, commits } = told.facts;
  if (mode !== 'full' || tree === 'none') return;
  const own = commits === 'tool' ? 'git-tool' : 'git';
  section.say(told.words(tree === 'own' ? own : 'git-shared'));
}

/** Shapes of graphs that one makes of edges. */
export function patterns(section: Section, told: PromptContext): void {
  if (told.facts.mayAdd) section.say(told.words('patterns'));
}

/** Pieces of graphs that are there to be used again. */
export function functions(section: Section, told: PromptContext): void {
  const { mayAdd, functions: pieces = [] } = told.facts;
  if (!mayAdd || pieces.length === 0) return;
  section.say(told.words('functions'));
  const rows = pieces.map(({ id, description }) => {
    const about = description === undefined ? '' : `: ${oneLine(description, LIMITS.promptNameBytes)}`;
    return `- ${name(id)}${about}`;
  });
  section.list('functions', rows, LIMITS.promptListRows, LIMITS.promptFileBytes / 4);
}

/** That the graph may grow from here. */
export function grow(section: Section, told: PromptContext): void {
  if (told.facts.mayAdd) section.say(told.words('grow'));
}

export function project(section: Section, told: PromptContext): void {
  const { name: called, description } = told.facts.project ?? {};
  if (!called && !description) return;
  section.say(told.words('project'));
  const lines = [...(called ? [`name: ${name(called)}`] : []), ...(description ? [description] : [])];
  section.block('project', lines.join('\n'), LIMITS.promptFileBytes / 4);
}

/** The project's own summary of itself. */
export function context(section: Section, told: PromptContext): void {
  if (!told.facts.context?.trim()) return;
  section.say(told.words('context'));
  section.block('context.md', told.facts.context, LIMITS.promptFileBytes);
}

/** What the system around the task is. */
export function preamble(section: Section, told: PromptContext): void {
  section.say(told.words('preamble'));
}

/** What the project tells every agent that works in it. */
export function rules(section: Section, told: PromptContext): void {
  const found = (told.facts.rules ?? []).filter(({ text }) => text.trim() !== '');
  if (found.length === 0) return;
  section.say(told.words('rules'));
  for (const { file, text } of found) section.block(`rules: ${file}`, text, LIMITS.promptRulesBytes);
}

/**
 * The content of each section of a prompt.
 * @packageDocumentation
 */

import { oneLine } from '#kernel/fence.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Section } from './section.js';
import { name, type PromptContext } from './section.js';

/** Commands for reporting on the task. */
export function commands(section: Section, prompt: PromptContext): void {
  section.say(prompt.words('commands'));
  if (prompt.facts.mode === 'full') section.say(prompt.words('commands-files'));
}

/** Git instructions, only for clients that may commit; the header tells the others to change nothing. */
export function git(section: Section, prompt: PromptContext): void {
  const { mode, tree, commits, lacks = [] } = prompt.facts;
  if (mode !== 'full' || tree === 'none') return;
  const own = commits === 'tool' ? 'git-tool' : 'git';
  section.say(prompt.words(tree === 'own' ? own : 'git-shared'));
  if (tree === 'own' && lacks.length > 0)
    section.list('not in this worktree', lacks, TEAM_LIMITS.promptListRows, TEAM_LIMITS.promptFileBytes / 4);
}

/** Graph patterns that can be built with edges. */
export function patterns(section: Section, prompt: PromptContext): void {
  if (prompt.facts.mayAdd) section.say(prompt.words('patterns'));
}

/** Reusable functions of the project. */
export function functions(section: Section, prompt: PromptContext): void {
  const { mayAdd, functions: pieces = [] } = prompt.facts;
  if (!mayAdd || pieces.length === 0) return;
  section.say(prompt.words('functions'));
  const rows = pieces.map(({ id, description }) => {
    const about = description === undefined ? '' : `: ${oneLine(description, TEAM_LIMITS.promptNameBytes)}`;
    return `- ${name(id)}${about}`;
  });
  section.list('functions', rows, TEAM_LIMITS.promptListRows, TEAM_LIMITS.promptFileBytes / 4);
}

/** States that the agent may add tasks. */
export function grow(section: Section, prompt: PromptContext): void {
  if (prompt.facts.mayAdd) section.say(prompt.words('grow'));
}

export function project(section: Section, prompt: PromptContext): void {
  const { name: called, description } = prompt.facts.project ?? {};
  if (!called && !description) return;
  section.say(prompt.words('project'));
  const lines = [...(called ? [`name: ${name(called)}`] : []), ...(description ? [description] : [])];
  section.block('project', lines.join('\n'), TEAM_LIMITS.promptFileBytes / 4);
}

/** The project's own summary. */
export function context(section: Section, prompt: PromptContext): void {
  if (!prompt.facts.context?.trim()) return;
  section.say(prompt.words('context'));
  section.block('context.md', prompt.facts.context, TEAM_LIMITS.promptFileBytes);
}

/** Short description of Troupe. */
export function preamble(section: Section, prompt: PromptContext): void {
  section.say(prompt.words('preamble'));
}

/** Rules of the project for every agent. */
export function rules(section: Section, prompt: PromptContext): void {
  const ruleTexts = (prompt.facts.rules ?? []).filter(({ text }) => text.trim() !== '');
  if (ruleTexts.length === 0) return;
  section.say(prompt.words('rules'));
  for (const { file, text } of ruleTexts) section.block(`rules: ${file}`, text, TEAM_LIMITS.promptRulesBytes);
}

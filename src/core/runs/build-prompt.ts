import { CONTEXT_SCOPES } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { consumers, neighbours, predecessors, wholeGraph } from '#core/runs/lib/around.js';
import { commands, context, functions, git, grow, patterns, preamble, project, rules } from '#core/runs/lib/how.js';
import { PromptContext, Section } from '#core/runs/lib/section.js';
import { guardrails, strategy, team, teamMail } from '#core/runs/lib/team.js';
import { feedback, handIn, judged, teamWork } from '#core/runs/lib/team-work.js';
import {
  conflict,
  conversation,
  cycle,
  labels,
  messagesSection,
  previous,
  roster,
  task,
  unreportedSection,
  verification,
} from '#core/runs/lib/what.js';
import { decisions, header, identity, memory, role, skills } from '#core/runs/lib/who.js';
import { bytesOf } from '#kernel/fence.js';
import { ROLE_PROMPT_LIMITS } from '#kernel/limits/role-prompts.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { PromptFacts, Scope } from './prompt-facts.js';

interface Kind {
  readonly name: string;
  readonly scope: Scope;
  /** Maximum bytes. */
  readonly most: number;
  readonly write: (section: Section, prompt: PromptContext) => void;
}

const LIST = TEAM_LIMITS.promptListBytes;

/** In this order. Empty sections are left out. */
const SECTIONS: readonly Kind[] = [
  { name: 'skills', scope: 'clean', most: TEAM_LIMITS.promptSkillsBytes, write: skills },
  { name: 'header', scope: 'clean', most: LIST, write: header },
  { name: 'identity', scope: 'clean', most: TEAM_LIMITS.promptIdentityBytes, write: identity },
  { name: 'role', scope: 'clean', most: ROLE_PROMPT_LIMITS.sectionBytes, write: role },
  { name: 'team', scope: 'clean', most: 2 * LIST, write: team },
  { name: 'strategy', scope: 'clean', most: TALK_LIMITS.promptStrategyBytes + LIST, write: strategy },
  { name: 'task', scope: 'clean', most: TEAM_LIMITS.promptTaskBytes, write: task },
  { name: 'team-work', scope: 'clean', most: LIST, write: teamWork },
  { name: 'hand-in', scope: 'clean', most: LIST, write: handIn },
  { name: 'judged', scope: 'clean', most: 2 * TEAM_LIMITS.promptDiffBytes, write: judged },
  { name: 'feedback', scope: 'clean', most: LIST, write: feedback },
  { name: 'conversation', scope: 'clean', most: TEAM_LIMITS.promptConversationBytes, write: conversation },
  { name: 'roster', scope: 'clean', most: TEAM_LIMITS.promptFileBytes / 4, write: roster },
  { name: 'verification', scope: 'clean', most: LIST, write: verification },
  { name: 'team-mail', scope: 'clean', most: TEAM_LIMITS.promptMessagesBytes, write: teamMail },
  { name: 'predecessors', scope: 'clean', most: TEAM_LIMITS.promptPredecessorsBytes, write: predecessors },
  { name: 'previous', scope: 'clean', most: TEAM_LIMITS.promptPreviousBytes, write: previous },
  { name: 'conflict', scope: 'clean', most: 2 * TEAM_LIMITS.promptDiffBytes, write: conflict },
  { name: 'cycle', scope: 'clean', most: LIST, write: cycle },
  { name: 'commands', scope: 'clean', most: LIST, write: commands },
  { name: 'labels', scope: 'task', most: LIST, write: labels },
  { name: 'messages', scope: 'task', most: TEAM_LIMITS.promptMessagesBytes, write: messagesSection },
  { name: 'memory', scope: 'task', most: TEAM_LIMITS.promptMemoryBytes, write: memory },
  { name: 'consumers', scope: 'task', most: LIST, write: consumers },
  { name: 'git', scope: 'task', most: LIST, write: git },
  { name: 'grow', scope: 'task', most: LIST, write: grow },
  { name: 'functions', scope: 'task', most: LIST, write: functions },
  { name: 'rules', scope: 'task', most: TEAM_LIMITS.promptRulesBytes, write: rules },
  { name: 'patterns', scope: 'graph', most: LIST, write: patterns },
  { name: 'project', scope: 'graph', most: LIST, write: project },
  { name: 'neighbours', scope: 'graph', most: LIST, write: neighbours },
  { name: 'decisions', scope: 'graph', most: TEAM_LIMITS.promptDecisionsBytes, write: decisions },
  { name: 'context', scope: 'graph', most: TEAM_LIMITS.promptFileBytes, write: context },
  { name: 'preamble', scope: 'full', most: LIST, write: preamble },
  { name: 'graph', scope: 'full', most: TEAM_LIMITS.promptGraphBytes, write: wholeGraph },
  { name: 'unreported', scope: 'clean', most: LIST, write: unreportedSection },
  { name: 'guardrails', scope: 'clean', most: LIST, write: guardrails },
];

export interface PromptSection {
  readonly name: string;
  readonly text: string;
  readonly bytes: number;
  /** Some content was left out; the text marks the place. */
  readonly cut: boolean;
}

export interface Prompt {
  readonly text: string;
  readonly sections: readonly PromptSection[];
  readonly scope: Scope;
}

/** Builds the prompt of an attempt; the same facts give the same text. Errors: `unknown_task`. */
export function buildPrompt(view: GraphView, taskId: string, facts: PromptFacts): Prompt {
  const prompt = new PromptContext(view, taskOf(view, taskId), facts);
  const reach = CONTEXT_SCOPES.indexOf(facts.scope);
  const sections: PromptSection[] = [];
  for (const { name, scope, most, write } of SECTIONS) {
    if (CONTEXT_SCOPES.indexOf(scope) > reach) continue;
    const section = new Section(facts.nonce, most);
    write(section, prompt);
    if (section.empty) continue;
    sections.push({ name, text: section.text, bytes: bytesOf(section.text), cut: section.cut });
  }
  return { text: `${sections.map(({ text }) => text).join('\n\n')}\n`, sections, scope: facts.scope };
}

import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Section } from './section.js';
import { name, type PromptContext, safe } from './section.js';
import { messageBlock } from './what.js';

/** The team of the task and its members. */
export function team(section: Section, prompt: PromptContext): void {
  const { team: own } = prompt.facts;
  if (!own) return;
  section.say(prompt.words('team', { team: own.id }));
  const lines = [`team: ${name(own.name)}`, `you: ${name(own.member)}, ${own.position}`];
  if (own.position === 'leader') section.say(prompt.words('team-lead'));
  section.block(
    'team',
    [...lines, ...own.others.map((other) => `- ${name(other)}`)].join('\n'),
    TEAM_LIMITS.promptListBytes,
  );
}

/** The strategy of the team: the same text for every member, then the member's own part. */
export function strategy(section: Section, prompt: PromptContext): void {
  const plan = prompt.facts.team?.strategy;
  if (!plan) return;
  section.say(prompt.words('strategy'));
  section.block('strategy', plan.text, TALK_LIMITS.promptStrategyBytes);
  section.block('strategy: your part', plan.part.map((work) => `- ${work}`).join('\n'), TEAM_LIMITS.promptReasonBytes);
}

/** Messages to the member in the team, in order. */
export function teamMail(section: Section, prompt: PromptContext): void {
  const { mail = [], id = '' } = prompt.facts.team ?? {};
  if (mail.length === 0) return;
  section.say(prompt.words('team-mail', { team: id }));
  for (const message of mail) messageBlock(section, 'mail', message);
}

/** The guardrails, repeated at the end of the prompt, where they are followed best. */
export function guardrails(section: Section, prompt: PromptContext): void {
  const plan = prompt.facts.team?.strategy;
  if (!plan || plan.guardrails.length === 0) return;
  section.say(prompt.words('guardrails'));
  section.block(
    'strategy: guardrails',
    safe(plan.guardrails.map((rule) => `- ${rule}`).join('\n')),
    TEAM_LIMITS.promptReasonBytes,
  );
}

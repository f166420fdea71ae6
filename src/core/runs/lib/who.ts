import type { ResolvedSkill } from '#core/runs/prompt-facts.js';
import { oneLine } from '#kernel/fence.js';
import { ROLE_PROMPT_LIMITS } from '#kernel/limits/role-prompts.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { listLines, name, type PromptContext, type Section, safe } from './section.js';

/** Skills of the role: a list of all, then their texts. An unavailable skill is only mentioned. */
export function skills(section: Section, prompt: PromptContext): void {
  const skillList = (prompt.facts.skills ?? []).slice(0, TEAM_LIMITS.skills);
  if (skillList.length === 0) return;
  section.say(prompt.words('skills'));
  section.list('skills', skillList.map(skillRow), TEAM_LIMITS.skills, TEAM_LIMITS.promptListBytes);
  for (const [index, { text }] of skillList.entries()) {
    if (text !== undefined) section.block(`skill ${index + 1}`, text, TEAM_LIMITS.skillBytes);
  }
}

function skillRow({ kind, source, warning }: ResolvedSkill, index: number): string {
  const what = source === undefined ? '' : ` ${name(source)}`;
  const missing = warning === undefined ? '' : `: NOT AVAILABLE, ${oneLine(warning, TEAM_LIMITS.promptNameBytes)}`;
  return `${index + 1}. ${kind}${what}${missing}`;
}

/** Introduction: the purpose of the prompt, the way to read it, and the permissions of the agent. */
export function header(section: Section, prompt: PromptContext): void {
  section.say(prompt.words('header'));
  if (prompt.facts.mode === 'light') section.say(prompt.words('mode-light'));
  else if (prompt.facts.mode === 'bare') section.say(prompt.words('mode-bare'));
  else section.say(prompt.words('mode-full'));
}

/** Role, skills and outcome; acceptable and unacceptable trade-offs; the charter of a team member. */
export function identity(section: Section, prompt: PromptContext): void {
  const { role, tradeoff, member, agent } = prompt.facts.identity ?? {};
  const charter = member?.charter ?? '';
  if (!role && !tradeoff && !member && !agent) return;
  section.say(prompt.words('identity'));
  const labels = (prompt.facts.skills ?? []).flatMap((skill) => (skill.source === undefined ? [] : [skill.source]));
  const lines = [
    ...(member ? [`member of the team: ${name(member.name)}`] : []),
    ...(agent ? [`you are: ${name(agent.name)} (${name(agent.id)})`, `position: ${name(agent.does)}`] : []),
    ...(agent?.about ? [`purpose: ${oneLine(agent.about, TEAM_LIMITS.promptReasonBytes)}`] : []),
    ...(role ? [`role: ${name(role.name)}`] : []),
    ...(role?.description ? [`what it does: ${role.description}`] : []),
    ...(role?.outcome ? [`what it aims for: ${role.outcome}`] : []),
    ...(tradeoff?.description ? [`how it weighs things: ${tradeoff.description}`] : []),
    ...listLines('skills', labels),
  ];
  section.block('identity', lines.join('\n'), TEAM_LIMITS.promptFileBytes / 4);
  if (tradeoff && tradeoff.acceptable.length > 0) {
    section.say(prompt.words('identity-room'));
    section.block('identity: room', points(tradeoff.acceptable), TEAM_LIMITS.promptReasonBytes);
  }
  if (tradeoff && tradeoff.unacceptable.length > 0) {
    section.say(prompt.words('identity-limits'));
    section.block('identity: hard limits', points(tradeoff.unacceptable), TEAM_LIMITS.promptReasonBytes);
  }
  if (charter.trim() !== '') {
    section.say(prompt.words('identity-charter'));
    section.block('identity: charter', charter, TEAM_LIMITS.promptFileBytes / 4);
  }
  if ((agent?.file ?? '').trim() === '') return;
  section.say(prompt.words('identity-agent'));
  section.block('identity: agent file', agent?.file ?? '', TEAM_LIMITS.promptFileBytes / 4);
}

/**
 * Role from the repository: the core role, then the own row. Lessons are in blocks that inform without giving
 * instructions.
 */
export function role(section: Section, prompt: PromptContext): void {
  const { parts: own = [], alone } = prompt.facts.role ?? {};
  const parts = new Map(own.map(({ part, text }) => [part, text]));
  if (parts.size === 0) return;
  section.say(prompt.words('role'));
  section.block('identity: role charter', parts.get('charter') ?? '', ROLE_PROMPT_LIMITS.charterBytes);
  section.block('identity: role body', parts.get('body') ?? '', ROLE_PROMPT_LIMITS.bodyBytes);
  if (parts.has('row')) section.say(prompt.words('role-row'));
  section.block('identity: role row', parts.get('row') ?? '', ROLE_PROMPT_LIMITS.fieldBytes);
  if (parts.has('core lessons') || parts.has('own lessons')) section.say(prompt.words('role-lessons'));
  section.block('lessons: core', parts.get('core lessons') ?? '', ROLE_PROMPT_LIMITS.lessonBytes);
  section.block('lessons: own', parts.get('own lessons') ?? '', ROLE_PROMPT_LIMITS.lessonBytes);
  if (alone) section.say(prompt.words('role-alone'));
}

function points(items: readonly string[]): string {
  return items.map((item) => `- ${oneLine(item, TEAM_LIMITS.promptLogLineBytes)}`).join('\n');
}

/** Learnings of the member, and the titles of the decisions. */
export function memory(section: Section, prompt: PromptContext): void {
  const { learnings = [], decisions: all = [], older } = prompt.facts.memory ?? {};
  if (learnings.length + all.length === 0) return;
  section.say(prompt.words('memory'));
  const lessons = learnings.map(({ content }) => `- ${oneLine(safe(content), TEAM_LIMITS.promptLogLineBytes)}`);
  section.block('memory: what you have learned', more(lessons, older?.learnings), TEAM_LIMITS.promptMemoryBytes);
  const titles = all.map(({ number, title }) => `- ${number}. ${name(safe(title))}`);
  section.block('memory: decisions', more(titles, older?.decisions), TEAM_LIMITS.promptMemoryBytes);
}

/** Texts of the decisions, one block each: changing a design requires its reasons. */
export function decisions(section: Section, prompt: PromptContext): void {
  const all = (prompt.facts.memory?.decisions ?? []).filter(
    ({ content, rationale }) => `${content}${rationale}` !== '',
  );
  if (all.length === 0) return;
  section.say(prompt.words('decisions'));
  for (const { number, title, content, rationale } of all) {
    const why = rationale === '' ? [] : [`Rationale: ${safe(rationale)}`];
    const text = [`${number}. ${name(safe(title))}`, ...(content === '' ? [] : [safe(content)]), ...why].join('\n');
    section.block('decision', text, TEAM_LIMITS.promptReasonBytes);
  }
}

/** Joins the lines; notes at the top if older ones are missing. */
function more(lines: readonly string[], older = 0): string {
  return [...(older > 0 && lines.length > 0 ? [`[cut: ${older} older ones are not shown]`] : []), ...lines].join('\n');
}

import { feedbackOf } from '#core/graph/feedback.js';
import { isTeamTask } from '#core/graph/team-work.js';
import { reviewedBy } from '#core/teams/ask-review.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { listLines, name, type PromptContext, type Section, safe } from './section.js';

/** States that the task is team work, or a review of it, and how to finish it. */
export function teamWork(section: Section, prompt: PromptContext): void {
  const { task } = prompt;
  const about = reviewedBy(task);
  if (!about && !isTeamTask(task)) return;
  section.say(prompt.words(about ? 'team-review' : 'team-task'));
  if (about) section.block('needs review', `task ${name(about.task)}`, TEAM_LIMITS.promptNameBytes);
}

/** Files that a seat of a formation hands in, and the way to do so. */
export function handIn(section: Section, prompt: PromptContext): void {
  const { handsIn } = prompt.facts;
  if (!handsIn) return;
  section.say(prompt.words('hand-in'));
  const lines = [`run: ${name(handsIn.run)}`, ...listLines('names', handsIn.names)];
  section.block('task: files to hand in', lines.join('\n'), TEAM_LIMITS.promptReasonBytes);
}

/** The patches to judge. */
export function judged(section: Section, prompt: PromptContext): void {
  const { judged: works = [] } = prompt.facts;
  if (works.length === 0) return;
  section.say(prompt.words('judged'));
  const most = Math.floor((2 * TEAM_LIMITS.promptDiffBytes) / works.length);
  for (const [index, { task, changes }] of works.entries()) {
    section.block(`work to judge ${index + 1}`, `task ${name(task)}\n\n${safe(changes)}`, most);
  }
}

/** Feedback of the last review, for the next attempt to address; the task has not failed. */
export function feedback(section: Section, prompt: PromptContext): void {
  const asked = feedbackOf(prompt.task);
  if (!asked) return;
  section.say(prompt.words('team-feedback'));
  const words = asked.text === '' ? 'No feedback was given.' : safe(asked.text);
  section.block('review: feedback', `from ${name(asked.by)}\n${words}`, TEAM_LIMITS.promptReasonBytes);
}

import { iterationsOf } from '#core/graph/cycle-decision.js';
import type { Cycle } from '#core/graph/cycles.js';
import { lastWordsOf } from '#core/graph/last-words.js';
import { isTerminal } from '#core/graph/task.js';
import { awaitsReport } from '#core/graph/unreported.js';
import type { PromptMessage } from '#core/runs/prompt-facts.js';
import { oneLine } from '#kernel/fence.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { handoverOf } from './around.js';
import type { Section } from './section.js';
import { lastLines, listLines, name, type PromptContext, safe } from './section.js';

/** Title, description and files of the task. */
export function task(section: Section, prompt: PromptContext): void {
  const { title, description, inputs, deliverables } = prompt.task;
  section.say(prompt.words('task'));
  section.block('task: title', name(title), TEAM_LIMITS.promptNameBytes * 2);
  section.block('task: description', description ?? '', TEAM_LIMITS.promptDescriptionBytes);
  const files = [...listLines('uses', inputs), ...listLines('makes', deliverables)];
  section.block('task: files, named from the top of the project', files.join('\n'), TEAM_LIMITS.promptReasonBytes);
}

/** A request from a conversation: its text, then the requester and the state of their work. */
export function conversation(section: Section, prompt: PromptContext): void {
  const { conversation: asked } = prompt.facts;
  if (!asked) return;
  section.say(prompt.words('conversation'));
  section.block('conversation: task', safe(asked.text), TEAM_LIMITS.messageBytes);
  section.say(prompt.words('conversation-context'));
  const lines = [
    `from: ${oneLine(asked.from, TEAM_LIMITS.conversationIdBytes)}`,
    `conversation: ${oneLine(asked.id, TEAM_LIMITS.conversationIdBytes)}`,
  ];
  section.block('conversation: context', lines.join('\n'), TEAM_LIMITS.promptReasonBytes);
  const last = safe(asked.checkpoint ?? '')
    .split('\n')
    .slice(-TEAM_LIMITS.envelopeLines)
    .join('\n');
  section.block('conversation: how far they are', last, TEAM_LIMITS.envelopeBytes);
}

/** The agents that may be addressed, by name. */
export function roster(section: Section, prompt: PromptContext): void {
  const { roster: addresses = [] } = prompt.facts;
  if (addresses.length === 0) return;
  section.say(prompt.words('roster'));
  const lines = addresses.map(
    ({ name: called, id, about }) =>
      `- ${name(called)} (${name(id)}): ${oneLine(safe(about), TEAM_LIMITS.promptNameBytes * 2)}`,
  );
  section.list('roster', lines, TEAM_LIMITS.promptListRows * 2, TEAM_LIMITS.promptFileBytes / 4);
}

/** The way in which the result will be checked. */
export function verification(section: Section, prompt: PromptContext): void {
  const { verify, verify_cmd: command } = prompt.task;
  if (!verify && !command) return;
  section.say(prompt.words('verification'));
  if (prompt.facts.mode === 'full') section.say(prompt.words('verification-own'));
  section.block('task: review', verify ?? '', TEAM_LIMITS.promptReasonBytes);
  section.block('task: command that must end with 0', command ?? '', TEAM_LIMITS.promptReasonBytes);
}

/** Start of the log messages with which the graph records the end of an attempt. */
const ENDED = /^(?:Failed|Released|Rejected \(\d+\/\d+\))(?::|$)/;

/** State left by earlier attempts: checkpoint, reason of the end, findings, last log lines. */
export function previous(section: Section, prompt: PromptContext): void {
  const { task: own, facts } = prompt;
  const log = own.log ?? [];
  const ended = log.findLast((entry) => ENDED.test(entry.message))?.message;
  const failure = own.failure_reason ?? ended ?? '';
  const spent = facts.attempt > 1 || (own.retry_count ?? 0) > 0 || (own.rejection_count ?? 0) > 0;
  if (!own.checkpoint && failure === '' && !facts.recovery && !spent) return;
  section.say(prompt.words('previous'));
  section.block('previous attempt: checkpoint', safe(own.checkpoint ?? ''), TEAM_LIMITS.promptFileBytes / 4);
  section.block('previous attempt: how it ended', safe(failure), TEAM_LIMITS.promptReasonBytes);
  section.block('previous attempt: recovery', safe(facts.recovery ?? ''), TEAM_LIMITS.promptReasonBytes);
  section.block('previous attempt: its last words', safe(lastWordsOf(own) ?? ''), TEAM_LIMITS.lastWordsBytes);
  const notes = (facts.evaluations?.get(own.id) ?? []).slice(0, TEAM_LIMITS.promptListRows);
  const evaluations = notes.map((note) => oneLine(safe(note), TEAM_LIMITS.promptLogLineBytes)).join('\n');
  section.block('previous attempt: what evaluations say', evaluations, TEAM_LIMITS.promptReasonBytes);
  section.block(
    'previous attempt: last lines of the log',
    lastLines(log, TEAM_LIMITS.promptOwnLogLines).join('\n'),
    TEAM_LIMITS.promptOwnLogLines * TEAM_LIMITS.promptLogLineBytes,
  );
}

/** Finished work that could not be merged. */
export function conflict(section: Section, prompt: PromptContext): void {
  const { conflict: unmerged, mode, tree } = prompt.facts;
  if (!unmerged || mode !== 'full' || tree !== 'own') return;
  section.say(prompt.words('conflict', { branch: unmerged.branch }));
  section.block('what did not fit', safe(unmerged.diff), TEAM_LIMITS.promptDiffBytes);
}

/** The question to a session that ended its turn without reporting on its task. */
export function unreportedSection(section: Section, prompt: PromptContext): void {
  if (!awaitsReport(prompt.task)) return;
  // For a request in a conversation, the answer is the report.
  section.say(prompt.words('unreported', prompt.facts.conversation ? { done: prompt.verbs.reply } : {}));
}

/** Number of the iteration, and the way to end the cycle early. The innermost configured cycle counts. */
export function cycle(section: Section, prompt: PromptContext): void {
  const around = prompt.view.mayIterate() ? prompt.view.cyclesOf(prompt.task.id).filter((loop) => loop.configured) : [];
  const inner = around.at(-1);
  if (!inner) return;
  const values = iterationOf(prompt, inner);
  section.say(prompt.words(inner.config?.no_converge === true ? 'cycle-fixed' : 'cycle', values));
  const outer = around.slice(0, -1).map((loop) => {
    const { iteration, iterations } = iterationOf(prompt, loop);
    return `- the cycle of ${name(loop.header)}: iteration ${iteration} of ${iterations}`;
  });
  section.list('cycles around this one', outer, TEAM_LIMITS.promptListRows, TEAM_LIMITS.promptReasonBytes);
  const members = inner.members.map((id) => `- ${name(id)}: ${prompt.view.task(id)?.status ?? 'missing'}`);
  section.list('tasks of the cycle', members, TEAM_LIMITS.promptListRows, TEAM_LIMITS.promptReasonBytes);
  // Its predecessors in the cycle are open again, but this iteration builds on their results of the one before.
  const before = (prompt.task.after ?? [])
    .filter((id) => id !== prompt.task.id && inner.members.includes(id) && values.iteration > 0)
    .flatMap((id) => prompt.view.task(id) ?? [])
    .filter((predecessor) => !isTerminal(predecessor.status));
  for (const predecessor of before.slice(0, TEAM_LIMITS.promptListRows)) {
    section.block('left by the pass before', handoverOf(prompt, predecessor), TEAM_LIMITS.promptReasonBytes);
  }
}

function iterationOf(prompt: PromptContext, loop: Cycle): { iteration: number; iterations: number } {
  return {
    iteration: prompt.view.task(loop.header)?.loop_iteration ?? 0,
    iterations: iterationsOf(loop.config?.max_iterations),
  };
}

/** Tags, and the skills that the task requires. */
export function labels(section: Section, prompt: PromptContext): void {
  const lines = [...listLines('tags', prompt.task.tags), ...listLines('skills asked for', prompt.task.skills)];
  if (lines.length === 0) return;
  section.say(prompt.words('labels'));
  section.block('labels', lines.join('\n'), TEAM_LIMITS.promptReasonBytes);
}

/** The latest messages to the task. */
export function messagesSection(section: Section, prompt: PromptContext): void {
  const all = prompt.facts.messages ?? [];
  if (all.length === 0) return;
  const asked = all.some(({ asks }) => asks === true);
  const way = asked ? 'reply-to' : prompt.facts.conversation ? 'reply' : 'send';
  section.say(prompt.words('messages', { send: prompt.verbs[way] }));
  const latest = all.slice(-TEAM_LIMITS.promptMessages);
  if (latest.length < all.length) section.say(`[cut: ${all.length - latest.length} older ones are not shown]`);
  for (const message of latest) messageBlock(section, 'message', message);
}

/** One message: sender and time, then its text. */
export function messageBlock(section: Section, label: string, { from, at, text, urgent }: PromptMessage): void {
  const head = `from ${name(from)}, ${name(at)}${urgent === true ? ', urgent' : ''}`;
  section.block(label, `${oneLine(head, TEAM_LIMITS.promptNameBytes)}\n${safe(text)}`, TEAM_LIMITS.promptMessageBytes);
}

import { iterationsOf } from '#core/graph/cycle-decision.js';
import type { Cycle } from '#core/graph/cycles.js';
import { lastWordsOf } from '#core/graph/last-words.js';
import { isTerminal } from '#core/graph/task.js';
import { awaitsReport } from '#core/graph/unreported.js';
import { oneLine } from '#kernel/fence.js';
import { LIMITS } from '#kernel/limits.js';
import { left } from './around.js';
import type { Section } from './section.js';
import { lastLines, listed, name, type PromptContext, safe } from './section.js';

/** What is to be done. */
export function task(section: Section, told: PromptContext): void {
  const { title, description, inputs, deliverables } = told.task;
  section.say(told.words('task'));
  section.block('task: title', name(title), LIMITS.promptNameBytes * 2);
  section.block('task: description', description ?? '', LIMITS.promptDescriptionBytes);
  const files = [...listed('uses', inputs), ...listed('makes', deliverables)];
  section.block('task: files, named from the top of the project', files.join('\n'), LIMITS.promptReasonBytes);
}

/** How it will be looked at. */
export function verification(section: Section, told: PromptContext): void {
  const { verify, verify_cmd: command } = told.task;
  if (!verify && !command) return;
  section.say(told.words('verification'));
  if (told.facts.mode === 'full') section.say(told.words('verification-own'));
  section.block('task: review', verify ?? '', LIMITS.promptReasonBytes);
  section.block('task: command that must end with 0', command ?? '', LIMITS.promptReasonBytes);
}

/** How our own moves begin what they log of an end. */
const ENDED = /^(?:Failed|Released|Rejected \(\d+\/\d+\))(?::|$)/;

/** What the attempts before this one left: a checkpoint, why they ended, what was found out about it, their last lines. */
export function previous(section: Section, told: PromptContext): void {
  const { task: own, facts } = told;
  const log = own.log ?? [];
  const ended = log.findLast((entry) => ENDED.test(entry.message))?.message;
  const failure = own.failure_reason ?? ended ?? '';
  const spent = facts.attempt > 1 || (own.retry_count ?? 0) > 0 || (own.rejection_count ?? 0) > 0;
  if (!own.checkpoint && failure === '' && !facts.recovery && !spent) return;
  section.say(told.words('previous'));
  section.block('previous attempt: checkpoint', safe(own.checkpoint ?? ''), LIMITS.promptFileBytes / 4);
  section.block('previous attempt: how it ended', safe(failure), LIMITS.promptReasonBytes);
  section.block('previous attempt: recovery', safe(facts.recovery ?? ''), LIMITS.promptReasonBytes);
  section.block('previous attempt: its last words', safe(lastWordsOf(own) ?? ''), LIMITS.lastWordsBytes);
  const notes = (facts.evaluations?.get(own.id) ?? []).slice(0, LIMITS.promptListRows);
  const said = notes.map((note) => oneLine(safe(note), LIMITS.promptLogLineBytes)).join('\n');
  section.block('previous attempt: what evaluations say', said, LIMITS.promptReasonBytes);
  section.block(
    'previous attempt: last lines of the log',
    lastLines(log, LIMITS.promptOwnLogLines).join('\n'),
    LIMITS.promptOwnLogLines * LIMITS.promptLogLineBytes,
  );
}

/** Work that is there and could not be merged. */
export function conflict(section: Section, told: PromptContext): void {
  const { conflict: found, mode, tree } = told.facts;
  if (!found || mode !== 'full' || tree !== 'own') return;
  section.say(told.words('conflict', { branch: found.branch }));
  section.block('what did not fit', safe(found.diff), LIMITS.promptDiffBytes);
}

/** The question to a session that ended its turn and said nothing of its task. */
export function unreported(section: Section, told: PromptContext): void {
  if (awaitsReport(told.task)) section.say(told.words('unreported'));
}

/** Which iteration this is, and how the cycle can be ended early. The innermost cycle that goes round counts. */
export function cycle(section: Section, told: PromptContext): void {
  const around = told.view.mayIterate() ? told.view.cyclesOf(told.task.id).filter((found) => found.configured) : [];
  const inner = around.at(-1);
  if (!inner) return;
  const values = iterationOf(told, inner);
  section.say(told.words(inner.config?.no_converge === true ? 'cycle-fixed' : 'cycle', values));
  const outer = around.slice(0, -1).map((found) => {
    const { iteration, iterations } = iterationOf(told, found);
    return `- the cycle of ${name(found.header)}: iteration ${iteration} of ${iterations}`;
  });
  section.list('cycles around this one', outer, LIMITS.promptListRows, LIMITS.promptReasonBytes);
  const members = inner.members.map((id) => `- ${name(id)}: ${told.view.task(id)?.status ?? 'missing'}`);
  section.list('tasks of the cycle', members, LIMITS.promptListRows, LIMITS.promptReasonBytes);
  // Its predecessors in the cycle are open again, but what they said in the pass before is what this one builds on.
  const before = (told.task.after ?? [])
    .filter((id) => id !== told.task.id && inner.members.includes(id) && values.iteration > 0)
    .flatMap((id) => told.view.task(id) ?? [])
    .filter((found) => !isTerminal(found.status));
  for (const found of before.slice(0, LIMITS.promptListRows)) {
    section.block('left by the pass before', left(told, found), LIMITS.promptReasonBytes);
  }
}

function iterationOf(told: PromptContext, found: Cycle): { iteration: number; iterations: number } {
  return {
    iteration: told.view.task(found.header)?.loop_iteration ?? 0,
    iterations: iterationsOf(found.config?.max_iterations),
  };
}

/** Tags and the skills the task asks for. */
export function labels(section: Section, told: PromptContext): void {
  const lines = [...listed('tags', told.task.tags), ...listed('skills asked for', told.task.skills)];
  if (lines.length === 0) return;
  section.say(told.words('labels'));
  section.block('labels', lines.join('\n'), LIMITS.promptReasonBytes);
}

/** The latest messages to the task. */
export function messages(section: Section, told: PromptContext): void {
  const all = told.facts.messages ?? [];
  if (all.length === 0) return;
  section.say(told.words('messages'));
  const latest = all.slice(-LIMITS.promptMessages);
  if (latest.length < all.length) section.say(`[cut: ${all.length - latest.length} older ones are not shown]`);
  for (const { from, at, text, urgent } of latest) {
    const head = `from ${name(from)}, ${name(at)}${urgent === true ? ', urgent' : ''}`;
    section.block('message', `${oneLine(head, LIMITS.promptNameBytes)}\n${safe(text)}`, LIMITS.promptMessageBytes);
  }
}

import * as z from 'zod/mini';
import type { Triaged } from '#core/coordinator/snapshot.js';
import { fenced } from '#kernel/fence.js';
import { firstObject } from '#kernel/first-object.js';
import { LIMITS } from '#kernel/limits.js';
import { redact } from '#kernel/secrets.js';
import { parseForeignObject } from '#kernel/strict-json.js';

export const VERDICTS = ['done', 'continue', 'restart'] as const;
export type Verdict = (typeof VERDICTS)[number];

const said = z.string().check(z.trim(), z.minLength(1), z.maxLength(LIMITS.triageTextCharacters));
const ANSWER = z.strictObject({ verdict: z.enum(VERDICTS), reason: said, summary: said });

/** What a model is asked of a run that died: our words, then all that is foreign in blocks. `words` are filled in already. */
export function triagePrompt(
  words: string,
  nonce: string,
  task: { title: string; description?: string | undefined },
  output: string,
): string {
  const about = [task.title, task.description ?? ''].join('\n').trim();
  const blocks = [
    fenced(nonce, 'task', redact(about), LIMITS.promptReasonBytes),
    fenced(nonce, 'the end of its output', redact(output), LIMITS.triageOutputBytes),
  ];
  return `${words}\n\n${blocks.map(({ text }) => text).join('\n\n')}\n`;
}

/** The first whole object of an answer, when it is what was asked for; else undefined. */
export function verdictIn(answer: string): Pick<Triaged, 'verdict' | 'reason' | 'summary'> | undefined {
  if (answer.length > LIMITS.modelAnswerCharacters) return undefined;
  const found = firstObject(answer);
  const parsed = ANSWER.safeParse(found === undefined ? undefined : parseForeignObject(found));
  if (!parsed.success) return undefined;
  const { verdict, reason, summary } = parsed.data;
  return { verdict, reason: redact(reason), summary: redact(summary) };
}

/** What is done where no model says: work that left a trace is gone on with, other work begins anew. */
export function verdictWithout(left: { readonly checkpoint: boolean; readonly commits: boolean }): Verdict {
  return left.checkpoint || left.commits ? 'continue' : 'restart';
}

import * as z from 'zod/mini';
import { LIMITS } from '#kernel/limits.js';
import { type Block, objectIn } from '#kernel/question.js';
import { redact } from '#kernel/secrets.js';

export const VERDICTS = ['done', 'continue', 'restart'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** How far a run had come that died. */
export interface Triaged {
  readonly of: 'triage';
  readonly verdict: 'done' | 'continue' | 'restart';
  readonly reason: string;
  /** What whoever goes on is to know; undefined when nobody could say. */
  readonly summary?: string;
}

const said = z.string().check(z.trim(), z.minLength(1), z.maxLength(LIMITS.triageTextCharacters));
const ANSWER = z.strictObject({ verdict: z.enum(VERDICTS), reason: said, summary: said });

/** What a model is shown of a run that died. */
export function triageBlocks(task: { title: string; description?: string | undefined }, output: string): Block[] {
  const about = [task.title, task.description ?? ''].join('\n').trim();
  return [
    { label: 'task', text: about, most: LIMITS.promptReasonBytes },
    { label: 'the end of its output', text: output, most: LIMITS.triageOutputBytes },
  ];
}

/** The verdict in an answer; undefined when it holds none. */
export function verdictIn(answer: string): Pick<Triaged, 'verdict' | 'reason' | 'summary'> | undefined {
  const said = objectIn(answer, (value) => ANSWER.safeParse(value).data);
  return said && { verdict: said.verdict, reason: redact(said.reason), summary: redact(said.summary) };
}

/** What is done where no model says: work that left a trace is gone on with, other work begins anew. */
export function verdictWithout(left: { readonly checkpoint: boolean; readonly commits: boolean }): Verdict {
  return left.checkpoint || left.commits ? 'continue' : 'restart';
}

import { LIMITS } from '#kernel/limits.js';
import { cut } from '#kernel/text.js';
import type { Decision, Memory } from './memory.js';

/** What somebody who begins to work is to have read of the memory. Wherever it is shown, it is this. */
export interface Briefing {
  /** What the member itself has learned, the newest last. */
  readonly learnings: readonly BriefingLearning[];
  /** What the team has agreed on and still holds, the newest last. */
  readonly decisions: readonly BriefingDecision[];
  /** How many of each there are that are not in it: they are older. */
  readonly older: { readonly learnings: number; readonly decisions: number };
}

export type BriefingLearning = Pick<Memory, 'number' | 'importance' | 'content' | 'created_at'>;
export type BriefingDecision = Pick<Decision, 'number' | 'type' | 'title' | 'content' | 'rationale'>;

/** The rows of one member and the active decisions, oldest first, cut to what one reads before work. */
export function briefingOf(learnings: readonly Memory[], decisions: readonly Decision[]): Briefing {
  const newest = learnings.slice(-LIMITS.briefingLearnings);
  const latest = decisions.slice(-LIMITS.briefingDecisions);
  return {
    learnings: newest.map(({ number, importance, content, created_at }) => ({
      ...{ number, importance, created_at },
      content: cut(content, LIMITS.briefingTextCharacters),
    })),
    decisions: latest.map(({ number, type, title, content, rationale }) => ({
      ...{ number, type, title },
      content: cut(content, LIMITS.briefingTextCharacters),
      rationale: cut(rationale, LIMITS.briefingTextCharacters),
    })),
    older: { learnings: learnings.length - newest.length, decisions: decisions.length - latest.length },
  };
}

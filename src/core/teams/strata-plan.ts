import * as z from 'zod/mini';
import { oneLine } from '#kernel/fence.js';
import { sha256 } from '#kernel/hash.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { objectIn } from '#kernel/question.js';
import { redact } from '#kernel/secrets.js';
import { slugOf } from '#kernel/slug.js';
import { cut, inert } from '#kernel/text.js';
import { presentMembers, type Team } from './team.js';

/** Strategy of a team, given to every member before they act. */
export const strataPlanShape = z.object({
  objective: z.string(),
  approach: z.string(),
  phases: z.readonly(z.array(z.string())),
  /** Work of each member, named by its slug. */
  assignments: z.readonly(z.array(z.object({ member: z.string(), work: z.string() }))),
  guardrails: z.readonly(z.array(z.string())),
  success_criteria: z.readonly(z.array(z.string())),
});
export type StrataPlan = z.infer<typeof strataPlanShape>;

/** Outcome of the leader's answer: a plan, or skipped because the work is too small. */
export type StrataOutcome =
  | { readonly state: 'minted'; readonly plan: StrataPlan; readonly warnings: readonly string[] }
  | { readonly state: 'skipped' };

const text = (most: number) =>
  z.pipe(
    z.string(),
    z.transform((value: string) => line(value, most)),
  );
const texts = (most: number) => z.array(text(TALK_LIMITS.strataLineCharacters)).check(z.maxLength(most));

/** Closed schema of an answer: unknown keys are rejected. */
const answerShape = z.strictObject({
  objective: text(TALK_LIMITS.strataTextCharacters),
  approach: text(TALK_LIMITS.strataTextCharacters),
  phases: texts(TALK_LIMITS.strataPhases),
  assignments: z
    .array(z.strictObject({ member: z.string(), work: text(TALK_LIMITS.strataLineCharacters) }))
    .check(z.maxLength(TALK_LIMITS.strataAssignments)),
  guardrails: z.array(text(TALK_LIMITS.strataGuardrailCharacters)).check(z.maxLength(TALK_LIMITS.strataGuardrails)),
  success_criteria: texts(TALK_LIMITS.strataCriteria),
});

/**
 * Parses the first object of an answer that matches the plan schema; undefined if there is none. Without phases and
 * guardrails, planning is skipped as too small. Assignments to observers and to names not on the team are dropped with
 * a warning.
 */
export function strataIn(answer: string, team: Pick<Team, 'members'>): StrataOutcome | undefined {
  return objectIn(answer, (value): StrataOutcome | undefined => {
    const parsed = answerShape.safeParse(value);
    if (!parsed.success) return undefined;
    const { data } = parsed;
    const [phases, guardrails, success_criteria] = [data.phases, data.guardrails, data.success_criteria].map(withText);
    if (phases?.length === 0 && guardrails?.length === 0) return { state: 'skipped' };
    if (!phases || !success_criteria || !guardrails || guardrails.length === 0 || data.objective === '')
      return undefined;
    const acting = new Set(
      presentMembers(team).flatMap(({ slug, position }) => (position === 'observer' ? [] : [slug])),
    );
    const warnings: string[] = [];
    const assignments = data.assignments.flatMap(({ member, work }) => {
      const slug = slugOf(member) ?? '';
      if (acting.has(slug)) return work === '' ? [] : [{ member: slug, work }];
      warnings.push(`${cut(inert(member), 60)} does not work on this team: that part was left out.`);
      return [];
    });
    const { objective, approach } = data;
    return {
      state: 'minted',
      plan: { objective, approach, phases, assignments, guardrails, success_criteria },
      warnings,
    };
  });
}

/** Plan text given to every member. Byte-identical for all: independent of reader and time. */
export function strataBlock(plan: StrataPlan): string {
  const { objective, approach, phases, assignments, guardrails, success_criteria } = plan;
  const sections = [
    ['Objective', [objective]],
    ['Approach', [approach]],
    ['Phases', phases.map((phase, index) => `${index + 1}. ${phase}`)],
    ['Who does what', assignments.map(({ member, work }) => `- ${member}: ${work}`)],
    ['Guardrails', guardrails.map((rule) => `- ${rule}`)],
    ['It has succeeded when', success_criteria.map((criterion) => `- ${criterion}`)],
  ] as const;
  return sections
    .filter(([, lines]) => lines.some((one) => one !== ''))
    .map(([title, lines]) => `${title}:\n${lines.join('\n')}`)
    .join('\n\n');
}

/** Digest of the plan text that members receive. */
export function strataHash(plan: StrataPlan): string {
  return sha256(strataBlock(plan));
}

/** Work the plan assigns to one member. */
export function assignedWork(plan: StrataPlan, slug: string): readonly string[] {
  return plan.assignments.filter(({ member }) => member === slug).map(({ work }) => work);
}

const storedShape = z.strictObject({
  objective: z.string(),
  approach: z.string(),
  phases: z.array(z.string()),
  assignments: z.array(z.strictObject({ member: z.string(), work: z.string() })),
  guardrails: z.array(z.string()),
  success_criteria: z.array(z.string()),
});

/** Parses a stored plan; undefined for anything else. */
export function storedPlan(value: unknown): StrataPlan | undefined {
  const parsed = storedShape.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** One line without invisible characters or secrets: shown verbatim to every member. */
function line(value: string, most: number): string {
  return cut(oneLine(redact(value.trim()), TALK_LIMITS.strataTextBytes), most);
}

function withText(lines: readonly string[]): readonly string[] {
  return lines.filter((one) => one !== '');
}

import * as z from 'zod/mini';
import { oneLine } from '#kernel/fence.js';
import { sha256 } from '#kernel/hash.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { objectIn } from '#kernel/question.js';
import { redact } from '#kernel/secrets.js';
import { slugOf } from '#kernel/slug.js';
import { cut, inert } from '#kernel/text.js';
import { present, type Team } from './team.js';

/** What one member does within the plan, by the slug of the member. */
export interface MemberAssignment {
  readonly member: string;
  readonly work: string;
}

/** The strategy of a team: what every member is told before they act. */
export interface StrataPlan {
  readonly objective: string;
  readonly approach: string;
  readonly phases: readonly string[];
  readonly assignments: readonly MemberAssignment[];
  readonly guardrails: readonly string[];
  readonly success_criteria: readonly string[];
}

/** What the leader's answer comes to: a plan, or the word that the work is too small for one. */
export type StrataOutcome =
  | { readonly state: 'minted'; readonly plan: StrataPlan; readonly warnings: readonly string[] }
  | { readonly state: 'skipped' };

const text = (most: number) =>
  z.pipe(
    z.string(),
    z.transform((value: string) => line(value, most)),
  );
const texts = (most: number) => z.array(text(TALK_LIMITS.strataLineCharacters)).check(z.maxLength(most));

/** The closed form of an answer: what else it holds makes it another one. */
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
 * The first object of an answer that has the form of a plan; undefined where there is none. Without phases and guardrails it says
 * that the work is too small to plan. Whoever is not on the team gets no part, and a warning says so.
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
    const acting = new Set(present(team).flatMap(({ slug, position }) => (position === 'observer' ? [] : [slug])));
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

/** What every member is told of a plan, the same bytes each: nothing in it depends on who reads it or when. */
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

/** By which a plan is known: of the very text that members are told. */
export function strataHash(plan: StrataPlan): string {
  return sha256(strataBlock(plan));
}

/** What the plan gives one member to do. */
export function partOf(plan: StrataPlan, slug: string): readonly string[] {
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

/** A plan as it is kept; undefined for anything else. */
export function storedPlan(value: unknown): StrataPlan | undefined {
  const parsed = storedShape.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** Nothing hidden, nothing secret, on one line: it is shown to every member as it stands here. */
function line(value: string, most: number): string {
  return cut(oneLine(redact(value.trim()), TALK_LIMITS.strataTextBytes), most);
}

function withText(lines: readonly string[]): readonly string[] {
  return lines.filter((one) => one !== '');
}

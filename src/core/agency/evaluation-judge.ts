import { isJsonObject } from '#kernel/json.js';
import { LIMITS } from '#kernel/limits.js';
import { type Block, objectIn } from '#kernel/question.js';
import { cut, inert } from '#kernel/text.js';
import { DIMENSIONS, type Dimensions } from './record-evaluation.js';

/** In hundredths, so that the sum is exact. */
const WEIGHTS: Readonly<Record<string, number>> = {
  correctness: 40,
  completeness: 30,
  efficiency: 15,
  style_adherence: 15,
};
export const FLIP_DIMENSIONS = [
  'semantic_match',
  'requirement_coverage',
  'specificity_match',
  'hallucination_rate',
] as const;

/** What a model said of work; what else it said is not looked at. */
export interface Judgement {
  readonly dimensions: Dimensions;
  readonly notes: string;
}

/** The weighted sum, to four places. Whoever judges says the parts and never the whole. */
export function scoreOf(dimensions: Dimensions): number {
  const sum = Object.entries(WEIGHTS).reduce((total, [name, weight]) => total + weight * (dimensions[name] ?? 0), 0);
  return Math.round(sum * 100) / 10_000;
}

/** Undefined unless every dimension is there, from 0 to 1. */
export function judgementIn(text: string): Judgement | undefined {
  return objectIn(text, (value) => {
    const dimensions = dimensionsIn(value['dimensions'] ?? value, DIMENSIONS);
    return dimensions && { dimensions, notes: notesOf(value['notes']) };
  });
}

/** How near a guessed task is to the real one, as a model sees it. */
export function comparisonIn(text: string): (Judgement & { readonly score: number }) | undefined {
  return objectIn(text, (value) => {
    const { score } = value;
    const dimensions = dimensionsIn(value['dimensions'], FLIP_DIMENSIONS);
    if (!dimensions || !isShare(score)) return undefined;
    return { score: Math.round(score * 10_000) / 10_000, dimensions, notes: notesOf(value['notes']) };
  });
}

/** The task that a model takes the output to be of. */
export function inferredIn(text: string): string | undefined {
  return objectIn(text, ({ inferred_prompt: inferred }) =>
    typeof inferred === 'string' && inferred.trim() !== '' ? inferred : undefined,
  );
}

/** What a model that judges is shown, by what it is called. */
export function blocksOf(texts: readonly (readonly [label: string, text: string])[]): Block[] {
  return texts.map(([label, text]) => ({ label, text, most: LIMITS.evaluationArtifactBytes }));
}

function dimensionsIn(value: unknown, names: readonly string[]): Dimensions | undefined {
  if (!isJsonObject(value)) return undefined;
  const scores = names.flatMap((name) => {
    const score = value[name];
    return isShare(score) ? [[name, score] as const] : [];
  });
  return scores.length === names.length ? Object.fromEntries(scores) : undefined;
}

function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 1;
}

function notesOf(value: unknown): string {
  return typeof value === 'string' ? cut(inert(value), LIMITS.evaluationNotesBytes / 4) : '';
}

import { isJsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { type Block, objectIn } from '#kernel/question.js';
import { cut, inert } from '#kernel/text.js';
import { DIMENSIONS, type Dimensions } from './record-evaluation.js';

/** In hundredths, to keep the sum exact. */
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

/** Dimensions and notes of a model's judgement; other fields of its answer are ignored. */
export interface Judgement {
  readonly dimensions: Dimensions;
  readonly notes: string;
}

/** Weighted sum, rounded to four places. A judge gives only the dimensions, never the total. */
export function scoreOf(dimensions: Dimensions): number {
  const sum = Object.entries(WEIGHTS).reduce((total, [name, weight]) => total + weight * (dimensions[name] ?? 0), 0);
  return Math.round(sum * 100) / 10_000;
}

/** Parses a judgement; undefined unless every dimension is present, from 0 to 1. */
export function judgementIn(text: string): Judgement | undefined {
  return objectIn(text, (value) => {
    const dimensions = dimensionsIn(value['dimensions'] ?? value, DIMENSIONS);
    return dimensions && { dimensions, notes: notesOf(value['notes']) };
  });
}

/** Parses a comparison: a model's rating of how close an inferred task is to the real one. */
export function comparisonIn(text: string): (Judgement & { readonly score: number }) | undefined {
  return objectIn(text, (value) => {
    const { score } = value;
    const dimensions = dimensionsIn(value['dimensions'], FLIP_DIMENSIONS);
    if (!dimensions || !isShare(score)) return undefined;
    return { score: Math.round(score * 10_000) / 10_000, dimensions, notes: notesOf(value['notes']) };
  });
}

/** The task that a model infers from the output. */
export function inferredIn(text: string): string | undefined {
  return objectIn(text, ({ inferred_prompt: inferred }) =>
    typeof inferred === 'string' && inferred.trim() !== '' ? inferred : undefined,
  );
}

/** Labelled prompt blocks for a model that judges. */
export function blocksOf(texts: readonly (readonly [label: string, text: string])[]): Block[] {
  return texts.map(([label, text]) => ({ label, text, most: TEAM_LIMITS.evaluationArtifactBytes }));
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
  return typeof value === 'string' ? cut(inert(value), TEAM_LIMITS.evaluationNotesBytes / 4) : '';
}

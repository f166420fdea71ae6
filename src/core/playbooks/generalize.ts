import * as z from 'zod/mini';
import { bytesOf, visible } from '#kernel/fence.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { type Block, objectIn } from '#kernel/question.js';
import { redact } from '#kernel/secrets.js';
import type { TaskTemplate } from './function.js';
import { namesIn } from './function.js';

/** Schema of the model's answer. Strict, because any other key would change structure. */
const ANSWER = z.strictObject({
  tasks: z
    .array(
      z.strictObject({ template_id: z.string(), title: z.optional(z.string()), description: z.optional(z.string()) }),
    )
    .check(z.maxLength(TEAM_LIMITS.functionTasks)),
});
type Texts = z.infer<typeof ANSWER>['tasks'][number];

/** Texts for the prompt of the model; undefined if none may be shown, or they are too large. */
export function generalizeBlocks(tasks: readonly TaskTemplate[]): Block[] | undefined {
  const offered = tasks.map(offeredTexts).filter(({ title, description }) => (title ?? description) !== undefined);
  if (offered.length === 0) return undefined;
  const data = offered.map((texts) => JSON.stringify(texts)).join('\n');
  if (bytesOf(data) > TEAM_LIMITS.modelTextsBytes) return undefined;
  return [{ label: 'texts', text: data, most: TEAM_LIMITS.modelTextsBytes }];
}

/** The templates with the texts of the answer; undefined if any part of it is invalid. */
export function parseGeneralized(tasks: readonly TaskTemplate[], answer: string): readonly TaskTemplate[] | undefined {
  return objectIn(answer, (value) => {
    const { data } = ANSWER.safeParse(value);
    return data && withTexts(tasks, data.tasks);
  });
}

function withTexts(tasks: readonly TaskTemplate[], texts: readonly Texts[]): readonly TaskTemplate[] | undefined {
  const changes = new Map(texts.map((one) => [one.template_id, one]));
  if (changes.size < texts.length) return undefined;
  const old = new Map(tasks.map((task) => [task.template_id, offeredTexts(task)]));
  for (const [id, change] of changes) if (!isRewording(old.get(id), change)) return undefined;
  return tasks.map((task) => {
    const { title, description } = changes.get(task.template_id) ?? {};
    return {
      ...task,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
    };
  });
}

/** Texts to show. A text with invisible characters or a secret would come back changed, so it is left out. */
function offeredTexts({ template_id, title, description }: TaskTemplate): Texts {
  const isPlain = (text: string | undefined) =>
    text !== undefined && text !== '' && visible(text) === text && redact(text) === text;
  return { template_id, ...(isPlain(title) ? { title } : {}), ...(isPlain(description) ? { description } : {}) };
}

function isRewording(old: Texts | undefined, { title, description }: Texts): boolean {
  if (old === undefined) return false;
  if (title !== undefined && (/[\t\n]/.test(title) || title.length > WORK_LIMITS.titleCharacters)) return false;
  return rewords(old.title, title) && rewords(old.description, description);
}

/**
 * Whether a text is a valid rewording: it uses the same inputs, has no invisible characters, and is not much longer.
 */
function rewords(old: string | undefined, text: string | undefined): boolean {
  if (text === undefined) return true;
  if (old === undefined || text.trim() === '' || visible(text) !== text) return false;
  if (text.length > 2 * old.length + TEAM_LIMITS.modelGrowthCharacters) return false;
  const names = (of: string) => [...new Set(namesIn(of))].sort().join();
  return names(old) === names(text);
}

import * as z from 'zod/mini';
import { namesIn } from '#core/functions/fill.js';
import type { TaskTemplate } from '#core/functions/function.js';
import { bytesOf, fenced, visible } from '#kernel/fence.js';
import { firstObject } from '#kernel/first-object.js';
import { LIMITS } from '#kernel/limits.js';
import { parseForeignObject } from '#kernel/strict-json.js';

/** All a model may say. A key that is not here would be structure. */
const ANSWER = z.strictObject({
  tasks: z
    .array(
      z.strictObject({ template_id: z.string(), title: z.optional(z.string()), description: z.optional(z.string()) }),
    )
    .check(z.maxLength(LIMITS.functionTasks)),
});
type Texts = z.infer<typeof ANSWER>['tasks'][number];

/** Our words and the texts as data; undefined when no text can be shown to a model as it is, or they are too many. */
export function generalizePrompt(tasks: readonly TaskTemplate[], words: string, nonce: string): string | undefined {
  const offered = tasks.map(offeredTexts).filter(({ title, description }) => (title ?? description) !== undefined);
  if (offered.length === 0) return undefined;
  const data = offered.map((texts) => JSON.stringify(texts)).join('\n');
  if (bytesOf(data) > LIMITS.modelTextsBytes) return undefined;
  return `${words}\n\n${fenced(nonce, 'texts', data, LIMITS.modelTextsBytes).text}\n`;
}

/** The templates with the texts of the answer; undefined when anything in it is not what was asked for. */
export function generalized(tasks: readonly TaskTemplate[], answer: string): readonly TaskTemplate[] | undefined {
  if (answer.length > LIMITS.modelAnswerCharacters) return undefined;
  const found = firstObject(answer);
  const parsed = ANSWER.safeParse(found === undefined ? undefined : parseForeignObject(found));
  if (!parsed.success) return undefined;
  const changes = new Map(parsed.data.tasks.map((texts) => [texts.template_id, texts]));
  if (changes.size < parsed.data.tasks.length) return undefined;
  const old = new Map(tasks.map((task) => [task.template_id, offeredTexts(task)]));
  for (const [id, texts] of changes) if (!keeps(old.get(id), texts)) return undefined;
  return tasks.map((task) => {
    const { title, description } = changes.get(task.template_id) ?? {};
    return {
      ...task,
      ...(title === undefined ? {} : { title }),
      ...(description === undefined ? {} : { description }),
    };
  });
}

/** A text in which something is hidden would not come back as it was: it is not offered. */
function offeredTexts({ template_id, title, description }: TaskTemplate): Texts {
  const shown = (text: string | undefined) => text !== undefined && visible(text) === text;
  return { template_id, ...(shown(title) ? { title } : {}), ...(shown(description) ? { description } : {}) };
}

function keeps(old: Texts | undefined, { title, description }: Texts): boolean {
  if (old === undefined) return false;
  if (title !== undefined && (/[\t\n]/.test(title) || title.length > LIMITS.titleCharacters)) return false;
  return rewords(old.title, title) && rewords(old.description, description);
}

/** The same inputs are asked for, nothing is hidden, and it has not become another, much longer text. */
function rewords(old: string | undefined, text: string | undefined): boolean {
  if (text === undefined) return true;
  if (old === undefined || text.trim() === '' || visible(text) !== text) return false;
  if (text.length > 2 * old.length + LIMITS.modelGrowthCharacters) return false;
  const names = (of: string) => [...new Set(namesIn(of))].sort().join();
  return names(old) === names(text);
}

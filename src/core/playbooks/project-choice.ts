import * as z from 'zod/mini';
import { isJsonObject, type JsonObject, parseJsonObject } from '#kernel/json.js';

const id = z.optional(z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/)));
const choiceSchema = z.object({
  default_workflow: id,
  allowed_workflows: z.optional(z.array(z.string().check(z.regex(/^[a-z0-9][a-z0-9-]{0,63}$/))).check(z.maxLength(50))),
  review_policy: id,
  sandbox_profile: id,
});

/** A project's choice from a blueprint, stored in `.squad/config.json`. */
export type ProjectChoice = z.infer<typeof choiceSchema>;

/** Whether a workflow may run here. Without a choice, all may. */
export function allows({ allowed_workflows: allowed }: ProjectChoice, id: string): boolean {
  return allowed === undefined || allowed.includes(id);
}

/** Parses the choice. Undefined if it is invalid, in contrast to an empty choice. */
export function readChoice(text: string | undefined): ProjectChoice | undefined {
  if (text === undefined) return {};
  const parsed = choiceSchema.safeParse(parseJsonObject(text));
  return parsed.success ? parsed.data : undefined;
}

/** The file with another choice; its other keys are kept. */
export function withChoice(text: string | undefined, choice: ProjectChoice): string {
  const before = text === undefined ? undefined : parseJsonObject(text);
  const existing: JsonObject = isJsonObject(before) ? before : { version: 1 };
  return `${JSON.stringify({ ...existing, ...choice }, null, 2)}\n`;
}

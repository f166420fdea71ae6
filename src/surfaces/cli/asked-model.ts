import { isJsonObject } from '#kernel/json.js';
import { inert } from '#kernel/text.js';
import type { Face } from '#operations/face.js';
import { MODEL_FACES } from '#operations/models/faces.js';
import type { Invocation } from './invocation.js';

/** Says to whom a question is about to go, before it does: `asks anthropic claude-haiku-4-5 (--offline: no model)`. */
export async function sayWhomItAsks({ asks }: Face, { host, screen, input, folder }: Invocation): Promise<void> {
  const [who] = MODEL_FACES;
  if (asks === undefined || who === undefined) return;
  if (asks.when !== undefined && input[asks.when] !== true) return;
  if (asks.unless?.some(([field, value]) => input[field] === value)) return;
  const { provider, model } = input;
  const question = { purpose: asks.purpose, ...(provider ? { provider } : {}), ...(model ? { model } : {}) };
  const answer = await host.call(who, question, folder);
  const name = isJsonObject(answer) ? answer['asks'] : undefined;
  if (typeof name !== 'string') return;
  screen.aside(`asks ${inert(name)}${asks.without === undefined ? '' : ` (${asks.without}: no model)`}`);
}

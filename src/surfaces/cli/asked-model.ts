import { MODEL_PROVIDERS } from '#core/settings/schema.js';
import { inert } from '#kernel/text.js';
import { specNamed } from '#operations/named.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import type { Invocation } from './invocation.js';

/**
 * Prints which model a call is about to ask, before it does: `asks anthropic claude-haiku-4-5 (--offline: no model)`.
 */
export async function sayWhomItAsks(
  { asks }: OperationSpec,
  { host, screen, input, folder }: Invocation,
): Promise<void> {
  if (asks === undefined) return;
  if (asks.when !== undefined && input[asks.when] !== true) return;
  if (asks.unless?.some(([field, value]) => input[field] === value)) return;
  const provider = MODEL_PROVIDERS.find((candidate) => candidate === input['provider']);
  const { model } = input;
  const question = {
    purpose: asks.purpose,
    ...(provider === undefined ? {} : { provider }),
    ...(typeof model === 'string' && model !== '' ? { model } : {}),
  };
  const { asks: name } = await host.call(specNamed('model.who'), question, folder);
  if (name === null) return;
  screen.aside(`asks ${inert(name)}${asks.without === undefined ? '' : ` (${asks.without}: no model)`}`);
}

import * as z from 'zod/mini';
import { ownPrices } from '#core/settings/own-prices.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Usage } from './event.js';

/** Price in US dollars per million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
  /** Reading from and writing to a cache; equal to `input` unless the table has its own price. */
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** Token prices, for clients and providers that report tokens without a price. */
export interface PriceTable {
  /** Date of the prices, as `2026-09-23`. */
  readonly asOf: string;
  readonly source: string;
  /** Default model of each client. */
  readonly clients: ReadonlyMap<string, string>;
  readonly aliases: ReadonlyMap<string, string>;
  /** Keyed by the name that `nameOf` returns. */
  readonly models: ReadonlyMap<string, Price>;
}

const amount = z.number().check(z.nonnegative());
const names = z.record(z.string(), z.string());
const fileSchema = z.strictObject({
  as_of: z.string(),
  source: z.string(),
  clients: names,
  aliases: names,
  models: z.record(
    z.string(),
    z.strictObject({
      input: amount,
      output: amount,
      cache_read: z.optional(amount),
      cache_write: z.optional(amount),
    }),
  ),
});

/** Parses the shipped table. Errors: `catalog_invalid`. */
export function priceTable(data: unknown): PriceTable {
  const parsed = fileSchema.safeParse(data);
  if (!parsed.success)
    throw new TroupeError('catalog_invalid', { what: 'data/prices.json does not have the form of a price table.' });
  const { as_of: asOf, source, clients, aliases, models } = parsed.data;
  const rows = Object.entries(models).map(([model, row]) => {
    const { input, output, cache_read: cacheRead = input, cache_write: cacheWrite = input } = row;
    return [nameOf(model), { input, output, cacheRead, cacheWrite }] as const;
  });
  return {
    asOf,
    source,
    clients: new Map(Object.entries(clients)),
    aliases: new Map(Object.entries(aliases)),
    models: new Map(rows),
  };
}

/**
 * The shipped table with the person's own prices, which take precedence. Their names are those of models or clients.
 */
export function withOwnPrices(table: PriceTable, own: string | undefined): PriceTable {
  const rows = ownPrices(own).map(({ name, input, output, cached = input }) => {
    return { name, price: { input, output, cacheRead: cached, cacheWrite: input } };
  });
  const clients = new Map(table.clients);
  const aliases = new Map(table.aliases);
  for (const { name } of rows) {
    aliases.delete(name);
    if (clients.has(name)) clients.set(name, name);
  }
  const models = new Map([...table.models, ...rows.map(({ name, price }) => [nameOf(name), price] as const)]);
  return { ...table, clients, aliases, models };
}

/**
 * Price of a model under any of its names; without a model, that of the client's default model. Undefined if unknown.
 */
export function priceOf(
  { clients, aliases, models }: PriceTable,
  { model, client }: { readonly model?: string | undefined; readonly client?: string | undefined },
): Price | undefined {
  const usual = client === undefined ? undefined : clients.get(client);
  const asked = model ?? usual;
  if (asked === undefined) return undefined;
  const known = named(asked);
  // A model newer than the table costs about as much as the client's default model.
  return known ?? (usual === undefined ? undefined : named(usual));

  function named(text: string): Price | undefined {
    const name = nameOf(aliases.get(text.toLowerCase().replace(/\[.*$/, '')) ?? text);
    return models.get(name) ?? models.get(name.replace(VARIANT, ''));
  }
}

/** Suffixes of a name that do not change the price. */
const VARIANT = /(-(codex|latest|preview|exp|\d{8}|\d{4}-\d{2}-\d{2}|v\d+))+$/;

/**
 * Model name without provider, region, context length and effort: `us.anthropic.claude-x-20260101-v1:0`,
 * `openai/gpt-5.5`, `opus[1m]`.
 */
function nameOf(model: string): string {
  return model
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/^((us|eu|apac|jp|global)\.)?(anthropic|openai|google|amazon|mistral)\./, '')
    .replace(/\[.*$/, '')
    .replace(/[:@].*$/, '')
    .replaceAll('.', '-');
}

/** Adds the cost to usage: that of the client, else tokens times price, marked as an estimate. */
export function priced(usage: Usage, price: Price | undefined): Usage {
  if (usage.cost_usd !== undefined || price === undefined) return usage;
  const dollars =
    usage.input_tokens * price.input +
    usage.output_tokens * price.output +
    usage.cache_read_input_tokens * price.cacheRead +
    usage.cache_creation_input_tokens * price.cacheWrite;
  if (dollars === 0 && usage.input_tokens + usage.output_tokens === 0) return usage; // no usage was reported
  const cost = Math.round(dollars * 1e3) / (1e3 * WORK_LIMITS.tokensPerPrice);
  return { ...usage, cost_usd: cost, estimated_usd: cost };
}

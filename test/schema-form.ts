import type { core } from 'zod/mini';
import { isJsonObject } from '#kernel/json.js';
import { jsonSchemaOf } from '#kernel/json-schema.js';

/**
 * A schema on one line: `{ id: string, after?: string[] }`; `…` at its end means that further fields are allowed.
 * Bounds and patterns follow the part they restrict.
 */
export function formOf(schema: unknown, io: 'input' | 'output'): string {
  return said(jsonSchemaOf(schema as core.$ZodType, io));
}

function said(schema: unknown): string {
  if (!isJsonObject(schema)) return String(schema);
  const {
    $schema: _,
    $defs,
    type,
    properties,
    required,
    additionalProperties,
    items,
    anyOf,
    enum: values,
    ...rest
  } = schema;
  const more = Object.entries(rest).map(
    ([name, value]) => `${name}=${typeof value === 'object' ? said(value) : value}`,
  );
  if (isJsonObject($defs)) more.push(...Object.entries($defs).map(([name, one]) => `${name}: ${said(one)}`));
  const about = more.length === 0 ? '' : `(${more.join(' ')})`;
  if (Array.isArray(anyOf)) return `${anyOf.map(said).join(' | ')}${about}`;
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (type === 'array') return `(${said(items)})[]${about}`;
  if (type !== 'object') return `${[type ?? 'any'].flat().join(' | ')}${about}`;
  const needed = Array.isArray(required) ? required : [];
  const fields = Object.entries(isJsonObject(properties) ? properties : {}).map(
    ([name, one]) => `${name}${needed.includes(name) ? '' : '?'}: ${said(one)}`,
  );
  if (additionalProperties !== false)
    fields.push(isJsonObject(additionalProperties) ? `[…]: ${said(additionalProperties)}` : '…');
  return `{ ${fields.join(', ')} }${about}`;
}

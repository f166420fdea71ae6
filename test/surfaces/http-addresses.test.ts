import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { Operation } from '#operations/operation.js';
import { OPERATIONS } from '#operations/table.js';
import { RESOURCE_ROUTES, SERVER_ADDRESSES } from '#surfaces/http/addresses.js';
import { Stage } from '../operations/team/casting-stage.js';
import { verifies } from '../verifies.js';
import { servedOver } from './served.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const OF_TABLE = OPERATIONS.filter((spec) => spec.where !== 'caller').map(
  ({ name, kind }) => `${kind === 'read' ? 'GET' : 'POST'} /api/${name.replaceAll('.', '/')}`,
);
const OF_OWN = [...SERVER_ADDRESSES, ...RESOURCE_ROUTES].map(({ method, path: address }) => `${method} ${address}`);
const IN_REFERENCE = [
  ...readFileSync(path.join(ROOT, 'docs/reference/http.md'), 'utf8').matchAll(/^\| `([A-Z]+ \/\S+)` \|/gm),
].map(([, address = '']) => address);

verifies('cast.http', 'the reference names every address that is answered, and no other', async () => {
  expect([...IN_REFERENCE].sort()).toEqual([...OF_OWN, ...OF_TABLE].sort());
  const handlers = readFileSync(path.join(ROOT, 'src/surfaces/http/server.ts'), 'utf8').matchAll(
    /app\.(get|post|put|patch|delete)\('(\/api\/[^'*]+)'/g,
  );
  expect([...handlers].map(([, method = '', address]) => `${method.toUpperCase()} ${address}`).sort()).toEqual(
    SERVER_ADDRESSES.map(({ method, path: address }) => `${method} ${address}`).sort(),
  );
  const { send } = await servedOver(new Stage());
  for (const { method, path: address } of RESOURCE_ROUTES) {
    const target = address.replace(':project', 'demo').replace(/:\w+/g, '1');
    const { body } = await send(method, target, method === 'GET' ? undefined : {});
    expect(body?.error?.code ?? '', `${method} ${address}`).not.toMatch(/^(?:unknown_route|method_not_allowed)$/);
  }
});

/** The names of fields of a schema and below. What people name themselves (the keys of a record) is no field. */
function fieldsOf(schema: unknown, seen = new Set<unknown>()): string[] {
  const definition = (schema as { _zod?: { def: Record<string, unknown> } } | undefined)?._zod?.def;
  if (definition === undefined || seen.has(schema)) return [];
  seen.add(schema);
  const {
    shape = {},
    options = [],
    items = [],
    element,
    innerType,
    valueType,
  } = definition as {
    shape?: Record<string, unknown>;
    options?: unknown[];
    items?: unknown[];
    element?: unknown;
    innerType?: unknown;
    valueType?: unknown;
  };
  const below = [...Object.values(shape), ...options, ...items, element, innerType, valueType];
  return [...Object.keys(shape), ...below.flatMap((part) => fieldsOf(part, seen))];
}

verifies('cast.http', 'every field of every answer is in snake case', async () => {
  for (const spec of OPERATIONS) {
    const { output } = (await spec.load()) as Operation<string, unknown, unknown, unknown>;
    expect(
      fieldsOf(output).filter((field) => /[A-Z-]/.test(field)),
      spec.name,
    ).toEqual([]);
  }
});

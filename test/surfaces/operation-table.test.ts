import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { isJsonObject } from '#kernel/json.js';
import { rowOf } from '#operations/fields.js';
import type { Operation } from '#operations/operation.js';
import type { ArgumentSpec, OperationSpec, OptionSpec } from '#operations/operation-spec.js';
import { OPERATIONS, UNLISTED } from '#operations/table.js';
import { verifies } from '../verifies.js';

const ROOMS = path.resolve(import.meta.dirname, '../../src/operations');
const ROWS: readonly OperationSpec[] = OPERATIONS;

verifies('one.operation', 'each operation is declared once, and the table has exactly its declaration', async () => {
  const files = readdirSync(ROOMS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const declared = new Map<string, Operation>();
  for (const file of files) {
    if (!readFileSync(path.join(ROOMS, file), 'utf8').includes('operation({')) continue;
    const module: Record<string, unknown> = await import(path.join(ROOMS, file));
    for (const one of Object.values(module).filter(isOperation)) {
      expect(declared.has(one.name), `${one.name} in ${file}`).toBe(false);
      declared.set(one.name, one);
    }
  }
  const rows = [...OPERATIONS, ...UNLISTED];
  expect(rows.map(({ name }) => name).sort()).toEqual([...declared.keys()].sort());
  for (const { load, ...row } of rows) {
    const loaded = await load();
    expect(loaded, row.name).toBe(declared.get(row.name));
    const { arguments: words, options, ...own } = rowOf(loaded);
    expect(row, `${row.name}: node tooling/operations.mjs`).toEqual({
      ...own,
      ...(words?.length ? { arguments: words } : {}),
      ...(options?.length ? { options } : {}),
    });
  }
});

const isOperation = (value: unknown): value is Operation =>
  isJsonObject(value) && typeof value['run'] === 'function' && 'input' in value;

test('an argument has to be typed where its operation cannot do without it, and only there', async () => {
  const wrong: string[] = [];
  for (const spec of ROWS) {
    const parsed = (await spec.load()).input.safeParse({});
    const missing = new Set(parsed.success ? [] : parsed.error.issues.map(({ path: [field] }) => field));
    // What a flag says too need not be typed as an argument.
    const flags = new Set((spec.options ?? []).map(({ field }) => field));
    for (const { field, required = false } of spec.arguments ?? ([] as readonly ArgumentSpec[]))
      if (required !== (missing.has(field) && !flags.has(field))) wrong.push(`${spec.name} ${field}`);
  }
  expect(wrong).toEqual([]);
});

test('an argument takes several words where its operation takes a list, and only there', async () => {
  const wrong: string[] = [];
  for (const spec of ROWS) {
    const { input } = await spec.load();
    for (const { field, many = false } of spec.arguments ?? ([] as readonly ArgumentSpec[])) {
      const parsed = input.safeParse({ [field]: {} });
      const issue = (parsed.success ? [] : parsed.error.issues).find(({ path: [first] }) => first === field);
      if (many !== (issue !== undefined && 'expected' in issue && issue.expected === 'array'))
        wrong.push(`${spec.name} ${field}`);
    }
  }
  expect(wrong).toEqual([]);
});

test('what writes outside of its folder is asked what is there, and only that; a team and a shared agency need no graph', async () => {
  const wrong: string[] = [];
  for (const spec of ROWS) {
    const { input } = await spec.load();
    const takes = (field: string) => {
      const parsed = input.safeParse({ [field]: [] });
      if (parsed.success) return true;
      return !parsed.error.issues.some((issue) => issue.code === 'unrecognized_keys' && issue.keys?.includes(field));
    };
    // Some that are given more than they take leave it aside.
    if (!takes('no field of any') && takes('outside') !== (spec.writesOutside === true)) wrong.push(spec.name);
  }
  expect(wrong).toEqual([]);
  const without = ROWS.filter(({ name }) =>
    /^(?:member|squad\.(?:check|render|migrate)|agency\.(?:remote|scan|pull|push|merge))\b/.test(name),
  );
  expect(without.length).toBeGreaterThan(15);
  expect(without.filter(({ graphless }) => graphless !== true).map(({ name }) => name)).toEqual([]);
});

test('every flag has a name, a type and a summary', () => {
  const options: readonly OptionSpec[] = ROWS.flatMap((spec) => spec.options ?? []);
  for (const option of options) {
    expect(option).toMatchObject({
      flag: expect.stringMatching(/^[a-z][a-z-]*$/),
      summary: expect.stringMatching(/./),
    });
    expect(['text', 'number', 'list', 'each', 'switch'], option.flag).toContain(option.type);
  }
});

test('what is typed to do without a model is a flag with which none is asked', () => {
  const wrong = ROWS.filter(({ asks, options = [] }) => {
    const flag = options.find((option) => `--${option.flag}` === asks?.without?.split(' ')[0]);
    return flag?.type === 'switch' && !asks?.unless?.some(([field, value]) => field === flag.field && value === true);
  });
  expect(wrong.map(({ name }) => name)).toEqual([]);
});

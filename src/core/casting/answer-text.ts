import { visible } from '#kernel/fence.js';
import { isJsonObject } from '#kernel/json.js';
import { BLUEPRINT_LIMITS } from '#kernel/limits/blueprints.js';
import { redact } from '#kernel/secrets.js';
import { cut, inert } from '#kernel/text.js';

/** Returns a model's text on one line, with secrets redacted and active or hidden characters removed. */
export function plainLine(text: unknown, most: number): string {
  return typeof text === 'string' ? cut(inert(redact(text)).replace(/\s+/g, ' ').trim(), most) : '';
}

/**
 * Derives an id from the first usable text (`Plan a trip` → `plan-a-trip`) or from the fallback word, with suffix `-2`,
 * `-3`, … if it is taken.
 */
export function freeAnswerId(texts: readonly unknown[], word: string, existing: ReadonlySet<string>): string {
  const base = texts.map(idFrom).find((id) => id !== '') ?? word;
  for (let number = 1; ; number++) {
    const end = number === 1 ? '' : `-${number}`;
    const id = `${base.slice(0, BLUEPRINT_LIMITS.ownIdCharacters - end.length).replace(/-+$/, '')}${end}`;
    if (!existing.has(id)) return id;
  }
}

function idFrom(text: unknown): string {
  const plain = plainLine(text, BLUEPRINT_LIMITS.nameCharacters)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-');
  return plain.replace(/^-+/, '').slice(0, BLUEPRINT_LIMITS.ownIdCharacters).replace(/-+$/, '');
}

/** Words in field names that set something a model may not decide. */
const FORBIDDEN_FIELD_WORDS = new Set([
  ...['allow', 'allowed', 'budget', 'budgets', 'command', 'commands', 'cost', 'env', 'environment', 'exec', 'execute'],
  ...[
    'executor',
    'grant',
    'grants',
    'permission',
    'permissions',
    'privilege',
    'privileges',
    'run',
    'script',
    'scripts',
  ],
  ...['secret', 'secrets', 'shell', 'spend', 'sudo', 'tool', 'tools', 'trust', 'trusted'],
]);

/** Returns the first field name at any depth of an answer that sets a command, a permission or a budget. */
export function forbiddenField(value: unknown): string | undefined {
  if (Array.isArray(value)) return firstOf(value, forbiddenField);
  if (!isJsonObject(value)) return undefined;
  return firstOf(Object.entries(value), ([key, part]) => {
    const words = key.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])/).map((word) => word.toLowerCase());
    return words.some((word) => FORBIDDEN_FIELD_WORDS.has(word))
      ? cut(inert(key), BLUEPRINT_LIMITS.idCharacters)
      : forbiddenField(part);
  });
}

/** Whether any string in a value contains invisible characters. */
export function hasHiddenText(value: unknown): boolean {
  if (typeof value === 'string') return visible(value) !== value.replaceAll('\r\n', '\n');
  if (Array.isArray(value)) return value.some(hasHiddenText);
  return isJsonObject(value) && Object.values(value).some(hasHiddenText);
}

function firstOf<Item>(items: readonly Item[], look: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const result = look(item);
    if (result !== undefined) return result;
  }
  return undefined;
}

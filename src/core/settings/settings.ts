/**
 * Every key of `config.toml`, its type and default, and the keys that need the consent of a person.
 * @packageDocumentation
 */

import { leadsOutside } from '#core/settings/layout.js';
import { TREES_FOLDER } from '#core/settings/trees-folder.js';
import { parseDecimal } from '#kernel/decimal.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { describeIssue, explainIssue, type Issue } from '#kernel/issues.js';
import { isJsonObject, type Json } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { cut, didYouMean, inert } from '#kernel/text.js';
import { KEYS, SECTIONS, type Settings, SYNC_LABEL, settingsSchema } from './schema.js';
import type { SettingRow } from './setting-row.js';

export type { Settings } from '#core/settings/schema.js';

export interface ReadSettings {
  readonly settings: Settings;
  readonly warnings: readonly string[];
  readonly rows: readonly SettingRow[];
}

/**
 * Keys of a person's own settings. A project must not set them: they identify the person and decide what clients get of
 * the environment.
 */
const OWN_KEYS = ['executors.pass_env', 'person'];
const OWN_FILE = 'your own settings (~/.config/troupe/config.toml), not in a project';
const SECRET_KEYS: ReadonlySet<string> = new Set(['password', 'pass', 'token', 'access_token', 'api_key', 'secret']);

/**
 * Validates the data of a settings file. An unknown key is only a warning, since a later version or another tool may
 * know it. A key that looks like a secret is refused, because secrets belong in the environment. Errors: `bad_config`
 * with the key of the invalid value.
 */
export function settingsFrom(value: unknown): ReadSettings {
  const warnings: string[] = [];
  for (const { path, last } of leaves(value)) {
    const key = path.join('.');
    if (SECRET_KEYS.has(last)) throw secretInFile(key, last);
    if (KEYS.has(key)) continue;
    if (OWN_KEYS.includes(key)) {
      warnings.push(`${key} applies only in ${OWN_FILE}`);
      continue;
    }
    const near = similarKey(key);
    warnings.push(`${shownKey(key)} is an unknown key${near ? `; did you mean ${near}?` : ''}`);
  }
  const parsed = settingsSchema.safeParse(value);
  if (!parsed.success) throw badValue(parsed.error.issues, value);
  const rows = [...KEYS.keys()].map((key) => rowOf(key, value, parsed.data));
  return { settings: parsed.data, warnings: warnings.slice(0, TEAM_LIMITS.settingWarnings), rows };
}

/** Limits for tasks that a run may add to the graph. */
export function seedLimits({ guardrails }: Settings): { readonly children: number; readonly depth: number } {
  return { children: guardrails.max_child_tasks_per_agent, depth: guardrails.max_task_depth };
}

/** Segments of a known key. Errors: `bad_config`, with the most similar key. */
export function settingKey(key: string): readonly string[] {
  if (KEYS.has(key)) return key.split('.');
  const last = key.slice(key.lastIndexOf('.') + 1);
  if (SECRET_KEYS.has(last)) throw secretInFile(key, last);
  const near = similarKey(key);
  throw new TroupeError('bad_config', {
    what: `There is no setting ${shownKey(key)}.`,
    hint: OWN_KEYS.includes(key)
      ? `It applies only in ${OWN_FILE}.`
      : near
        ? `Did you mean ${near}?`
        : 'Run `troupe config show` to see them all.',
    details: { key: shownKey(key) },
  });
}

/** The known key most like this one, which may lack its section: `executor` stands for `coordinator.executor`. */
function similarKey(key: string): string | undefined {
  const near = didYouMean(key, KEYS.keys());
  if (near !== undefined || key.includes('.')) return near;
  const byName = new Map([...KEYS.keys()].map((known) => [known.slice(known.lastIndexOf('.') + 1), known]));
  return byName.get(didYouMean(key, byName.keys()) ?? '');
}

/** Converts typed text to the type of its key: a boolean, a number, text, or a comma-separated list. */
export function typedValue(key: string, typed: string): string | number | boolean | string[] {
  const schema = KEYS.get(settingKey(key).join('.'));
  const number = parseDecimal(typed);
  const candidates: (string | number | boolean | string[])[] = [
    ...(typed === 'true' || typed === 'false' ? [typed === 'true'] : []),
    ...(number === undefined ? [] : [number]),
    typed,
    typed.split(',').map((item) => item.trim()),
  ];
  for (const candidate of candidates) if (schema?.safeParse(candidate).success) return candidate;
  const issues = schema?.safeParse(candidates[0]).error?.issues ?? [];
  throw badValue(issues, candidates[0], key.split('.'));
}

function rowOf(key: string, fileValues: unknown, settings: Settings): SettingRow {
  const words = key.split('.');
  const said = at(settings, words) as SettingRow['value'] | readonly string[];
  if (said === undefined) return { key, from: 'unset' };
  const value = typeof said === 'object' ? said.join(',') : said;
  return { key, value, from: at(fileValues, words) === undefined ? 'default' : 'file' };
}

function at(value: unknown, words: readonly string[]): unknown {
  return words.reduce<unknown>(
    (inner, word) => (isJsonObject(inner) && Object.hasOwn(inner, word) ? inner[word] : undefined),
    value,
  );
}

/** All values that are not tables, and unknown tables, with their paths. */
function leaves(value: unknown): { path: string[]; last: string }[] {
  const entries: { path: string[]; last: string }[] = [];
  const pending: { path: string[]; value: Json }[] = isJsonObject(value) ? [{ path: [], value }] : [];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { path, value: inner } = next;
    const deeper = path.length === 0 || isSection(path.join('.'));
    if (isJsonObject(inner) && (deeper || path.length < 4)) {
      for (const [word, part] of Object.entries(inner)) pending.push({ path: [...path, word], value: part });
    } else entries.push({ path, last: path.at(-1) ?? '' });
  }
  return entries.reverse();
}

function isSection(name: string): boolean {
  return Object.keys(SECTIONS).some((section) => section === name || section.startsWith(`${name}.`));
}

function badValue(issues: readonly Issue[], value: unknown, before: readonly string[] = []): TroupeError {
  const [issue] = issues;
  const explained = issue ? explainIssue(issue, value) : { field: [], text: 'has the wrong form' };
  const key = [...before, ...explained.field.map(String)].join('.');
  // The invalid value may be the secret itself, so it is not repeated.
  const text = key.endsWith('_env') ? 'must be the name of an environment variable' : explained.text;
  return new TroupeError('bad_config', {
    what: `${describeIssue({ field: key === '' ? [] : [key], text }, 'The file')}.`,
    details: { key: shownKey(key) },
  });
}

function secretInFile(key: string, last: string): TroupeError {
  const envKey = [`${key}_env`, ...KEYS.keys()].find(
    (name) => KEYS.has(name) && name.endsWith('_env') && key.startsWith(name.slice(0, name.lastIndexOf('.'))),
  );
  return new TroupeError('bad_config', {
    what: `${shownKey(key)} looks like a secret, and secrets do not belong in this file.`,
    hint: `Put it in an environment variable, and set its name in ${envKey ?? `${last}_env`}.`,
    details: { key: shownKey(key) },
  });
}

function shownKey(key: string): string {
  return cut(inert(key), WORK_LIMITS.idCharacters);
}

/** Effective configuration for all attempts: the last settings read, and overrides of a person. */
export interface EffectiveConfig {
  readonly settings: Settings;
  readonly executor: string;
  readonly model: string | undefined;
}

/**
 * Hash of the security-relevant settings: destinations of messages and secrets, sandbox exceptions, executed commands,
 * folders outside the project, repositories to push to, and issues to exchange. A repository may contain such values, so they apply only
 * after a person on this machine has agreed to exactly these. Undefined if there are none.
 */
export function guardedFingerprint(settings: Settings): string | undefined {
  const { smtp, matrix, webhook, desktop } = settings.notify;
  const smtpValues = [smtp.host, smtp.port, smtp.secure, smtp.user, smtp.password_env, smtp.from];
  const more = [matrix.homeserver, matrix.token_env, matrix.room];
  const { local_url: url, local_key_env: key } = settings.models;
  // Unset values add nothing, so that hashes from before these settings existed stay valid.
  const models = url === undefined && key === undefined ? [] : [url, key];
  const { sandbox, writable } = settings.clients;
  const clients = sandbox !== 'off' && writable === undefined ? [] : [sandbox, writable];
  const { setup, folder } = settings.worktree;
  const outside = leadsOutside(folder) ? [`worktree.folder ${folder}`] : [];
  const worktree = setup === undefined ? outside : [`worktree.setup ${setup}`, ...outside];
  const { remote, blobs } = settings.database;
  const exchange = remote === undefined ? [] : [`database.remote ${remote}`];
  const database = blobs === undefined ? exchange : [...exchange, `database.blobs ${blobs}`];
  const { url_env, token_env, shape } = webhook;
  const told = [url_env, token_env, url_env && shape, desktop || undefined, smtp.to, matrix.to];
  const notices = told.every((value) => value === undefined) ? [] : told;
  const { forge, label, repository, close } = settings.sync;
  const synced = forge === undefined ? [] : [`sync ${forge}`, label, repository, close];
  const landed = settings.coordinator.land === 'pull-request' ? ['coordinator.land pull-request'] : [];
  const all = [
    ...smtpValues,
    ...more,
    ...models,
    ...clients,
    ...worktree,
    ...database,
    ...notices,
    ...synced,
    ...landed,
  ];
  if (!all.some((value) => value !== undefined && value !== false)) return undefined;
  return sha256(JSON.stringify(all));
}

/** The settings without values that need consent. */
export function withoutGuarded(settings: Settings): Settings {
  const { clients, coordinator, models, sync, worktree, database, notify } = settings;
  const { setup: _setup, ...prepared } = worktree;
  const { remote: _remote, blobs: _blobs, ...kept } = database;
  const sandbox = clients.sandbox === 'off' ? 'auto' : clients.sandbox;
  return {
    ...settings,
    worktree: leadsOutside(prepared.folder) ? { ...prepared, folder: TREES_FOLDER } : prepared,
    clients: { sandbox, claude: clients.claude, codex: clients.codex },
    models: { ask: models.ask },
    database: kept,
    coordinator: coordinator.land === 'pull-request' ? { ...coordinator, land: 'manual' } : coordinator,
    sync: { label: SYNC_LABEL, every: sync.every, close: true },
    notify: { ...notify, desktop: false, webhook: { shape: 'json' }, smtp: { secure: false }, matrix: {} },
  };
}

const GUARDED: ReadonlySet<string> = new Set([
  'clients.sandbox',
  'clients.writable',
  'worktree.setup',
  'worktree.folder',
  'database.remote',
  'database.blobs',
  'coordinator.land',
  'sync.forge',
  'sync.label',
  'sync.repository',
  'sync.close',
]);

/** When and of what notices tell says nothing about where they go. */
const FREE = /^(?:notify\.(?:about|quiet|every)|models\.ask)$/;

export function isGuarded(key: string): boolean {
  return GUARDED.has(key) || (/^(?:notify|models)\./.test(key) && !FREE.test(key));
}

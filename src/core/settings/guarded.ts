import type { Settings } from '#core/settings/schema.js';
import { sha256 } from '#kernel/hash.js';

/**
 * What of the settings decides where messages and secrets go. A repository may bring such values; they count only after a
 * person on this machine has agreed to exactly these. Undefined when there are none.
 */
export function guardedFingerprint(settings: Settings): string | undefined {
  const { smtp, matrix } = settings.notify;
  const said = [smtp.host, smtp.port, smtp.secure, smtp.user, smtp.password_env, smtp.from];
  const more = [matrix.homeserver, matrix.token_env, matrix.room];
  const { local_url: url, local_key_env: key } = settings.models;
  // Where neither is said nothing is added: what people agreed to before there were these stays agreed to.
  const models = url === undefined && key === undefined ? [] : [url, key];
  const all = [...said, ...more, ...models];
  if (!all.some((value) => value !== undefined && value !== false)) return undefined;
  return sha256(JSON.stringify(all.map((value) => value ?? null)));
}

/** The settings without what nobody has agreed to. */
export function withoutGuarded(settings: Settings): Settings {
  return { ...settings, models: { ask: settings.models.ask }, notify: { smtp: { secure: false }, matrix: {} } };
}

export function isGuarded(key: string): boolean {
  return key.startsWith('notify.') || (key.startsWith('models.') && key !== 'models.ask');
}

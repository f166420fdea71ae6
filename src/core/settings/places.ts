import type { Settings } from '#core/settings/schema.js';
import { TroupeError } from '#kernel/errors.js';

type Variables = Readonly<Record<string, string | undefined>>;

/**
 * SMTP server, account and sender, with secrets from the environment variables named in the settings. Errors:
 * `notify_unconfigured`.
 */
export function smtpPlace(settings: Settings, variables: Variables) {
  const { host, port, secure, user, password_env, from } = settings.notify.smtp;
  const password =
    password_env === undefined ? undefined : secretOf('notify.smtp.password_env', password_env, variables);
  return {
    host: needed('notify.smtp.host', host),
    port: port ?? (secure ? 465 : 587),
    secure,
    from: needed('notify.smtp.from', from),
    user,
    password,
  };
}

/** Matrix room for notices. Errors: `notify_unconfigured` if a setting is missing. */
export function matrixPlace(settings: Settings, variables: Variables) {
  const { homeserver, token_env, room } = settings.notify.matrix;
  return {
    homeserver: needed('notify.matrix.homeserver', homeserver),
    token: secretOf('notify.matrix.token_env', needed('notify.matrix.token_env', token_env), variables),
    room: needed('notify.matrix.room', room),
  };
}

/** Webhook for notices, with its address and token from the environment. Errors: `notify_unconfigured`. */
export function webhookPlace(settings: Settings, variables: Variables) {
  const { url_env, token_env, shape } = settings.notify.webhook;
  return {
    url: secretOf('notify.webhook.url_env', needed('notify.webhook.url_env', url_env), variables),
    token: token_env === undefined ? undefined : secretOf('notify.webhook.token_env', token_env, variables),
    shape,
  };
}

/** Channels that are configured for notices about the project, with their recipients. */
export function noticeRecipients({ notify }: Settings) {
  const { webhook, desktop, smtp, matrix } = notify;
  return [
    ...(webhook.url_env === undefined ? [] : [{ channel: 'webhook' as const, to: '' }]),
    ...(desktop ? [{ channel: 'desktop' as const, to: '' }] : []),
    ...(smtp.to === undefined ? [] : [{ channel: 'email' as const, to: smtp.to }]),
    ...(matrix.to === undefined ? [] : [{ channel: 'matrix' as const, to: matrix.to }]),
  ];
}

function needed(key: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new TroupeError('notify_unconfigured', {
    what: `${key} is not set.`,
    hint: `Set it with \`troupe config set ${key} VALUE\`; if the file sets it, allow it with \`troupe trust\`.`,
    details: { key },
  });
}

function secretOf(key: string, name: string, variables: Variables): string {
  const secret = Object.hasOwn(variables, name) ? variables[name] : undefined;
  if (secret) return secret;
  throw new TroupeError('notify_unconfigured', {
    what: `The environment variable ${name} that ${key} names is not set here.`,
    hint: 'Set it where the service is started, then start the service again.',
    details: { key, variable: name },
  });
}

/**
 * Notices to people: by a webhook, on the desktop, by mail and in a Matrix room.
 * @packageDocumentation
 */
import { createTransport } from 'nodemailer';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import type { Notice, Notifier, Receipt } from '#ports/notify.js';
import { failure } from './failure.js';

/** A single plain address: no list, no display name, no characters that could inject a header. */
const ADDRESS = /^[^\s<>()[\]\\,;:"@\u0000-\u001f]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?$/;
const LOOPBACK = new Set(['localhost', '127.0.0.1', '::1']);

export interface SmtpPlace {
  readonly host: string;
  readonly port: number;
  /** Implicit TLS (from the first byte). */
  readonly secure: boolean;
  readonly from: string;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

/** Plain-text mail. A password is sent over TLS only, except to this machine. */
export class SmtpNotifier implements Notifier {
  private readonly place: SmtpPlace;
  private readonly timeMs: number;

  constructor(place: SmtpPlace, timeMs: number = TEAM_LIMITS.notifyMs) {
    this.place = place;
    this.timeMs = timeMs;
  }

  async send(notice: Notice, signal: AbortSignal): Promise<Receipt> {
    const { host, port, secure, user, password } = this.place;
    const [from, to] = [address(this.place.from, 'notify.smtp.from'), address(notice.to, 'The contact')];
    const transport = createTransport({
      host,
      port,
      secure,
      ...(user === undefined ? {} : { auth: { user, pass: password } }),
      requireTLS: user !== undefined && !LOOPBACK.has(host),
      dnsTimeout: this.timeMs,
      connectionTimeout: this.timeMs,
      greetingTimeout: this.timeMs,
      socketTimeout: this.timeMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    const messageId = `<${notice.id.replace(/[^A-Za-z0-9._-]/g, '-')}@${from.slice(from.indexOf('@') + 1)}>`;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), 2 * this.timeMs);
    try {
      await transport.sendMail({
        messageId,
        from: { name: '', address: from },
        to: { name: '', address: to },
        subject: cut(inert(notice.subject), TEAM_LIMITS.notifySubjectCharacters),
        text: bounded(inert(notice.text, true)),
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.any([late.signal, signal]),
      });
      return { channel: 'email', reference: messageId };
    } catch (error) {
      const why = late.signal.aborted ? 'no answer in time' : (error as Error).message;
      throw failure(`The mail could not be handed to ${inert(host)}:${port}.`, why, password);
    } finally {
      clearTimeout(timer);
    }
  }
}

function address(text: string, whose: string): string {
  if (ADDRESS.test(text)) return text;
  throw new TroupeError('bad_input', {
    what: `${whose} is not a mail address: ${JSON.stringify(cut(inert(text), 80))}`,
  });
}

function bounded(text: string): string {
  return Buffer.from(text).subarray(0, TEAM_LIMITS.notifyTextBytes).toString('utf8');
}

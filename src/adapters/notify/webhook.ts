import type { TroupeError } from '#kernel/errors.js';
import { NOTICE_LIMITS } from '#kernel/limits/notices.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Notice, Notifier, Receipt } from '#ports/notify.js';
import { failure } from './failure.js';
import { addressFrom, type JsonAnswer, requestJson } from './json-request.js';
import { WEBHOOK_SHAPES, type WebhookShape } from './webhook-shapes.js';

export interface WebhookPlace {
  /** The address, which is a secret. */
  readonly url: string;
  readonly shape: WebhookShape;
  readonly token?: string | undefined;
}

/** A webhook, in the shape of the service behind it. Its address and token appear in no error. */
export class Webhook implements Notifier {
  private readonly place: WebhookPlace;
  private readonly url: URL;
  private readonly timeMs: number;

  constructor(place: WebhookPlace, timeMs: number = TEAM_LIMITS.notifyMs) {
    this.place = place;
    this.url = addressFrom(place.url, 'The address of the webhook');
    this.timeMs = timeMs;
  }

  async send(notice: Notice, signal: AbortSignal): Promise<Receipt> {
    const { shape, token } = this.place;
    const { url, body } = WEBHOOK_SHAPES[shape](this.url, notice);
    let answer: JsonAnswer;
    try {
      answer = await requestJson(url, {
        method: 'POST',
        token,
        headers: { 'idempotency-key': notice.id.replace(/[^\x21-\x7e]/g, '-') },
        body,
        timeMs: this.timeMs,
        mostBytes: NOTICE_LIMITS.answerBytes,
        signal,
      });
    } catch (error) {
      throw this.refused(reasonOf(error as NodeJS.ErrnoException));
    }
    const { status = 0 } = answer;
    if (status < 200 || status > 299) throw this.refused(`it answered ${status}`);
    return { channel: 'webhook', reference: notice.id };
  }

  private refused(why: string): TroupeError {
    return failure('The webhook did not accept it.', why, this.place.token);
  }
}

/** The message of a failed connection contains the address. */
function reasonOf({ code, message, name }: NodeJS.ErrnoException): string {
  if (name === 'AbortError') return 'it was stopped';
  return code === undefined ? message : `it cannot be reached (${code})`;
}

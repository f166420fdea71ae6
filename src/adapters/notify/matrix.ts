import { TroupeError } from '#kernel/errors.js';
import { isJsonObject, type Json, type JsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import type { Notice, Notifier, Receipt, Replies, Reply } from '#ports/notify.js';
import { failure } from './failure.js';
import { addressFrom, type JsonAnswer, requestJson } from './json-request.js';

const ROOM = /^![^\s:]{1,200}(?::[A-Za-z0-9.:[\]-]{1,230})?$/;
const USER = /^@[^\s:]{1,200}:[A-Za-z0-9.:[\]-]{1,230}$/;

export interface MatrixPlace {
  readonly homeserver: string;
  readonly token: string;
  /** The room that receives all notices. */
  readonly room: string;
}

/**
 * A room of a Matrix homeserver that receives notices and replies, both in plain text. The transaction id is derived
 * from the notice, so a notice that is sent twice appears once.
 */
export class MatrixRoom implements Notifier, Replies {
  private readonly place: MatrixPlace;
  private readonly base: URL;
  private readonly timeMs: number;

  constructor(place: MatrixPlace, timeMs: number = TEAM_LIMITS.notifyMs) {
    this.place = place;
    this.base = addressFrom(place.homeserver, 'notify.matrix.homeserver');
    this.timeMs = timeMs;
    if (!ROOM.test(place.room)) throw new TroupeError('bad_config', { what: 'notify.matrix.room is not a room id.' });
  }

  async send(notice: Notice, signal: AbortSignal): Promise<Receipt> {
    if (!USER.test(notice.to)) {
      const contact = JSON.stringify(cut(inert(notice.to), 80));
      throw new TroupeError('bad_input', { what: `The contact is not a Matrix id: ${contact}` });
    }
    const text = `${notice.to}: ${inert(notice.subject)}\n\n${inert(notice.text, true)}`;
    const room = encodeURIComponent(this.place.room);
    const path = `rooms/${room}/send/m.room.message/${encodeURIComponent(notice.id)}`;
    const body = {
      msgtype: 'm.text',
      body: Buffer.from(text).subarray(0, TEAM_LIMITS.notifyTextBytes).toString('utf8'),
      'm.mentions': { user_ids: [notice.to] },
    };
    const answer = await this.ask('PUT', path, { body, signal });
    const event = answer['event_id'];
    return { channel: 'matrix', reference: typeof event === 'string' ? event : notice.id };
  }

  async read(since: string | undefined): Promise<{ since: string; replies: readonly Reply[] }> {
    const none = { types: [], limit: 0 };
    const filter = {
      presence: none,
      account_data: none,
      room: {
        rooms: [this.place.room],
        state: none,
        ephemeral: none,
        account_data: none,
        timeline: { types: ['m.room.message'], limit: TEAM_LIMITS.repliesAtOnce },
      },
    };
    const query = new URLSearchParams({ filter: JSON.stringify(filter), timeout: '0', ...(since ? { since } : {}) });
    const answer = await this.ask('GET', `sync?${query}`);
    const next = answer['next_batch'];
    if (typeof next !== 'string') throw failure('The homeserver did not return a position.', '', this.place.token);
    const timeline = inside(answer, ['rooms', 'join', this.place.room, 'timeline', 'events']);
    const events = Array.isArray(timeline) ? timeline.slice(-TEAM_LIMITS.repliesAtOnce) : [];
    return { since: next, replies: events.flatMap(replyOf) };
  }

  private async ask(
    method: 'GET' | 'PUT',
    path: string,
    more: { readonly body?: JsonObject; readonly signal?: AbortSignal } = {},
  ): Promise<JsonObject> {
    const url = new URL(`${this.base.pathname.replace(/\/$/, '')}/_matrix/client/v3/${path}`, this.base);
    const what = `The homeserver ${inert(this.base.host)} did not accept it.`;
    let answer: JsonAnswer;
    try {
      answer = await requestJson(url, {
        method,
        token: this.place.token,
        timeMs: this.timeMs,
        mostBytes: TEAM_LIMITS.replyBytes,
        ...more,
      });
    } catch (error) {
      throw failure(what, (error as Error).message, this.place.token);
    }
    if (answer.status === 200 && answer.body) return answer.body;
    const code = answer.body?.['errcode'];
    const errorCode = typeof code === 'string' && /^M_[A-Z_]{1,60}$/.test(code) ? ` ${code}` : '';
    throw failure(what, `it answered ${answer.status}${errorCode}`, this.place.token);
  }
}

function replyOf(event: Json): Reply[] {
  if (!isJsonObject(event) || event['type'] !== 'm.room.message') return [];
  const { event_id: id, sender, content } = event;
  if (typeof id !== 'string' || typeof sender !== 'string' || !isJsonObject(content)) return [];
  const { msgtype, body, 'm.relates_to': relation } = content;
  // An edit repeats an earlier message: only the original counts.
  const edit = isJsonObject(relation) && relation['rel_type'] === 'm.replace';
  return msgtype === 'm.text' && typeof body === 'string' && !edit ? [{ id, sender, text: body }] : [];
}

function inside(value: Json, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>((inner, key) => (isJsonObject(inner) ? inner[key] : undefined), value);
}

import { TroupeError } from '#kernel/errors.js';
import { cutBytes } from '#kernel/fence.js';
import type { JsonObject } from '#kernel/json.js';
import { NOTICE_LIMITS } from '#kernel/limits/notices.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import type { Notice } from '#ports/notify.js';

/** Request that a service understands: its address and its JSON body. */
export interface ShapedRequest {
  readonly url: URL;
  readonly body: JsonObject;
}

/** Shapes of a webhook, each in the form of one service; `json` is our own. */
export const WEBHOOK_SHAPES = { json, slack, discord, ntfy } as const satisfies Record<
  string,
  (url: URL, notice: Notice) => ShapedRequest
>;
export type WebhookShape = keyof typeof WEBHOOK_SHAPES;

function json(url: URL, { id, subject, text }: Notice): ShapedRequest {
  return { url, body: { id, subject: inert(subject), text: cutBytes(inert(text, true), TEAM_LIMITS.notifyTextBytes) } };
}

/** Plain text: no markup, no mention, no preview of an address. */
function slack(url: URL, { subject, text }: Notice): ShapedRequest {
  const plain = cutBytes(`${inert(subject)}\n\n${inert(text, true)}`, TEAM_LIMITS.notifyTextBytes);
  const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
  const escaped = withoutMentions(plain).replace(/[&<>]/g, (character) => entities[character] ?? '');
  return { url, body: { text: escaped, mrkdwn: false, link_names: false, unfurl_links: false, unfurl_media: false } };
}

/** Flag of a message without previews of addresses. */
const SUPPRESS_EMBEDS = 4;

/** Characters that mean something in Markdown are escaped, and no mention is allowed. */
function discord(url: URL, { subject, text }: Notice): ShapedRequest {
  const plain = withoutMentions(`${inert(subject)}\n\n${inert(text, true)}`);
  const escaped = plain.replace(/[\\*_~`|>#<\-[\]()]/g, '\\$&');
  const answered = new URL(url);
  answered.searchParams.set('wait', 'true'); // otherwise a message that is refused counts as accepted
  return {
    url: answered,
    body: {
      content: cut(escaped, NOTICE_LIMITS.discordCharacters),
      allowed_mentions: { parse: [] },
      flags: SUPPRESS_EMBEDS,
    },
  };
}

/** The topic is the last part of the address. A notice that is sent again replaces the first one. */
function ntfy(url: URL, { id, subject, text }: Notice): ShapedRequest {
  const [, folder = '', topic = ''] = /^(.*\/)([-_A-Za-z0-9]{1,64})$/.exec(url.pathname) ?? [];
  if (topic === '')
    throw new TroupeError('bad_config', {
      what: 'The address of the webhook does not end with the name of a topic of ntfy.',
    });
  const server = new URL(url);
  server.pathname = folder;
  return {
    url: server,
    body: {
      topic,
      title: inert(subject),
      message: cutBytes(inert(text, true), NOTICE_LIMITS.ntfyBytes),
      markdown: false,
      sequence_id: id.replace(/[^-_A-Za-z0-9]/g, '-').slice(0, 64),
    },
  };
}

/** Breaks every mention by a character without width. */
function withoutMentions(text: string): string {
  return text.replace(/@(?=\S)/g, '@\u200b');
}

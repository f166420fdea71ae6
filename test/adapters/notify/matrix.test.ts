import { expect, onTestFinished, test, vi } from 'vitest';
import { MatrixRoom } from '#adapters/notify/matrix.js';
import { parseTaskReply } from '#core/mail/person.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { verifies } from '../../verifies.js';
import { homeserver, ROOM, TOKEN } from './homeserver.js';
import { LASTING } from './lasting.js';

const NOTICE = { to: '@ann:example.org', subject: 'Sign off', text: 'Please look.', id: 'agent-7.abc' };
const room = (url: string, timeMs?: number) => new MatrixRoom({ homeserver: url, token: TOKEN, room: ROOM }, timeMs);

verifies('human.matrix', 'a notice is put into the room under the run id, and sent again it appears once', async () => {
  const { url, timeline, asked } = await homeserver();
  const first = await room(url).send(NOTICE, LASTING);
  expect(first).toEqual({ channel: 'matrix', reference: '$event-0' });
  expect(await room(url).send(NOTICE, LASTING)).toEqual(first);
  expect(timeline).toHaveLength(1);
  expect(asked[0]).toBe('PUT /_matrix/client/v3/rooms/!work%2Froom%3Aexample.org/send/m.room.message/agent-7.abc');
  await room(url).send({ ...NOTICE, id: 'agent-7.abc.1' }, LASTING);
  expect(timeline).toHaveLength(2);
});

verifies('human.matrix', 'texts are text: no markup, nothing that acts, no other place than the room', async () => {
  const { url, timeline, asked } = await homeserver();
  await room(url).send({ ...NOTICE, text: '<img src=x>\n\u001b[2J\u202e', id: '../../evil?x=1#' }, LASTING);
  expect(timeline[0]?.content).toEqual({
    msgtype: 'm.text',
    body: '@ann:example.org: Sign off\n\n<img src=x>\n\\u{1b}[2J\\u{202e}',
    'm.mentions': { user_ids: ['@ann:example.org'] },
  });
  expect(asked[0]).toContain('/send/m.room.message/..%2F..%2Fevil%3Fx%3D1%23');
  for (const to of ['ann', '@ann', '@ann:example.org @eve:example.org', ''])
    await expect(room(url).send({ ...NOTICE, to }, LASTING), to).rejects.toMatchObject({ code: 'bad_input' });
  await expect(room(url).send({ ...NOTICE, to: 'x'.repeat(81) }, LASTING)).rejects.toMatchObject({
    message: `The contact is not a Matrix id: "${'x'.repeat(79)}…"`,
  });
});

verifies('human.matrix', 'answers are read from where one stopped, with the sender the server names', async () => {
  const { url, say } = await homeserver();
  say('@ann:example.org', { msgtype: 'm.text', body: 'hello' });
  const first = await room(url).read(undefined);
  expect(first).toEqual({ since: 's1', replies: [{ id: '$event-0', sender: '@ann:example.org', text: 'hello' }] });
  expect((await room(url).read(first.since)).replies).toEqual([]);
  say('@eve:example.org', { msgtype: 'm.text', body: '!done sign-off' });
  say('@ann:example.org', { msgtype: 'm.image', body: '!done sign-off' });
  say('@ann:example.org', { body: '!done sign-off' }, 'm.reaction');
  say('@ann:example.org', { msgtype: 'm.text', body: '!done sign-off', 'm.relates_to': { rel_type: 'm.replace' } });
  say('@ann:example.org', 'nothing');
  say('@ann:example.org', { msgtype: 'm.text', body: '!fail sign-off no time' });
  const { replies, since } = await room(url).read(first.since);
  expect(replies.map(({ sender }) => sender)).toEqual(['@eve:example.org', '@ann:example.org']);
  expect(replies.map((reply) => parseTaskReply(reply, () => '@ann:example.org'))).toEqual([
    undefined,
    { do: 'fail', id: 'sign-off', why: 'no time' },
  ]);
  expect(since).toBe('s7');
});

test('a refusal is said by its code; neither token nor the words of the server are', async () => {
  const { url } = await homeserver();
  const error = await refusal(new MatrixRoom({ homeserver: url, token: `${TOKEN}-old`, room: ROOM }));
  expect(error).toMatchObject({ code: 'notify_failed', why: 'it answered 401 M_UNKNOWN_TOKEN' });
  expect(JSON.stringify(error)).not.toContain(TOKEN);
});

test('huge, broken, silent and redirecting servers do no harm', async () => {
  const full = '{"event_id":"$1"}'.padEnd(TEAM_LIMITS.replyBytes);
  const largest = await homeserver(() => ({ status: 200, text: full }));
  expect((await room(largest.url).send(NOTICE, LASTING)).reference).toBe('$1');
  const huge = await homeserver(() => ({ status: 200, text: `${full} ` }));
  expect(await refusal(room(huge.url))).toMatchObject({ code: 'notify_failed', why: 'the answer is too large' });
  const cutOff = await homeserver(() => ({ status: 200, text: '{', headers: { 'content-length': '9' } }));
  expect((await refusal(room(cutOff.url))).why).toBe('aborted');
  const broken = await homeserver(() => ({ status: 200, text: '<html>' }));
  expect((await refusal(room(broken.url))).code).toBe('notify_failed');
  const silent = await homeserver(() => 'silence');
  expect((await refusal(room(silent.url, 200))).why).toBe('no answer in time');
  const other = await homeserver();
  const away = await homeserver(() => ({ status: 307, text: '{}', headers: { location: other.url } }));
  expect((await refusal(room(away.url))).why).toBe('it answered 307');
  expect(other.asked).toEqual([]);
});

test('a token goes over TLS or nowhere, and never stands in an address', async () => {
  for (const url of [
    'http://example.org',
    'ftp://example.org',
    'https://user:pw@example.org',
    'https://user@example.org',
    'https://:pw@example.org',
    'nonsense',
    'http://10.0.0.1',
  ])
    expect(() => room(url), url).toThrow(expect.objectContaining({ code: 'bad_config' }));
  for (const url of ['https://example.org', 'http://localhost', 'http://127.0.0.1', 'http://[::1]:8008']) room(url);
  const { url, asked } = await homeserver();
  await room(url).read(undefined);
  await room(url).send(NOTICE, LASTING);
  expect(asked.join(' ')).not.toContain(TOKEN);
});

async function refusal(where: MatrixRoom): Promise<TroupeError> {
  try {
    await where.send(NOTICE, LASTING);
  } catch (error) {
    if (error instanceof TroupeError) return error;
    throw error;
  }
  throw new Error('It was sent');
}

test('what is asked of a server: so much, of this room, in JSON, and no timer is left of it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { url, asked, headers, say } = await homeserver();
  for (let number = 0; number <= TEAM_LIMITS.repliesAtOnce; number++)
    say('@ann:example.org', { msgtype: 'm.text', body: `${number}` });
  const { replies, since } = await room(`${url}/`).read('');
  expect([replies.length, replies[0]?.text]).toEqual([TEAM_LIMITS.repliesAtOnce, '1']);
  await room(url).read(since);
  const [first, second] = asked.map((line) => new URL(line.split(' ')[1] ?? '', url));
  expect([first?.pathname, first?.searchParams.get('since'), second?.searchParams.get('since')]).toEqual([
    ...['/_matrix/client/v3/sync', null, since],
  ]);
  expect(first?.searchParams.get('timeout')).toBe('0');
  const none = { types: [], limit: 0 };
  expect(JSON.parse(first?.searchParams.get('filter') ?? '')).toEqual({
    ...{ presence: none, account_data: none },
    room: {
      ...{ rooms: [ROOM], state: none, ephemeral: none, account_data: none },
      timeline: { types: ['m.room.message'], limit: TEAM_LIMITS.repliesAtOnce },
    },
  });
  await room(url).send({ ...NOTICE, text: 'ä' }, LASTING);
  expect([headers[0]?.['content-type'], headers[2]?.['content-type'], headers[2]?.['transfer-encoding']]).toEqual([
    ...[undefined, 'application/json', undefined],
  ]);
  expect(vi.getTimerCount()).toBe(0);
});

test('what a server leaves out is nothing; of what it says that is odd, nothing is believed', async () => {
  const answering = async (answer: object) => {
    const { url } = await homeserver(() => ({ status: 200, text: JSON.stringify(answer) }));
    return await room(url)
      .read('s1')
      .catch(({ code, message }) => [code, message]);
  };
  expect(await answering({ rooms: {} })).toEqual(['notify_failed', 'The homeserver did not return a position.']);
  for (const rooms of [undefined, 7, { join: null }, { join: { [ROOM]: { timeline: { events: {} } } } }])
    expect(await answering({ next_batch: 's2', rooms }), JSON.stringify(rooms)).toEqual({ since: 's2', replies: [] });
  const event = { type: 'm.room.message', event_id: '$1', sender: '@ann:example.org' };
  const content = { msgtype: 'm.text', body: 'yes' };
  const odd = [
    7,
    null,
    { ...event, content, type: 'm.reaction' },
    { ...event },
    { ...event, content, event_id: 7 },
    { ...event, content, sender: 7 },
  ];
  const related = { ...content, 'm.relates_to': { rel_type: 'm.thread' } };
  const events = [...odd, { ...event, content: { ...content, body: 7 } }, { ...event, content: related }];
  expect(await answering({ next_batch: 's2', rooms: { join: { [ROOM]: { timeline: { events } } } } })).toEqual({
    ...{ since: 's2', replies: [{ id: '$1', sender: '@ann:example.org', text: 'yes' }] },
  });
  const named = await homeserver(() => ({ status: 200, text: '{"event_id":7}' }));
  expect(await room(named.url).send(NOTICE, LASTING)).toEqual({ channel: 'matrix', reference: NOTICE.id });
  for (const errcode of ['the <words>', ['M_FORBIDDEN']]) {
    const refusing = await homeserver(() => ({ status: 400, text: JSON.stringify({ errcode }) }));
    expect((await refusal(room(refusing.url))).why).toBe('it answered 400');
  }
  expect(() => new MatrixRoom({ homeserver: named.url, token: TOKEN, room: '#work' })).toThrow(
    expect.objectContaining({ code: 'bad_config' }),
  );
});

import { expect, test } from 'vitest';
import {
  federationOf,
  federationText,
  projectsIn,
  remoteNamed,
  withoutRemote,
  withRemote,
} from '#core/agency/remotes.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';

const remote = (name: string, more: object = {}) => ({ name, path: '/elsewhere', ...more });

test('remotes are read from their file, and what other tools keep in it stays', () => {
  expect([federationOf(undefined), federationOf(null), federationOf({})]).toEqual(
    Array.from({ length: 3 }, () => ({ remotes: new Map(), peers: new Map(), more: {} })),
  );
  const all = { path: '/p', ref: 'main', description: 'D', last_sync: 't', last_commit: 'c' };
  const read = federationOf({ remotes: { b: { path: '/b', ref: 7 }, a: all }, theirs: { x: 1 } });
  expect([...read.remotes]).toEqual([
    ['b', { name: 'b', path: '/b' }],
    ['a', { name: 'a', ...all }],
  ]);
  expect(federationText(read)).toBe(
    `remotes:\n  "a": ${JSON.stringify({ path: '/p', ref: 'main', last_commit: 'c', description: 'D', last_sync: 't' })}\n  "b": {"path":"/b"}\n"theirs": {"x":1}\n`,
  );
  expect(federationText(federationOf({}))).toBe('remotes: {}\n');
  expect(federationOf({ remotes: { a: { path: 'https://example.org/a.git' } } }).remotes.size).toBe(1);
});

test('peers of the original are known as remotes are, unless they are no name with a path; they are changed only there', () => {
  const peers = { far: { path: '/far' }, near: { path: '/other' }, odd: 7, here: { path: '.' }, '-x': { path: '/x' } };
  const read = federationOf({ remotes: { near: { path: '/near' } }, peers });
  expect([...projectsIn(read).values()].map(({ name, path }) => [name, path])).toEqual([
    ['far', '/far'],
    ['near', '/near'],
  ]);
  expect(remoteNamed(read, 'far')).toEqual({ name: 'far', path: '/far' });
  expect(() => withoutRemote(read, 'far')).toThrow('no remote far');
  expect(federationText(withRemote(read, remote('new')))).toContain(`"peers": ${JSON.stringify(peers)}`);
  expect(federationOf({ peers: 7 }).peers.size).toBe(0);
});

test.each([
  ['words', 'it is not a record'],
  [{ remotes: [] }, '`remotes` is not a record'],
  [{ remotes: { a: { path: 'here' } } }, 'a is not a name with an absolute path or an address'],
  [{ remotes: { a: 'x' } }, 'a is not a name'],
  [{ remotes: { '-a': { path: '/x' } } }, '-a is not a name'],
])('a file that is wrong says why: %j', (value, why) => {
  expect(() => federationOf(value)).toThrow(
    expect.objectContaining({ code: 'bad_config', message: expect.stringContaining(why) }),
  );
});

test('a remote is put in the place of what has its name, found by it, and taken away', () => {
  const one = withRemote(federationOf({}), remote('a'));
  const two = withRemote(withRemote(one, remote('b')), remote('a', { path: '/other' }));
  expect([one.remotes.size, two.remotes.size, remoteNamed(two, 'a').path]).toEqual([1, 2, '/other']);
  expect([...withoutRemote(two, 'a').remotes.keys()]).toEqual(['b']);
  for (const use of [() => remoteNamed(two, 'c'), () => withoutRemote(two, 'c')])
    expect(use).toThrow(expect.objectContaining({ code: 'not_found', message: 'There is no remote c.' }));
  for (const name of ['', '.a', 'a b', 'x'.repeat(65)])
    expect(() => withRemote(one, remote(name))).toThrow('Not a name');
  const most = {
    remotes: Object.fromEntries(Array.from({ length: TEAM_LIMITS.agencyItems }, (_, at) => [`r${at}`, { path: '/x' }])),
  };
  const full = federationOf(most);
  expect(() => withRemote(full, remote('more'))).toThrow(expect.objectContaining({ code: 'too_many' }));
  expect(withRemote(full, remote('r0')).remotes.size).toBe(TEAM_LIMITS.agencyItems);
  expect(() => federationOf({ remotes: { ...most.remotes, more: { path: '/x' } } })).toThrow('more than');
});

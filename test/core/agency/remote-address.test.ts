import { expect } from 'vitest';
import { branchName, gitPlaceOf } from '#core/agency/remote-address.js';
import { isAddress } from '#kernel/paths.js';
import { verifies } from '../../verifies.js';

verifies(
  'sec.git.refs',
  'addresses and branches are data: no other protocol, no option, no password gets to git',
  () => {
    for (const [address, protocols] of [
      ['https://example.org/team/agency.git', 'https:ssh'],
      ['ssh://git@example.org:2222/team/agency.git', 'https:ssh'],
      ['git@example.org:team/agency.git', 'https:ssh'],
      ['file:///srv/agency.git', 'file'],
    ])
      expect(gitPlaceOf(address ?? '')).toEqual({ address, protocols });
    const refused = [
      ...['ext::sh -c id', 'ext::id', 'fd::17', 'http://example.org/a', 'git://example.org/a', 'ftp://example.org/a'],
      ...['https://token@example.org/a', 'https://me:token@example.org/a', 'ssh://me:word@example.org/a'],
      ...['https://example.org/a?access_token=1', 'ssh://-oProxyCommand=id/a', 'ssh://%2DoProxyCommand=id@h/a'],
      ...['-oProxyCommand=id@host:a', 'me@-host:a', 'me@host:-a', 'file://host/a', 'https://a b/c', 'https://a/\u0007'],
      ...['https://[', `https://example.org/${'a'.repeat(1_000)}`, 'transport::https://example.org/a'],
    ];
    for (const address of refused)
      expect(() => gitPlaceOf(address), address).toThrow(expect.objectContaining({ code: 'bad_input' }));
    for (const address of ['https://me:hunter2@example.org/a', 'https://example.org/a?key=hunter2'])
      expect(() => gitPlaceOf(address)).toThrow(
        expect.objectContaining({ message: expect.not.stringContaining('hunter2') }),
      );
    for (const branch of ['main', 'troupe/agency', 'v1.2_x-y']) expect(branchName(branch)).toBe(branch);
    for (const branch of [
      '',
      '-f',
      'a..b',
      'a b',
      '/a',
      'a/',
      'a//b',
      'a.lock',
      'a/.b',
      '+a',
      'a:b',
      'refs^',
      'a'.repeat(201),
    ])
      expect(() => branchName(branch), branch).toThrow(expect.objectContaining({ code: 'bad_input' }));
    for (const text of ['../shared', '/srv/a', 'shared', 'C:\\a', './me@host:a', 'a:b'])
      expect(isAddress(text)).toBe(false);
    for (const text of ['ext::id', 'x://y', 'me@host:a']) expect(isAddress(text)).toBe(true);
  },
);

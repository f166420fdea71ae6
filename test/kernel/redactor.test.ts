import { expect, test } from 'vitest';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { Redactor } from '#kernel/secrets.js';

const TOKEN = `ghp_${'a1B2'.repeat(9)}`;
const KEY = `-----BEGIN RSA PRIVATE KEY-----\n${'QUJD'.repeat(40)}\n${'REVG'.repeat(40)}\n-----END RSA PRIVATE KEY-----`;

function through(text: string, size: number, known: string[] = []): string {
  const redactor = new Redactor(known);
  let out = '';
  for (let at = 0; at < text.length; at += size) out += redactor.push(text.slice(at, at + size));
  return out + redactor.end();
}

test('a secret is masked however the text is cut', () => {
  const text = `before ${TOKEN} after\n{"key":"plain-known-value"}\n${KEY}\nend without a line end ${TOKEN}`;
  for (const size of [1, 2, 3, 7, 64, 1_000]) {
    const out = through(text, size, ['plain-known-value', 'short']);
    expect(out).toBe('before ******** after\n{"key":"********"}\n********\nend without a line end ********');
  }
});

test('a line without end is let out in parts, and no secret is cut through', () => {
  const filler = 'x'.repeat(1_000);
  const text = Array.from({ length: 2_000 }, () => `${filler} ${TOKEN} known-value-here `).join('');
  const redactor = new Redactor(['known-value-here']);
  let out = '';
  let most = 0;
  for (let at = 0; at < text.length; at += 65_537) {
    const piece = redactor.push(text.slice(at, at + 65_537));
    out += piece;
    most = Math.max(most, Math.min(at + 65_537, text.length) - out.length);
  }
  out += redactor.end();
  expect(out).not.toContain('ghp_');
  expect(out).not.toContain('known-value');
  expect(out.split('********').length - 1).toBe(4_000);
  expect(most).toBeLessThan(2 * WORK_LIMITS.redactorHeldCharacters + text.length / 10);
});

test('ordinary text passes as it is', () => {
  const text = 'Nothing secret here.\n\n  indented\ttext — ünïcode\n';
  expect(through(text, 5)).toBe(text);
});

import { describe, expect } from 'vitest';
import type { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Notice, Notifier } from '#ports/notify.js';
import { verifies } from '../verifies.js';

const LASTING = new AbortController().signal;

/** A channel under test, and what reached the person. */
export interface NotifierUnderTest {
  readonly to: string;
  /** A notifier whose other end accepts, refuses, or never answers: one that soon stops waiting, or a patient one. */
  make(end: 'accepts' | 'refuses' | 'silent' | 'endless'): Promise<Notifier>;
  /** Everything that arrived, as text. */
  arrived(): readonly string[];
  /** Texts that no error may contain. */
  readonly secrets: readonly string[];
}

/** Contract of every channel to people. */
export function notifierContract(name: string, channel: string, create: () => Promise<NotifierUnderTest>): void {
  const notice = (to: string): Notice => ({ to, subject: 'Sign off', text: 'Please look.', id: 'agent-7-abc' });
  const errorOf = (sending: Promise<unknown>) =>
    sending.then(
      () => undefined,
      (error: TroupeError) => error,
    );

  describe(`the contract of a channel to people: ${name}`, () => {
    verifies('notify.channels', `${name}: a notice arrives, and the receipt names the channel`, async () => {
      const { make, to, arrived } = await create();
      const receipt = await (await make('accepts')).send(notice(to), LASTING);
      expect(receipt.channel).toBe(channel);
      expect(arrived().join('\n')).toContain('Please look.');
    });

    verifies('notify.channels', `${name}: a refusal is an error without secrets`, async () => {
      const { make, to, secrets } = await create();
      const error = await errorOf((await make('refuses')).send(notice(to), LASTING));
      expect(error).toMatchObject({ code: 'notify_failed' });
      const said = [error?.message, error?.why, error?.hint, JSON.stringify(error)].join(' ');
      for (const secret of secrets) expect(said).not.toContain(secret);
    });

    verifies('notify.channels', `${name}: silence ends in time`, async () => {
      const { make, to } = await create();
      expect(await errorOf((await make('silent')).send(notice(to), LASTING))).toMatchObject({ code: 'notify_failed' });
    });

    verifies('notify.channels', `${name}: it ends when it is stopped`, async () => {
      const { make, to } = await create();
      const stop = new AbortController();
      const sending = errorOf((await make('endless')).send(notice(to), stop.signal));
      const since = Date.now();
      stop.abort();
      expect(await sending).toMatchObject({ code: 'notify_failed' });
      expect(Date.now() - since).toBeLessThan(TEAM_LIMITS.notifyMs / 4);
    });
  });
}

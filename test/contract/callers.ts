import { describe, expect } from 'vitest';
import { sha256 } from '#kernel/hash.js';
import type { Caller, Callers, Introduction, RunCaller } from '#ports/callers.js';
import type { RunIdentity } from '#ports/run-folders.js';
import { verifies } from '../verifies.js';

/** One run is active; another began without a token. */
export const RUN: RunCaller = { kind: 'run', name: 'agent-7', taskId: 'parse', fence: 3, token: 'token-of-7' };
export const IDENTITIES: Readonly<Record<string, RunIdentity>> = {
  'agent-7': { taskId: 'parse', fence: 3, mail: 'none', tokenHash: sha256('token-of-7') },
  'agent-6': { taskId: 'scan', fence: 1, mail: 'none' },
};
const ANN: Caller = { kind: 'person', name: 'ann' };

/**
 * Origin of a request: a person's terminal, a process below the run that claims to be Ann's, or an unidentified
 * process.
 */
export type Origin = 'person' | 'run' | 'stranger';

export interface CallersStage {
  readonly callers: Callers;
  /** Returns the introduction of a process, and the line with this hash. */
  introduction(from: Origin, asks: string): { readonly introduction: Introduction; readonly line: string };
}

const codeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => undefined,
    (error: { code?: string }) => error.code,
  );

/** Contract of every way to identify a caller. `below`: origin of the calling process. */
export function callersContract(name: string, open: (below: Origin) => CallersStage): void {
  const asked = (from: Origin, line: string, proof = {}) => {
    const { callers, introduction } = open('person');
    const connection = callers.connect();
    const shown = introduction(from, sha256(line));
    connection.introduce(shown.introduction, shown.line);
    return connection.request(line, proof);
  };

  describe(`${name}: who asks`, () => {
    verifies('one.caller', 'a token makes whoever has it that run, and no other', async () => {
      const { name: run, token: run_token } = RUN;
      for (const from of ['person', 'run', 'stranger'] as const) {
        expect(await asked(from, 'x', { run, run_fence: 2, run_token }).proven()).toEqual({ ...RUN, fence: 2 });
        expect(await asked(from, 'x', { run_token }).proven(), 'the run is found by it').toEqual(RUN);
        for (const proof of [
          { run, run_token: 'guess' },
          { run: 'agent-6', run_token },
          { run: 'agent-9', run_token },
        ])
          for (const how of ['proven', 'claimed'] as const)
            expect(await codeOf(asked(from, 'x', proof)[how]())).toBe('bad_run_token');
      }
    });

    verifies('one.caller', 'whoever looks is taken at their word, whoever changes something is not', async () => {
      expect(await asked('person', 'x').proven()).toEqual(ANN);
      expect(await asked('run', 'x').claimed(), 'it says it is Ann').toEqual(ANN);
      expect(await asked('run', 'x').proven()).toEqual(RUN);
      expect(await asked('run', 'x', { run: 'agent-6' }).proven(), 'a name proves nothing').toEqual(RUN);
      expect(await asked('stranger', 'x').claimed()).toMatchObject({ kind: 'person' });
      expect(await codeOf(asked('stranger', 'x').proven())).toBe('caller_unclear');
    });

    verifies('one.caller', 'a request names its reader, which is no proof, and no run', async () => {
      const caller = { kind: 'person', name: 'ida' } as const;
      expect(await asked('stranger', 'x', { caller }).claimed()).toEqual(caller);
      expect(await asked('run', 'x', { caller }).claimed(), 'an introduction says more').toEqual(ANN);
      expect(await asked('run', 'x', { caller }).proven()).toEqual(RUN);
      expect(await codeOf(asked('stranger', 'x', { caller }).proven())).toBe('caller_unclear');
      const { name: run, token: run_token } = RUN;
      expect(await asked('stranger', 'x', { caller, run, run_token }).claimed()).toEqual(RUN);
      const here = await asked('stranger', 'x').claimed();
      for (const odd of ['ida', null, { name: 'ida' }, { kind: 'person', name: '' }, { kind: 'run', name: 'agent-7' }])
        expect(await asked('stranger', 'x', { caller: odd }).claimed()).toEqual(here);
    });

    verifies('one.caller', 'an introduction counts for one request, and for the next one only', async () => {
      const { callers, introduction } = open('person');
      const connection = callers.connect();
      const introduce = () => {
        const { introduction: shown, line } = introduction('person', sha256('x'));
        return connection.introduce(shown, line);
      };
      const asks = (line: string) => codeOf(connection.request(line, {}).proven());
      expect(introduce()).toBe(true);
      expect(await asks('y'), 'another request').toBe('caller_unclear');
      expect(await asks('x'), 'it is used up').toBe('caller_unclear');
      introduce();
      expect([await asks('x'), await asks('x')]).toEqual([undefined, 'caller_unclear']);
      const stranger = introduction('stranger', sha256('x'));
      introduce();
      expect(connection.introduce(stranger.introduction, stranger.line), 'another says it is one').toBe(false);
      expect(await asks('x')).toBe('caller_unclear');
    });

    verifies(
      'one.caller',
      'at the socket of a run every request is of that run, in an attempt it has had',
      async () => {
        const { callers } = open('person');
        const { token, ...atItsDoor } = { ...RUN, atItsDoor: true };
        expect(await callers.atDoor('agent-7', {})).toEqual(atItsDoor);
        expect(await callers.atDoor('agent-7', { run_fence: 2, run_token: token })).toEqual({ ...atItsDoor, fence: 2 });
        const lies = [{ run: 'agent-6' }, { run_fence: 4 }, { run_token: 'guess' }];
        for (const lie of lies) expect(await codeOf(callers.atDoor('agent-7', lie))).toBe('bad_run_token');
        expect(await codeOf(callers.atDoor('agent-9', {}))).toBe('bad_run_token');
      },
    );

    verifies('one.caller', 'a client gets tools by the token of its run alone', async () => {
      const { callers } = open('person');
      expect(await callers.client(RUN)).toEqual(RUN);
      expect(await callers.client({ ...RUN, fence: 2 })).toEqual({ ...RUN, fence: 2 });
      const { token: _, ...bare } = RUN;
      const lies = [bare, { ...RUN, token: 'guess' }, { ...RUN, taskId: 'scan' }, { ...RUN, fence: 4 }];
      const others = [
        { ...bare, name: 'agent-6', taskId: 'scan', fence: 1 },
        { ...RUN, name: 'agent-9' },
      ];
      for (const lie of [...lies, ...others]) expect(await codeOf(callers.client(lie))).toBe('bad_run_token');
    });

    verifies('one.caller', 'this process is a person only where it comes from no run', async () => {
      expect(await open('person').callers.here(ANN)).toEqual(ANN);
      expect(await open('run').callers.here(ANN)).toEqual(RUN);
      expect(await open('run').callers.here({ ...RUN, name: 'agent-6' }), 'it says it is another').toEqual(RUN);
    });
  });
}

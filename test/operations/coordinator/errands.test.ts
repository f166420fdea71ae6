import { expect, test } from 'vitest';
import { TRIAGE } from '#core/coordinator/triage.js';
import { Errands } from '#operations/coordinator/errands.js';

test('an errand is begun once, answers once, and is over when it is forgotten', async () => {
  let answered: () => void = () => undefined;
  const woken = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const errands = new Errands(answered);
  let begun = 0;
  const work = async () => {
    begun++;
    throw new Error('no model');
  };
  errands.start(TRIAGE, TRIAGE.key('agent-1'), work);
  errands.start(TRIAGE, TRIAGE.key('agent-1'), work);
  expect([...errands.facts().underWay]).toEqual(['triage agent-1']);
  await woken;
  errands.start(TRIAGE, TRIAGE.key('agent-1'), work);
  expect(begun).toBe(1);
  expect(errands.facts().answers.get('triage agent-1')).toEqual({ of: 'error', text: 'no model' });
  errands.forget('triage agent-1');
  expect(errands.facts().answers.size).toBe(0);
  expect(() => errands.start(TRIAGE, 'place a', work)).toThrow('not an errand of this kind');
});

test('closing tells what is under way to end and waits for it', async () => {
  const errands = new Errands(() => undefined);
  let ended = false;
  errands.start(TRIAGE, TRIAGE.key('agent-1'), async (signal) => {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    ended = true;
    throw new Error('ended');
  });
  await errands.close();
  expect(ended).toBe(true);
});

test('what brings no answer may begin again when it is over, however it ended', async () => {
  const errands = new Errands(() => undefined);
  let begun = 0;
  const failed: string[] = [];
  const work = async () => {
    begun++;
    if (begun === 1) throw new Error('no disk');
  };
  for (let time = 0; time < 2; time++) {
    errands.startUnanswered('tidy', work, (error) => failed.push(String(error)));
    errands.startUnanswered('tidy', work, (error) => failed.push(String(error))); // it is under way
    expect([...errands.facts().underWay]).toEqual(['tidy']);
    await errands.firstOf(['tidy']);
    expect([...errands.facts().underWay]).toEqual([]);
  }
  expect([begun, failed]).toEqual([2, ['Error: no disk']]);
});

test('closing waits for what brings no answer too', async () => {
  const errands = new Errands(() => undefined);
  let over = false;
  let end: () => void = () => undefined;
  const work = async () => {
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    over = true;
  };
  errands.startUnanswered('tidy', work, () => undefined);
  const closed = errands.close().then(() => over);
  end();
  expect(await closed).toBe(true);
});

import { expect, test } from 'vitest';
import { specNamed } from '#operations/named.js';
import { holdAnswer, holdPrinted, holdSent } from '../answers.js';

test('an answer in another form than its operation promises is refused, whichever way it came', async () => {
  const wrong = { agents: [{ id: 'agent-1' }] };
  await expect(holdAnswer(specNamed('agent.list'), wrong)).rejects.toThrow(/agent.list answered in the wrong form/);
  await expect(holdPrinted(['agents', '--all'], wrong)).rejects.toThrow(/agent.list answered/);
  const line = { cmd: 'operation', name: 'agent.list', input: {} };
  await expect(holdSent(line, { ok: true, result: wrong })).rejects.toThrow(/agent.list answered/);
  await holdPrinted(['agents', '--all'], { agents: [] });
  await holdPrinted(['dashboard'], { anything: true });
});
